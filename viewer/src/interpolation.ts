// Bodies between two frames: positions on straight lines, orientations along the shortest turn.
//
// The shader of the spheres does the same for drawing (scene/pose.ts); this is for picking, following and traces.

import { TURN_UNIT } from "./data/format";
import { matchRows, type BodyList, type Frame, type Moment, type Trajectory } from "./data/trajectory";
import { axisBetween } from "./mechanics";

export type Vector = [number, number, number];
/** w, x, y, z */
export type Quaternion = [number, number, number, number];

/** Length of the axes that are periodic, 0 for the others. */
export function periods(periodic: ([number, number] | null)[]): Vector {
  return [0, 1, 2].map((axis) => {
    const ends = periodic[axis] ?? null;
    return ends === null ? 0 : ends[1] - ends[0];
  }) as Vector;
}

/** The shortest way from one place to another where axes are periodic. */
export function shortest(from: number, to: number, period: number): number {
  const way = to - from;
  return period > 0 ? way - period * Math.round(way / period) : way;
}

export function slerp(a: Quaternion, b: Quaternion, mix: number): Quaternion {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(Math.abs(cosine), 1);
  const angle = Math.acos(cosine);
  const sine = Math.sin(angle);
  const [p, q] =
    sine < 1e-3 ? [1 - mix, mix * sign] : [Math.sin((1 - mix) * angle) / sine, (Math.sin(mix * angle) / sine) * sign];
  return unit([a[0] * p + b[0] * q, a[1] * p + b[1] * q, a[2] * p + b[2] * q, a[3] * p + b[3] * q]);
}

/** A vector turned by a unit quaternion. */
export function turn([w, x, y, z]: Quaternion, [a, b, c]: Vector): Vector {
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

function unit(q: Quaternion): Quaternion {
  const norm = Math.hypot(...q);
  return norm > 0 ? [q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm] : [1, 0, 0, 0];
}

/** The bodies at a moment. Rows are those of the list of frame `a`. */
export class Instant {
  readonly moment: Moment;
  readonly list: BodyList;
  readonly a: Frame;
  readonly b: Frame;
  readonly #period: Vector;
  /** Where the bodies of `a` are in `b`, if the lists are not the same. */
  readonly rows: Int32Array | null;

  constructor(trajectory: Trajectory, moment: Moment, rows: RowMatcher) {
    this.moment = moment;
    this.a = trajectory.frame(moment.a);
    this.b = trajectory.frame(moment.b);
    this.list = trajectory.list(this.a.list);
    this.rows = rows.between(trajectory, this.a.list, this.b.list);
    this.#period = periods(trajectory.header!.periodic);
  }

  get time(): number {
    return this.a.time + (this.b.time - this.a.time) * this.moment.mix;
  }

  position(row: number): Vector {
    const other = this.#other(row);
    return [0, 1, 2].map((axis) => {
      const from = this.a.positions[3 * row + axis]!;
      return other < 0
        ? from
        : from + shortest(from, this.b.positions[3 * other + axis]!, this.#period[axis]!) * this.moment.mix;
    }) as Vector;
  }

  orientation(row: number): Quaternion {
    const other = this.#other(row);
    const from = orientationOf(this.a, row);
    return other < 0 ? from : slerp(from, orientationOf(this.b, other), this.moment.mix);
  }

  scalar(array: "speeds" | "spins", row: number): number {
    const other = this.#other(row);
    const from = this.a[array][row]!;
    return other < 0 ? from : from + (this.b[array][other]! - from) * this.moment.mix;
  }

  /** K; null where there is no heat. */
  temperature(row: number): number | null {
    return this.#optional("temperatures", row);
  }

  /** m³; null where there is no liquid. */
  film(row: number): number | null {
    return this.#optional("films", row);
  }

  #optional(array: "temperatures" | "films", row: number): number | null {
    const other = this.#other(row);
    const [from, to] = [this.a[array]?.[row], this.b[array]?.[other]];
    if (from === undefined) return null;
    return to === undefined ? from : from + (to - from) * this.moment.mix;
  }

  /** m/s. Older files tell only speeds; then it is the mean from one frame to the next, and null where there is none. */
  velocity(row: number): { vector: Vector; mean: boolean } | null {
    const other = this.#other(row);
    const { a, b, moment } = this;
    if (a.headings !== null && b.headings !== null) {
      const from = scaled(directionOf(a.headings, row), a.speeds[row]!);
      const to = other < 0 ? from : scaled(directionOf(b.headings, other), b.speeds[other]!);
      return { vector: from.map((part, i) => part + (to[i]! - part) * moment.mix) as Vector, mean: false };
    }
    const span = b.time - a.time;
    if (other < 0 || span <= 0) return null;
    const vector = [0, 1, 2].map((axis) => {
      const from = a.positions[3 * row + axis]!;
      return shortest(from, b.positions[3 * other + axis]!, this.#period[axis]!) / span;
    }) as Vector;
    return { vector, mean: true };
  }

  /** The axis of the turn from one frame to the other, in the axes of the body. */
  turnAxis(row: number): Vector | null {
    const other = this.#other(row);
    return other < 0 ? null : axisBetween(orientationOf(this.a, row), orientationOf(this.b, other));
  }

  rowOf(id: number): number {
    return this.list.ids.indexOf(id);
  }

  #other(row: number): number {
    return this.rows === null ? row : this.rows[row]!;
  }
}

/** Remembers the last comparison of two lists: it is asked for the same one at every picture. */
export class RowMatcher {
  #from = -1;
  #to = -1;
  #rows: Int32Array | null = null;

  between(trajectory: Trajectory, from: number, to: number): Int32Array | null {
    if (from === to) return null;
    if (from !== this.#from || to !== this.#to) {
      [this.#from, this.#to] = [from, to];
      this.#rows = matchRows(trajectory.list(from), trajectory.list(to));
    }
    return this.#rows;
  }
}

/** A direction from its point on an octahedron that is unfolded to a square: docs/book/src/results.md. */
export function directionOf(headings: Int16Array, row: number): Vector {
  let [x, y] = [headings[2 * row]! / TURN_UNIT, headings[2 * row + 1]! / TURN_UNIT];
  const z = 1 - Math.abs(x) - Math.abs(y);
  if (z < 0) [x, y] = [(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1)];
  return scaled([x, y, z], 1 / Math.hypot(x, y, z));
}

function scaled(vector: Vector, by: number): Vector {
  return vector.map((part) => part * by) as Vector;
}

function orientationOf(frame: Frame, row: number): Quaternion {
  const [w, x, y, z] = frame.orientations.subarray(4 * row, 4 * row + 4);
  return unit([w! / TURN_UNIT, x! / TURN_UNIT, y! / TURN_UNIT, z! / TURN_UNIT]);
}
