// A bar of colours with the values that they stand for, and the two fields in which a range is typed.

import { gradient } from "../colour";
import { plain, scaleFor } from "../numbers";
import type { Range } from "../range";
import { element } from "./dom";

/** With the value in the middle; that of forces goes with the root of the force. */
export function bar(map: readonly string[], unit: string, range: Range, whole = false, root = false): HTMLElement[] {
  const { low, high, undercut, exceeded, log } = range;
  const middle = log ? Math.sqrt(low * high) : root ? low + (high - low) / 4 : (low + high) / 2;
  const mark = (value: number) => {
    const { factor, prefix } = scaleFor(log ? value : Math.max(Math.abs(low), Math.abs(high)), unit);
    return whole ? String(Math.round(value)) : `${plain(value / factor)}\u202f${prefix}${unit}`.trim();
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

/** Two fields for the ends of a range. */
export class RangeForm {
  readonly root: HTMLFormElement;
  readonly #low: HTMLInputElement;
  readonly #high: HTMLInputElement;

  constructor([low, high]: readonly [string, string], set: (low: number, high: number) => void) {
    const field = (words: string) => element("input", { type: "text", inputmode: "decimal", "aria-label": words });
    [this.#low, this.#high] = [field(low), field(high)];
    const read = (event: Event) => {
      event.preventDefault();
      const [low, high] = [Number(this.#low.value), Number(this.#high.value)];
      if (Number.isFinite(low) && high > low) set(low, high);
    };
    this.root = element("form", { class: "fixed", hidden: true, change: read, submit: read }, this.#low, "to", this.#high);
  }

  /** Null hides it. What is being typed stays. */
  show(range: Range | null): void {
    if (range !== null && this.root.hidden) {
      [this.#low.value, this.#high.value] = [range.low, range.high].map((value) => String(Number(value.toPrecision(4)))) as [string, string];
    }
    this.root.hidden = range === null;
  }
}
