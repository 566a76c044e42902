// Which way the axes of the lab point, and how long things are: drawn on the page, and in pictures and films alike.

import { quantity } from "../numbers";
import { element } from "./dom";

export interface GaugeState {
  /** Where x, y and z point in the picture: to the right, up, and towards the viewer. */
  axes: [number, number, number][];
  /** What a pixel of the page covers where one looks at, m. */
  pixel: number;
  /** Without perspective lengths are the same everywhere. */
  exact: boolean;
  dark: boolean;
}

/** CSS pixels on the page. */
const WIDTH = 168;
const HEIGHT = 118;
const ARM = 34;
/** The bar is about this long, or shorter. */
const BAR = 120;

const NAMES = ["x", "y", "z"];
/** Of Okabe and Ito; blue is too dark for dark ground. */
const COLOURS = { light: ["#d55e00", "#00805c", "#0072b2"], dark: ["#f0803c", "#2fc79b", "#56b4e9"] };

export class Gauge {
  readonly root = element("canvas", { class: "gauge", role: "img" });
  shown = true;
  #drawn = "";

  show(state: GaugeState): void {
    this.root.hidden = !this.shown;
    if (!this.shown) return;
    const ratio = window.devicePixelRatio;
    const key = JSON.stringify([state, ratio]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    [this.root.width, this.root.height] = [WIDTH * ratio, HEIGHT * ratio];
    this.root.setAttribute("aria-label", `Axes of the lab; scale bar of ${barOf(state).label}`);
    const context = this.root.getContext("2d")!;
    context.scale(ratio, ratio);
    paintGauge(context, state, WIDTH, HEIGHT);
  }
}

/** Draws it into the lower right corner of a picture whose pixels are those of the page. */
export function paintGauge(context: CanvasRenderingContext2D, state: GaugeState, width: number, height: number): void {
  const ink = state.dark ? "#e8edf3" : "#1c242d";
  context.lineCap = "round";
  paintAxes(context, state, width - ARM - 18, height - ARM - 46);
  const { length, label } = barOf(state);
  const [right, y] = [width - 14, height - 14];
  context.strokeStyle = context.fillStyle = ink;
  context.lineWidth = 1.6;
  context.beginPath();
  for (const [x, top, bottom] of [[right - length, y - 4, y + 4], [right, y - 4, y + 4]] as const) {
    context.moveTo(x, top);
    context.lineTo(x, bottom);
  }
  context.moveTo(right - length, y);
  context.lineTo(right, y);
  context.stroke();
  context.font = "500 12px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.fillText(label, right - length / 2, y - 7);
}

/** What is nearer to the viewer is drawn later, over the others; what points away is faint. */
function paintAxes(context: CanvasRenderingContext2D, { axes, dark }: GaugeState, x: number, y: number): void {
  const order = [0, 1, 2].sort((a, b) => axes[a]![2] - axes[b]![2]);
  for (const axis of order) {
    const [right, up, near] = axes[axis]!;
    const [ex, ey] = [x + right * ARM, y - up * ARM];
    const seen = Math.hypot(right, up);
    context.globalAlpha = near < -0.3 ? 0.55 : 1;
    context.strokeStyle = context.fillStyle = COLOURS[dark ? "dark" : "light"][axis]!;
    context.lineWidth = 2.2;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(ex, ey);
    context.stroke();
    if (seen > 0.15) arrowHead(context, ex, ey, right / seen, -up / seen);
    // An axis that points at the viewer has its name beside it.
    const [dx, dy] = seen > 0.15 ? [(right / seen) * 10, (-up / seen) * 10] : [9, -9];
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(NAMES[axis]!, ex + dx, ey + dy);
  }
  context.globalAlpha = 1;
}

function arrowHead(context: CanvasRenderingContext2D, x: number, y: number, dx: number, dy: number): void {
  const [back, wide] = [6.5, 3.4];
  context.beginPath();
  context.moveTo(x + dx * 2, y + dy * 2);
  context.lineTo(x - dx * back - dy * wide, y - dy * back + dx * wide);
  context.lineTo(x - dx * back + dy * wide, y - dy * back - dx * wide);
  context.fill();
}

/** A round length, in pixels and words; with perspective it holds where one looks at. */
export function barOf({ pixel, exact }: Pick<GaugeState, "pixel" | "exact">): { length: number; label: string } {
  const most = BAR * pixel;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = [5, 2, 1].map((step) => step * power).find((step) => step <= most * (1 + 1e-9)) ?? power;
  const words = quantity(metres, "m", 1);
  return { length: metres / pixel, label: exact ? words : `≈ ${words}` };
}
