// The path of one body through the whole run; what is still to come is drawn fainter.

import type { Trajectory } from "../data/trajectory";
import { periods, shortest, type Vector } from "../interpolation";
import { type Look, linear } from "./look";
import { Segments } from "./segments";

interface Step {
  from: Vector;
  to: Vector;
  /** When it begins, s. */
  time: number;
}

export class Trace {
  readonly #segments = new Segments(true);
  readonly mesh = this.#segments.mesh;
  #steps: Step[] = [];
  #id: number | null = null;
  #frames = 0;
  #colour: [number, number, number] = [1, 1, 1];

  get count(): number {
    return this.#segments.count;
  }

  resize(width: number, height: number, ratio: number): void {
    this.#segments.resize(width, height, ratio);
  }

  dress(look: Look): void {
    this.#colour = linear(look.trace);
  }

  show(trajectory: Trajectory, id: number | null, time: number): void {
    if (id !== this.#id) [this.#id, this.#frames, this.#steps] = [id, 0, []];
    if (id !== null && this.#frames < trajectory.length) this.#gather(trajectory, id);
    this.#segments.show(this.#steps.length, (number) => {
      const step = this.#steps[number]!;
      const past = step.time <= time;
      return { from: step.from, to: step.to, width: past ? 2.4 : 1.4, colour: [...this.#colour, past ? 1 : 0.35] };
    });
  }

  #gather(trajectory: Trajectory, id: number): void {
    this.#steps = pathOf(trajectory, id);
    this.#frames = trajectory.length;
  }
}

/** Where a body goes, from frame to frame; ways out of one side of a periodic box and in at the other are left out. */
export function pathOf(trajectory: Trajectory, id: number): Step[] {
  const period = periods(trajectory.header!.periodic);
  const steps: Step[] = [];
  let [list, row] = [-1, -1];
  let before: { place: Vector; time: number } | null = null;
  for (let number = 0; number < trajectory.length; number += 1) {
    const frame = trajectory.frame(number);
    if (frame.list !== list) [list, row] = [frame.list, trajectory.list(frame.list).ids.indexOf(id)];
    const place = row < 0 ? null : ([...frame.positions.subarray(3 * row, 3 * row + 3)] as Vector);
    if (place !== null && before !== null) {
      const { place: from, time } = before;
      const jumps = place.some((x, axis) => Math.abs(shortest(from[axis]!, x, period[axis]!) - (x - from[axis]!)) > 1e-9);
      if (!jumps) steps.push({ from, to: place, time });
    }
    before = place === null ? null : { place, time: frame.time };
  }
  return steps;
}
