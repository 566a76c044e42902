// Coarse-grained fields of planes and grids: when they have frames, which cells they have, what is where on a plane through them.

import type { Vector } from "../interpolation";

export interface FieldQuantity {
  /** As the files have it, as `granular_temperature`. */
  name: string;
  unit: string;
  /** Names of its components, as `xy`; one, which is empty, for a number. */
  parts: string[];
  /** What it is, in words. */
  what: string;
}

export interface FieldHead {
  name: string;
  /** The lower corner and the sides of a cell, m. */
  low: Vector;
  sides: Vector;
  cells: Vector;
  /** Where the window of each frame begins, and its end, s; the same for an instant. */
  starts: number[];
  times: number[];
  quantities: FieldQuantity[];
  /** Frames that an exported film does not have. */
  leftOut?: number;
  /** It has some of the quantities only. */
  part?: boolean;
}

/** Times that differ by less than this part are the same: a trajectory and fields count steps in two ways. */
const SAME = 1e-9;

/**
 * The frame to show at a time: that whose window has it. After the last one that is the last, since a run that goes on is always
 * later; before the first there is none. Of instants it is the latest.
 */
export function frameAt({ starts, times }: Pick<FieldHead, "starts" | "times">, time: number): number | null {
  const last = times.length - 1;
  if (last < 0) return null;
  const slack = SAME * Math.max(Math.abs(times[last]!), Math.abs(time));
  if (time > times[last]! - slack) return last;
  const next = times.findIndex((end) => time <= end + slack);
  if (time > starts[next]! - slack) return next;
  return starts[next] === times[next] && next > 0 ? next - 1 : null;
}

/** The axes along which there is more than one cell. */
export function resolved({ cells }: Pick<FieldHead, "cells">): number[] {
  return [0, 1, 2].filter((axis) => cells[axis]! > 1);
}

/** The axis across a plane: the one that is not resolved. Null: it is a grid, and planes can be across any axis. */
export function fixedAxis(field: Pick<FieldHead, "cells">): number | null {
  return [0, 1, 2].find((axis) => field.cells[axis] === 1) ?? null;
}

/** One number for each cell: a component, or the size of a vector. */
export function component(values: Float32Array, parts: number, part: number | "size"): Float32Array {
  const count = Math.floor(values.length / parts);
  const out = new Float32Array(count);
  for (let cell = 0; cell < count; cell += 1) {
    const at = cell * parts;
    out[cell] = part === "size" ? Math.hypot(...values.subarray(at, at + parts)) : values[at + part]!;
  }
  return out;
}

/** Cells with less than this part of the largest density are empty, as in reports: there a field is that of the outermost reach of some body. */
const EMPTY = 1e-3;

/** Puts NaN where there is next to nothing. */
export function withoutEmpty(values: Float32Array, density: Float32Array): Float32Array {
  let largest = 0;
  for (const value of density) if (value > largest) largest = value;
  return values.map((value, cell) => (density[cell]! > EMPTY * largest ? value : NaN));
}

/** A plane through the cells: numbers row by row, and where it is. */
export interface Slice {
  width: number;
  height: number;
  values: Float32Array;
  /** The corner of the first number, and the sides of the whole plane, m. */
  corner: Vector;
  across: Vector;
  up: Vector;
}

/** The layer of cells with a number along an axis. */
export function sliceOf({ low, sides, cells }: FieldHead, values: Float32Array, axis: number, layer: number): Slice {
  const [across, up] = ([[1, 2], [0, 2], [0, 1]] as const)[axis]!;
  const [width, height] = [cells[across]!, cells[up]!];
  const stride = [1, cells[0], cells[0] * cells[1]] as const;
  const out = new Float32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      out[row * width + column] = values[layer * stride[axis]! + column * stride[across] + row * stride[up]]!;
    }
  }
  const along = (which: number): Vector =>
    [0, 1, 2].map((i) => (i === which ? sides[which]! * cells[which]! : 0)) as Vector;
  const corner: Vector = [...low];
  corner[axis] = placeOf({ low, sides }, axis, layer);
  return { width, height, values: out, corner, across: along(across), up: along(up) };
}

/** Where the middle of a layer is, m. */
export function placeOf({ low, sides }: Pick<FieldHead, "low" | "sides">, axis: number, layer: number): number {
  return low[axis]! + sides[axis]! * (layer + 0.5);
}
