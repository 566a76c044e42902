// How the scene is looked at: from where, cut open, and which walls are seen.

import { quantity } from "../numbers";
import type { CutAxis } from "../scene/cut";
import { element, iconButton, press } from "./dom";
import { ICONS } from "./icons";

export interface ViewActions {
  /** Looks from the side that an axis points to, or the other. */
  look(axis: number, sign: number): void;
  orthographic(on: boolean): void;
  gauge(on: boolean): void;
  cut(axis: CutAxis | null): void;
  cutAt(part: number): void;
  flip(): void;
  wall(number: number, shown: boolean): void;
  opacity(number: number, opacity: number): void;
  close(): void;
}

export interface ViewState {
  orthographic: boolean;
  gauge: boolean;
  /** Null: nothing is cut. The place is in m along the axis. */
  cut: { axis: CutAxis; at: number; place: number; flipped: boolean } | null;
  walls: { name: string; shown: boolean; opacity: number }[];
}

const CUTS: [string, string][] = [["", "off"], ["x", "across x"], ["y", "across y"], ["z", "across z"], ["view", "as seen now"]];

export class ViewPanel {
  readonly root: HTMLElement;
  readonly #actions: ViewActions;
  readonly #orthographic: HTMLInputElement;
  readonly #gauge: HTMLInputElement;
  readonly #cut: HTMLSelectElement;
  readonly #cutRow: HTMLElement;
  readonly #place: HTMLInputElement;
  readonly #reading = element("output");
  readonly #flip: HTMLButtonElement;
  readonly #walls = element("ul", { class: "walls" });
  #rows: { shown: HTMLInputElement; opacity: HTMLInputElement }[] = [];

  constructor(actions: ViewActions) {
    this.#actions = actions;
    const check = (change: (on: boolean) => void) => {
      const box = element("input", { type: "checkbox", change: () => change(box.checked) });
      return box;
    };
    this.#orthographic = check(actions.orthographic);
    this.#gauge = check(actions.gauge);
    const sides = [0, 1, 2].flatMap((axis) => [1, -1].map((sign) => this.#side(axis, sign)));
    const options = CUTS.map(([value, words]) => element("option", { value }, words));
    this.#cut = element(
      "select",
      { "aria-label": "Cut the scene open", change: () => actions.cut((this.#cut.value || null) as CutAxis | null) },
      ...options,
    );
    this.#place = slider("Where it is cut", (part) => actions.cutAt(part));
    this.#flip = element("button", { type: "button", title: "Keep the other side (Shift B)", click: actions.flip }, "Other side");
    this.#cutRow = element("div", { class: "cut", hidden: true }, this.#place, this.#reading, this.#flip);
    this.root = element(
      "section",
      { class: "view panel", "aria-label": "View", hidden: true },
      element("header", {}, element("h2", {}, "View"), iconButton(ICONS.close, "Close (V)", actions.close)),
      element("h3", {}, "Look from"),
      element("div", { class: "sides" }, ...sides),
      element("label", {}, this.#orthographic, "Without perspective"),
      element("label", {}, this.#gauge, "Axes and scale bar"),
      element("div", { class: "row" }, element("h3", {}, "Cut"), this.#cut),
      this.#cutRow,
      element("h3", {}, "Walls"),
      this.#walls,
    );
  }

  show(state: ViewState): void {
    if (this.root.hidden) return;
    this.#orthographic.checked = state.orthographic;
    this.#gauge.checked = state.gauge;
    this.#cut.value = state.cut?.axis ?? "";
    this.#cutRow.hidden = state.cut === null;
    if (state.cut !== null) {
      const { axis, at, place, flipped } = state.cut;
      this.#place.value = String(at);
      const where = axis === "view" ? `${Math.round(at * 100)} %` : `${axis} = ${quantity(place, "m")}`;
      this.#reading.textContent = where;
      this.#place.setAttribute("aria-valuetext", where);
      press(this.#flip, flipped);
    }
    if (this.#rows.length !== state.walls.length) this.#list(state.walls.map(({ name }) => name));
    state.walls.forEach(({ shown, opacity }, number) => {
      const row = this.#rows[number]!;
      row.shown.checked = shown;
      row.opacity.value = String(opacity);
      row.opacity.disabled = !shown;
      row.opacity.setAttribute("aria-valuetext", `${Math.round(opacity * 100)} %`);
    });
  }

  #side(axis: number, sign: number): HTMLButtonElement {
    const name = `${sign > 0 ? "+" : "−"}${"xyz"[axis]}`;
    const words = `Look from ${name}`;
    return element("button", { type: "button", title: words, "aria-label": words, click: () => this.#actions.look(axis, sign) }, name);
  }

  #list(names: string[]): void {
    this.#rows = [];
    const rows = names.map((name, number) => {
      const shown = element("input", { type: "checkbox", change: () => this.#actions.wall(number, shown.checked) });
      const opacity = slider(`Opacity of ${name}`, (value) => this.#actions.opacity(number, value));
      opacity.title = `Opacity of ${name}`;
      this.#rows.push({ shown, opacity });
      return element("li", {}, element("label", { title: name }, shown, element("span", {}, name)), opacity);
    });
    if (rows.length === 0) rows.push(element("li", {}, "There are none."));
    this.#walls.replaceChildren(...rows);
  }
}

function slider(words: string, change: (value: number) => void): HTMLInputElement {
  const made = element("input", { type: "range", min: "0", max: "1", step: "0.01", "aria-label": words });
  made.addEventListener("input", () => change(Number(made.value)));
  return made;
}
