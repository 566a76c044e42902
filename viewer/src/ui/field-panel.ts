// Coarse-grained fields: which one is shown, what of it, where, and what its colours mean.

import type { Fields, FieldRangeMode, Part, ShownField } from "../fields";
import { fixedAxis } from "../data/fields";
import { capital } from "../data/units";
import { quantity as written } from "../numbers";
import { element, iconButton } from "./dom";
import { ICONS } from "./icons";
import { bar, RangeForm } from "./scale";
import { clock } from "./timeline";

export interface FieldActions {
  field(name: string): void;
  quantity(name: string): void;
  part(part: Part): void;
  mode(mode: FieldRangeMode): void;
  fixed(low: number, high: number): void;
  across(axis: number): void;
  layer(layer: number): void;
  opacity(opacity: number): void;
  close(): void;
}

export class FieldPanel {
  readonly root: HTMLElement;
  readonly #field: HTMLSelectElement;
  readonly #quantity: HTMLSelectElement;
  readonly #part: HTMLSelectElement;
  readonly #mode: HTMLSelectElement;
  readonly #axis: HTMLSelectElement;
  readonly #layer: HTMLInputElement;
  readonly #opacity: HTMLInputElement;
  readonly #where = element("output");
  readonly #sliced: HTMLElement;
  readonly #scale = element("div", { class: "scale" });
  readonly #when = element("p", { class: "from" });
  readonly #fixed: RangeForm;
  #listed = "";
  #drawn = "";

  constructor(actions: FieldActions) {
    const select = (words: string, change: (value: string) => void, ...options: HTMLOptionElement[]) => {
      const made = element("select", { "aria-label": words, change: () => change(made.value) }, ...options);
      return made;
    };
    const slider = (words: string, change: (value: number) => void) => {
      const made = element("input", { type: "range", "aria-label": words, title: words, input: () => change(Number(made.value)) });
      return made;
    };
    this.#field = select("Fields on which grid", actions.field);
    this.#quantity = select("Which field", actions.quantity);
    this.#part = select("Which component", (part) => actions.part(part === "size" ? part : Number(part)));
    this.#mode = select(
      "Range of the field",
      (mode) => actions.mode(mode as FieldRangeMode),
      element("option", { value: "run" }, "whole run"),
      element("option", { value: "frame" }, "this frame"),
      element("option", { value: "fixed" }, "fixed"),
    );
    const axes = ["x", "y", "z"].map((name, axis) => element("option", { value: String(axis) }, `across ${name}`));
    this.#axis = select("Across which axis the plane is", (axis) => actions.across(Number(axis)), ...axes);
    this.#layer = slider("Where the plane is", actions.layer);
    this.#opacity = slider("Opacity of the plane", actions.opacity);
    [this.#opacity.min, this.#opacity.max, this.#opacity.step] = ["0.1", "1", "0.05"];
    this.#sliced = element("div", { class: "slice" }, this.#axis, this.#where, this.#layer);
    this.#fixed = new RangeForm(["Field from", "Field up to"], actions.fixed);
    this.root = element(
      "section",
      { class: "field panel", "aria-label": "Coarse-grained fields", hidden: true },
      element("header", {}, element("h3", {}, "Field"), this.#field, this.#mode, iconButton(ICONS.close, "Hide the field (D)", actions.close)),
      element("div", { class: "row" }, this.#quantity, this.#part),
      this.#scale,
      this.#fixed.root,
      this.#when,
      this.#sliced,
      element("label", { class: "opacity" }, "Opacity", this.#opacity),
    );
  }

  show(fields: Fields, shown: ShownField | null, end: number): void {
    const { head, quantity } = fields;
    this.root.hidden = !fields.shown || head === null || quantity === null;
    if (head === null || quantity === null || this.root.hidden) return;
    this.#list(fields);
    this.#mode.value = fields.rangeMode;
    this.#fixed.show(fields.rangeMode === "fixed" ? (shown?.range ?? null) : null);
    const isGrid = fixedAxis(head) === null;
    this.#sliced.hidden = !isGrid;
    this.#axis.value = String(fields.axis);
    this.#layer.max = String(head.cells[fields.axis]! - 1);
    this.#layer.value = String(fields.layer);
    const where = `${"xyz"[fields.axis]} = ${written(fields.place, "m")}`;
    this.#where.textContent = where;
    this.#layer.setAttribute("aria-valuetext", where);
    this.#opacity.value = String(fields.opacity);
    const drawn = JSON.stringify([shown?.range, shown?.map.length, fields.unit]);
    if (shown !== null && drawn !== this.#drawn) {
      this.#scale.replaceChildren(...bar(shown.map, fields.unit, shown.range));
      this.#drawn = drawn;
    }
    this.#scale.hidden = shown === null;
    const words = [whenOf(fields, shown, end), shown?.range.from ?? "", head.part === true ? "some of the fields only" : ""];
    const text = words.filter((part) => part !== "").join(" · ");
    if (this.#when.textContent !== text) this.#when.textContent = text;
  }

  #list({ heads, head, quantity, part }: Fields): void {
    const listed = JSON.stringify([heads.map(({ name }) => name), head!.name, head!.quantities.length, quantity!.name]);
    if (listed !== this.#listed) {
      this.#listed = listed;
      const option = (value: string, words: string, title = "") => element("option", title === "" ? { value } : { value, title }, words);
      this.#field.replaceChildren(...heads.map(({ name }) => option(name, name)));
      this.#quantity.replaceChildren(...head!.quantities.map(({ name, what }) => option(name, labelOf(name), what)));
      const parts = quantity!.parts.map((name, number) => option(String(number), name));
      this.#part.replaceChildren(...(parts.length === 3 ? [option("size", "magnitude")] : []), ...parts);
    }
    this.#field.value = head!.name;
    this.#quantity.value = quantity!.name;
    this.#quantity.title = quantity!.what;
    this.#part.value = String(part);
    this.#part.hidden = quantity!.parts.length < 2;
  }
}

/** `granular_temperature` is "Granular temperature". */
export function labelOf(name: string): string {
  return capital(name.replaceAll("_", " "));
}

/** With the component, as pictures and charts name it. */
export function titleOf({ quantity, part }: Pick<Fields, "quantity" | "part">): string {
  if (quantity === null) return "";
  const name = quantity.name === "velocity" && part === "size" ? "Speed" : labelOf(quantity.name);
  return quantity.parts.length < 2 || part === "size" ? name : `${name} ${quantity.parts[part] ?? ""}`;
}

/** From when to when what is shown was averaged. */
export function whenOf({ head }: Fields, shown: ShownField | null, end: number): string {
  if (head === null || shown === null) return head?.leftOut ? "frame left out of this file" : "no frame at this time";
  const [from, to] = [head.starts[shown.frame]!, head.times[shown.frame]!];
  return from < to ? `mean over ${clock(from, end)} to ${clock(to, end)}` : `at ${clock(to, end)}`;
}
