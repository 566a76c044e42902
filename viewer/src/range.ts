// The range of values that a map of colours spreads over.
//
// A few fast bodies must not take up the map, so that ranges end at percentiles. And what is slow throughout, as a bed
// that has come to rest, must not have one colour: where the range of the run would make it so, that of the frame is
// taken instead, by powers of ten where most values are far below the highest. The legend says which.

import type { Colouring } from "./colouring";
import type { Trajectory } from "./data/trajectory";
import { spread } from "./numbers";

export interface Range {
  low: number;
  high: number;
  /** Some values are lower. */
  undercut: boolean;
  /** Some values are higher. */
  exceeded: boolean;
  /** Colours go with the logarithm. */
  log: boolean;
  /** Where it is from, in words; empty where there is nothing to say. */
  from: string;
}

/** How a range is found: by itself, over the whole run, at this instant, or as set by hand. */
export type RangeMode = "auto" | "run" | "frame" | "fixed";

export interface Percentiles {
  low: number;
  high: number;
  words: string;
}

export const RUN: Percentiles = { low: 0.005, high: 0.995, words: "whole run, 0.5 to 99.5\u00a0%" };
export const FRAME: Percentiles = { low: 0.02, high: 0.98, words: "this frame, 2 to 98\u00a0%" };
const REST = { ...FRAME, words: "this frame (slow for this run), 2 to 98\u00a0%" };
/** Amounts begin at zero, unless nearly all are above this part of the highest: then zero would take up the map. */
const NARROW = 0.5;
/** A frame that stays within this part of the run's range would have one colour. */
const ONE_COLOUR = 0.06;
/** A frame half of whose values are below this part of the highest is shown by powers of ten, but not by more than four. */
const SKEWED = 0.1;
const DEEPEST = 1e-4;
const FRAMES = 40;
const ROWS = 2500;

/** Remembers ranges: they are asked for at every picture. */
export class Ranges {
  readonly #trajectory: Trajectory;
  readonly #runs = new Map<string, { frames: number; range: Range }>();
  #frame = { key: "", values: [] as number[] };

  constructor(trajectory: Trajectory) {
    this.#trajectory = trajectory;
  }

  of(colouring: Colouring, mode: "auto" | "run" | "frame", frame: number): Range {
    // Numbers of bodies are no amounts.
    if (colouring.unit === "") return this.#run(colouring);
    if (mode === "run") return this.#run(colouring);
    const values = this.#values(colouring, frame);
    if (mode === "frame") return frameRange(values, FRAME);
    const run = this.#run(colouring);
    const most = values[Math.ceil((values.length - 1) * FRAME.high)] ?? 0;
    const slow = most > 0 && most < run.low + ONE_COLOUR * (run.high - run.low);
    return slow ? frameRange(values, REST) : run;
  }

  #run(colouring: Colouring): Range {
    const known = this.#runs.get(colouring.name);
    const { length } = this.#trajectory;
    // A live run is looked at again when it has become much longer.
    if (known !== undefined && length < known.frames * 1.25) return known.range;
    const range = runRange(colouring, this.#trajectory);
    this.#runs.set(colouring.name, { frames: length, range });
    return range;
  }

  /** In ascending order. */
  #values(colouring: Colouring, frame: number): number[] {
    const key = `${colouring.name} ${frame}`;
    if (key !== this.#frame.key) {
      const values = valuesOf(colouring, this.#trajectory, frame).sort((a, b) => a - b);
      this.#frame = { key, values };
    }
    return this.#frame.values;
  }
}

/** From frames that are spread over the run. */
export function runRange(colouring: Colouring, trajectory: Trajectory): Range {
  const frames = spread(trajectory.length, FRAMES);
  const values = frames.flatMap((frame) => valuesOf(colouring, trajectory, frame)).sort((a, b) => a - b);
  if (colouring.unit !== "") return rangeOf(values, RUN);
  const [low, high] = [values[0] ?? 0, values[values.length - 1] ?? 1];
  return { low, high: high > low ? high : low + 1, undercut: false, exceeded: false, log: false, from: "" };
}

/** Of amounts in ascending order, of one frame. */
export function frameRange(values: number[], parts: Percentiles): Range {
  const range = rangeOf(values, parts);
  const last = values.length - 1;
  const middle = values[Math.floor(last / 2)] ?? 0;
  if (!(middle < SKEWED * range.high) || !(middle > 0)) return range;
  const low = Math.max(values[Math.ceil(last * parts.low)]!, range.high * DEEPEST);
  return { ...range, low, undercut: values[0]! < low, log: true, from: `${parts.words}; logarithmic` };
}

/** Of the magnitudes of contact forces over the run, N. */
export function forceScale(trajectory: Trajectory): number {
  const sizes = spread(trajectory.length, FRAMES).flatMap((number) => {
    const { contactForces: f, contacts } = trajectory.frame(number);
    return spread(contacts, ROWS).map((row) => Math.hypot(f[3 * row]!, f[3 * row + 1]!, f[3 * row + 2]!));
  });
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor((sizes.length - 1) * RUN.high)] ?? 0;
}

/** Of amounts in ascending order. */
export function rangeOf(values: number[], parts: Percentiles): Range {
  const last = values.length - 1;
  const [least, most] = [values[0] ?? 0, values[last] ?? 1];
  const high = values[Math.ceil(last * parts.high)] ?? 1;
  const low = values[Math.floor(last * parts.low)] ?? 0;
  const from = low > NARROW * high && high > low ? low : 0;
  const ends = { low: from, high: high > from ? high : from + 1 };
  return { ...ends, undercut: least < from, exceeded: most > high, log: false, from: parts.words };
}

function valuesOf(colouring: Colouring, trajectory: Trajectory, number: number): number[] {
  const frame = trajectory.frame(number);
  const list = trajectory.list(frame.list);
  return spread(frame.bodies, ROWS).map((row) => colouring.value(frame, row, list, row)).filter(Number.isFinite);
}
