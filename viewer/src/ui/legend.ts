// What the colours mean, and the choice of what they show.

import { AMOUNTS, gradient, kindColour, FORCES } from "../colour";
import type { Colouring } from "../colouring";
import { plain, scaleFor } from "../numbers";
import type { Range, RangeMode } from "../range";
import { element } from "./dom";

export interface LegendActions {
  colouring(name: string): void;
  mode(mode: RangeMode): void;
  fixed(low: number, high: number): void;
}

/** Kinds beyond this are only counted. */
const MOST = 10;

export class Legend {
  readonly root: HTMLElement;
  readonly #choice: HTMLSelectElement;
  readonly #mode: HTMLSelectElement;
  readonly #scale = element("div", { class: "scale" });
  readonly #forces = element("div", { class: "scale forces", hidden: true });
  readonly #fixed: HTMLFormElement;
  readonly #low = element("input", { type: "text", inputmode: "decimal", "aria-label": "Lowest value" });
  readonly #high = element("input", { type: "text", inputmode: "decimal", "aria-label": "Highest value" });
  #shown = "";

  constructor(actions: LegendActions) {
    this.#choice = element("select", {
      "aria-label": "Colour by",
      title: "Colour by (1 to 6)",
      change: () => actions.colouring(this.#choice.value),
    });
    this.#mode = element(
      "select",
      { "aria-label": "Range of the colours", change: () => actions.mode(this.#mode.value as RangeMode) },
      element("option", { value: "auto" }, "automatic"),
      element("option", { value: "run" }, "whole run"),
      element("option", { value: "frame" }, "this frame"),
      element("option", { value: "fixed" }, "fixed"),
    );
    const set = (event: Event) => {
      event.preventDefault();
      const [low, high] = [Number(this.#low.value), Number(this.#high.value)];
      if (Number.isFinite(low) && high > low) actions.fixed(low, high);
    };
    this.#fixed = element("form", { class: "fixed", hidden: true, change: set, submit: set }, this.#low, "to", this.#high);
    this.root = element(
      "section",
      { class: "legend panel", "aria-label": "Legend" },
      element("div", { class: "row" }, this.#choice, this.#mode),
      this.#scale,
      this.#fixed,
      this.#forces,
    );
  }

  offer(colourings: Colouring[]): void {
    const options = colourings.map(({ name, label }) => element("option", { value: name }, label));
    this.#choice.replaceChildren(...options);
  }

  show(colouring: Colouring, mode: RangeMode, range: Range, names: string[]): void {
    const key = JSON.stringify([colouring.name, mode, range, names]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#choice.value = colouring.name;
    this.#mode.value = mode;
    const amount = colouring.kind === "amount";
    this.#mode.hidden = !amount || colouring.unit === "";
    const fixed = amount && mode === "fixed" && colouring.unit !== "";
    if (fixed && this.#fixed.hidden) {
      [this.#low.value, this.#high.value] = [plainInput(range.low), plainInput(range.high)];
    }
    this.#fixed.hidden = !fixed;
    const from = range.from === "" ? [] : [element("p", { class: "from" }, range.from)];
    if (amount) this.#scale.replaceChildren(...bar(AMOUNTS, colouring.unit, range), ...from);
    else this.#scale.replaceChildren(...kinds(names));
  }

  /** The scale of contact forces; null hides it. */
  forces(greatest: number | null): void {
    this.#forces.hidden = greatest === null;
    if (greatest === null) return;
    const range = { low: 0, high: greatest, undercut: false, exceeded: true, log: false, from: "" };
    this.#forces.replaceChildren(element("h3", {}, "Contact force"), ...bar(FORCES, "N", range, true));
  }
}

function bar(map: readonly string[], unit: string, { low, high, undercut, exceeded, log }: Range, root = false): HTMLElement[] {
  // Colours of forces go with the root of the force.
  const middle = log ? Math.sqrt(low * high) : root ? low + (high - low) / 4 : (low + high) / 2;
  const mark = (value: number) => {
    const { factor, prefix } = scaleFor(log ? value : high, unit);
    return unit === "" ? String(Math.round(value)) : `${plain(value / factor)}\u202f${prefix}${unit}`;
  };
  return [
    element("div", { class: "bar", style: `background: ${gradient(map)}` }),
    element(
      "div",
      { class: "marks" },
      element("span", {}, `${undercut ? "≤ " : ""}${mark(low)}`),
      element("span", {}, mark(middle)),
      element("span", {}, `${exceeded ? "≥ " : ""}${mark(high)}`),
    ),
  ];
}

function kinds(names: string[]): HTMLElement[] {
  const shown = names.slice(0, MOST).map((name, kind) => {
    const swatch = element("i", { style: `background: ${kindColour(kind)}` });
    return element("li", {}, swatch, name);
  });
  if (names.length > MOST) shown.push(element("li", {}, `and ${names.length - MOST} more`));
  return [element("ul", { class: "kinds" }, ...shown)];
}

function plainInput(value: number): string {
  return String(Number(value.toPrecision(4)));
}
