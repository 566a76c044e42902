// What the colours mean, and the choice of what they show.

import { AMOUNTS, kindColour, FORCES } from "../colour";
import type { Colouring } from "../colouring";
import { count } from "../numbers";
import type { Range, RangeMode } from "../range";
import { element } from "./dom";
import { bar, RangeForm } from "./scale";

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
  readonly #broken = element("div", { class: "scale forces", hidden: true });
  readonly #fixed: RangeForm;
  #shown = "";
  #brokenShown = "";

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
    this.#fixed = new RangeForm(["Lowest value", "Highest value"], actions.fixed);
    this.root = element(
      "section",
      { class: "legend panel", "aria-label": "Legend" },
      element("div", { class: "row" }, this.#choice, this.#mode),
      this.#scale,
      this.#fixed.root,
      this.#forces,
      this.#broken,
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
    this.#fixed.show(fixed ? range : null);
    const from = range.from === "" ? [] : [element("p", { class: "from" }, range.from)];
    if (amount) this.#scale.replaceChildren(...bar(AMOUNTS, colouring.unit, range, colouring.unit === ""), ...from);
    else this.#scale.replaceChildren(...kinds(names));
  }

  /** The scale of contact forces; null hides it. */
  forces(greatest: number | null): void {
    this.#forces.hidden = greatest === null;
    if (greatest === null) return;
    const range = { low: 0, high: greatest, undercut: false, exceeded: true, log: false, from: "" };
    this.#forces.replaceChildren(element("h3", {}, "Contact force"), ...bar(FORCES, "N", range, false, true));
  }

  /** How many bonds have broken, by mode; null hides it. */
  broken(modes: { name: string; count: number }[] | null): void {
    this.#broken.hidden = modes === null;
    const key = JSON.stringify(modes);
    if (modes === null || key === this.#brokenShown) return;
    this.#brokenShown = key;
    const names = modes.map(({ name, count: broken }) => `${name} ${count(broken)}`);
    this.#broken.replaceChildren(element("h3", {}, "Broken bonds"), ...kinds(names));
  }
}

function kinds(names: string[]): HTMLElement[] {
  const shown = names.slice(0, MOST).map((name, kind) => {
    const swatch = element("i", { style: `background: ${kindColour(kind)}` });
    return element("li", {}, swatch, name);
  });
  if (names.length > MOST) shown.push(element("li", {}, `and ${names.length - MOST} more`));
  return [element("ul", { class: "kinds" }, ...shown)];
}
