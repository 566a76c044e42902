// A picture of the scene with what one needs to read it: title, time and the scale of the colours.

import { AMOUNTS, css, kindColour, sample } from "../colour";
import type { Colouring } from "../colouring";
import { quantity } from "../numbers";
import type { Range } from "../range";
import { paintGauge, type GaugeState } from "../ui/gauge";

export interface Caption {
  title: string;
  time: string;
  colouring: Colouring;
  range: Range;
  /** Of the kinds, if it is coloured by kind. */
  names: string[];
  /** The field that is drawn, in the place of the colours of bodies. */
  field: { label: string; unit: string; range: Range; map: readonly string[] } | null;
  dark: boolean;
  /** Axes and scale bar, and how many pixels of the picture one of the page has; null without. */
  gauge: { state: GaugeState; ratio: number } | null;
}

/** Draws the scene, which must have been rendered in the same task, and the caption. */
export function compose(onto: HTMLCanvasElement, scene: HTMLCanvasElement, caption: Caption): void {
  [onto.width, onto.height] = [scene.width, scene.height];
  paint(onto, scene, caption);
}

/** As `compose`, onto a canvas that has its size: setting it again would break the stream of a film. */
export function paint(onto: HTMLCanvasElement, scene: HTMLCanvasElement, caption: Caption): void {
  const context = onto.getContext("2d")!;
  context.drawImage(scene, 0, 0, onto.width, onto.height);
  const unit = Math.max(onto.height / 45, 11);
  const [left, right, bottom] = [unit, onto.width - unit, onto.height - unit];
  context.fillStyle = caption.dark ? "#e8edf3" : "#1c242d";
  context.textBaseline = "alphabetic";
  const write = (text: string, x: number, y: number, align: CanvasTextAlign, weight = 400) => {
    context.font = `${weight} ${unit * 0.8}px system-ui, sans-serif`;
    context.textAlign = align;
    context.fillText(text, x, y);
  };
  write(caption.title, left, unit * 1.6, "left", 600);
  write(caption.time, right, unit * 1.6, "right");
  if (caption.gauge !== null) {
    const { state, ratio } = caption.gauge;
    context.save();
    context.scale(ratio, ratio);
    paintGauge(context, state, onto.width / ratio, onto.height / ratio);
    context.restore();
  }
  if (caption.field === null && caption.colouring.kind === "kind") {
    drawKinds(context, caption.names, unit, left, bottom, write);
    return;
  }
  const width = Math.min(unit * 12, onto.width / 2);
  const { label, unit: of, range, map } = caption.field ?? { ...caption.colouring, range: caption.range, map: AMOUNTS };
  write(label, left, bottom - unit * 2.1, "left");
  for (let column = 0; column < width; column += 1) {
    context.fillStyle = css(sample(map, column / width));
    context.fillRect(left + column, bottom - unit * 1.7, 1.5, unit * 0.55);
  }
  context.fillStyle = caption.dark ? "#e8edf3" : "#1c242d";
  const { low, high, undercut, exceeded } = range;
  write(`${undercut ? "≤ " : ""}${quantity(low, of)}`, left, bottom, "left");
  write(`${exceeded ? "≥ " : ""}${quantity(high, of)}`, left + width, bottom, "right");
}

function drawKinds(
  context: CanvasRenderingContext2D,
  names: string[],
  unit: number,
  left: number,
  bottom: number,
  write: (text: string, x: number, y: number, align: CanvasTextAlign) => void,
): void {
  const ink = context.fillStyle;
  let x = left;
  for (const [kind, name] of names.entries()) {
    context.fillStyle = kindColour(kind);
    context.fillRect(x, bottom - unit * 0.62, unit * 0.6, unit * 0.6);
    context.fillStyle = ink;
    write(name, x + unit * 0.9, bottom, "left");
    x += unit * 1.9 + context.measureText(name).width;
  }
}
