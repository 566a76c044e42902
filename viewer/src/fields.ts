// Which coarse-grained field is shown, in which colours, at which time: what is chosen, and the numbers that are there for it.
//
// Numbers are asked for when they are to be shown, and come later. Until then the last ones stay, and the panel says whose they are.

import { AMOUNTS, SIGNED } from "./colour";
import {
  component, fixedAxis, frameAt, placeOf, resolved, sliceOf, withoutEmpty, type FieldHead, type FieldQuantity, type Slice,
} from "./data/fields";
import { unitOf } from "./data/units";
import { spread } from "./numbers";
import { RUN, FRAME, rangeOf, type Percentiles, type Range } from "./range";

export type FieldRangeMode = "run" | "frame" | "fixed";
/** A number of a component, or the size of a vector. */
export type Part = number | "size";

/** What is drawn. */
export interface ShownField {
  slice: Slice;
  range: Range;
  map: readonly string[];
  /** Of the head's frames. */
  frame: number;
}

/** Frames that the range of a run is made of; and how many arrays are kept. */
const SAMPLES = 12;
const KEPT = 64;
/** Of grids with more cells than this the range is made of fewer frames; and of each frame of so many numbers. */
const MANY = 100_000;
const FEW = 3;
const NUMBERS = 20_000;
/** What is below zero by less than this part of what is above is rounding, and the amount has no sign. */
const UNSIGNED = 0.02;
/** What is shown first, if it is there. */
const FIRST = "solid_fraction";

export class Fields {
  shown = false;
  opacity = 0.9;
  rangeMode: FieldRangeMode = "run";
  /** Layer of cells that is shown of a grid, across this axis. */
  axis = 1;
  layer = 0;
  #heads: FieldHead[] = [];
  #name = "";
  #quantity = "";
  #part: Part = 0;
  #fixed = { low: 0, high: 1 };
  #arrays = new Map<string, Float32Array | "asked">();
  #runs = new Map<string, { frames: number; range: Range }>();
  #last: ShownField | null = null;
  #cut: { values: Float32Array; axis: number; layer: number; slice: Slice } | null = null;
  readonly #ask: (name: string, frame: number, quantity: string) => Promise<Float32Array>;
  readonly #arrived: () => void;
  readonly #warn: (message: string) => void;

  constructor(
    ask: (name: string, frame: number, quantity: string) => Promise<Float32Array>,
    arrived: () => void,
    warn: (message: string) => void,
  ) {
    this.#ask = ask;
    this.#arrived = arrived;
    this.#warn = warn;
  }

  get heads(): readonly FieldHead[] {
    return this.#heads;
  }

  get head(): FieldHead | null {
    return this.#heads.find(({ name }) => name === this.#name) ?? null;
  }

  get quantity(): FieldQuantity | null {
    return this.head?.quantities.find(({ name }) => name === this.#quantity) ?? null;
  }

  get unit(): string {
    return unitOf(this.quantity?.unit ?? "");
  }

  /** Takes what there is by now: the same fields with more frames, or others. */
  offer(heads: FieldHead[], warm: boolean): void {
    const kept = (quantity: FieldQuantity) => warm || quantity.name !== "temperature";
    const usable = heads.filter((head) => resolved(head).length >= 2);
    this.#heads = usable.map((head) => ({ ...head, quantities: head.quantities.filter(kept) }));
    if (this.head === null) this.choose(this.#heads[0]?.name ?? "");
  }

  choose(name: string): void {
    this.#name = name;
    const { head } = this;
    if (head === null) return;
    this.axis = fixedAxis(head) ?? this.axis;
    this.layer = Math.floor(head.cells[this.axis]! / 2);
    const known = head.quantities.some((quantity) => quantity.name === this.#quantity);
    const first = head.quantities.find((quantity) => quantity.name === FIRST) ?? head.quantities[0];
    if (!known) this.of(first?.name ?? "");
    this.#last = null;
  }

  /** Another quantity: of vectors the size at first. */
  of(quantity: string): void {
    if (this.head?.quantities.every(({ name }) => name !== quantity) ?? true) return;
    this.#quantity = quantity;
    this.part = this.quantity?.parts.length === 3 ? "size" : 0;
  }

  get part(): Part {
    return this.#part;
  }

  /** A range typed in for something else is none for this. */
  set part(part: Part) {
    this.#part = part;
    this.#last = null;
    if (this.rangeMode === "fixed") this.rangeMode = "run";
  }

  /** Across which axis a grid is cut. */
  across(axis: number): void {
    this.axis = axis;
    this.layer = Math.floor((this.head?.cells[axis] ?? 1) / 2);
  }

  range(mode: FieldRangeMode, fixed: { low: number; high: number } | null = null): void {
    if (mode === "fixed") this.#fixed = fixed ?? (this.#last === null ? this.#fixed : { low: this.#last.range.low, high: this.#last.range.high });
    this.rangeMode = mode;
  }

  /** Where the plane is along its axis, m. */
  get place(): number {
    return this.head === null ? 0 : placeOf(this.head, this.axis, this.layer);
  }

  /** What is to be drawn at a time; null if nothing is to be, or is there yet. */
  at(time: number): ShownField | null {
    const { head, quantity } = this;
    const frame = head === null || !this.shown ? null : frameAt(head, time);
    if (head === null || quantity === null || frame === null) return (this.#last = null);
    const values = this.#values(head, quantity, frame);
    // The one before, as long as it is of the same kind.
    if (values === null) return this.#last;
    const range = this.#rangeAt(head, quantity, values);
    const map = range.low < 0 ? SIGNED : AMOUNTS;
    return (this.#last = { slice: this.#sliceOf(head, values), range, map, frame });
  }

  /** The same one as long as nothing changes: it is drawn at every picture. */
  #sliceOf(head: FieldHead, values: Float32Array): Slice {
    const { axis, layer } = this;
    const same = this.#cut?.values === values && this.#cut.axis === axis && this.#cut.layer === layer;
    if (!same) this.#cut = { values, axis, layer, slice: sliceOf(head, values, axis, layer) };
    return this.#cut!.slice;
  }

  #rangeAt(head: FieldHead, quantity: FieldQuantity, values: Float32Array): Range {
    const plain = { undercut: false, exceeded: false, log: false, from: "" };
    if (this.rangeMode === "fixed") return { ...plain, ...this.#fixed, undercut: true, exceeded: true };
    const own = () => fieldRange([values], FRAME);
    if (this.rangeMode === "frame") return own();
    const key = `${head.name} ${quantity.name} ${this.part}`;
    const known = this.#runs.get(key);
    if (known !== undefined && head.times.length < known.frames * 1.25) return known.range;
    const cells = head.cells[0] * head.cells[1] * head.cells[2];
    const sampled = spread(head.times.length, cells > MANY ? FEW : SAMPLES).map((frame) => this.#values(head, quantity, frame));
    // Until all are there, that of the frame, or of the run as it was known.
    if (sampled.some((one) => one === null)) return known?.range ?? own();
    const range = fieldRange(sampled as Float32Array[], RUN);
    this.#runs.set(key, { frames: head.times.length, range });
    return range;
  }

  /** A number for each cell, or null as long as it is not there. */
  #values(head: FieldHead, quantity: FieldQuantity, frame: number): Float32Array | null {
    const key = `${head.name} ${frame} ${head.times[frame]} ${quantity.name} ${this.part}`;
    const known = this.#arrays.get(key);
    if (known !== undefined && known !== "asked") return known;
    const all = this.#array(head, frame, quantity.name);
    const density = this.#array(head, frame, "density");
    if (all === null || density === null) return null;
    const values = withoutEmpty(component(all, quantity.parts.length, this.part), density);
    this.#keep(key, values);
    return values;
  }

  #array(head: FieldHead, frame: number, name: string): Float32Array | null {
    const key = `${head.name} ${frame} ${head.times[frame]} ${name}`;
    const known = this.#arrays.get(key);
    if (known !== undefined) return known === "asked" ? null : known;
    this.#keep(key, "asked");
    const quantity = head.quantities.find((one) => one.name === name);
    const cells = head.cells[0] * head.cells[1] * head.cells[2];
    this.#ask(head.name, frame, name)
      .then((values) => {
        const expected = cells * (quantity?.parts.length ?? 1);
        if (values.length !== expected) throw new Error(`There are ${values.length} numbers of ${name} and not ${expected}.`);
        this.#keep(key, values);
      })
      .catch((error: Error) => {
        // It stays away: asking again and again would not help.
        this.#keep(key, new Float32Array(cells * (quantity?.parts.length ?? 1)).fill(NaN));
        this.#warn(`fields of ${head.name}: ${error.message}`);
      })
      .finally(() => this.#arrived());
    return null;
  }

  #keep(key: string, values: Float32Array | "asked"): void {
    this.#arrays.delete(key);
    this.#arrays.set(key, values);
    while (this.#arrays.size > KEPT) this.#arrays.delete(this.#arrays.keys().next().value!);
  }
}

/** Of the numbers of frames. Amounts with a sign have a range that is the same on both sides of zero, so that white is zero. */
export function fieldRange(frames: Float32Array[], parts: Percentiles): Range {
  const of = (frame: Float32Array) => spread(frame.length, NUMBERS).map((cell) => frame[cell]!).filter(Number.isFinite);
  const values = frames.flatMap(of).sort((a, b) => a - b);
  const at = (part: number) => values[Math.round((values.length - 1) * part)] ?? 0;
  const [low, high] = [at(parts.low), at(parts.high)];
  // Nor is what is below zero by as little.
  const range = rangeOf(values, parts);
  if (low >= -UNSIGNED * Math.abs(high)) return { ...range, undercut: range.undercut && range.low > 0 };
  const size = Math.max(-low, high);
  const [least, most] = [values[0]!, values[values.length - 1]!];
  return { low: -size, high: size, undercut: least < -size, exceeded: most > size, log: false, from: parts.words };
}
