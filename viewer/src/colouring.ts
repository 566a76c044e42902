// What bodies can be coloured by: one list, from which menu, shortcuts, legend and shader values are made.

import type { Header } from "./data/format";
import type { BodyList, Frame, Trajectory } from "./data/trajectory";
import { massOf } from "./mechanics";

export interface Colouring {
  name: string;
  label: string;
  /** Amounts have a range and a smooth map, kinds have names and a palette. */
  kind: "amount" | "kind";
  unit: string;
  /**
   * A number in the unit, or the number of a kind, for a row of a frame. The body is in a row of its own in the list,
   * which may be that of another frame.
   */
  value(frame: Frame, row: number, list: BodyList, body: number): number;
  /** Names of the kinds. */
  names?: (header: Header) => string[];
}

export interface Range {
  low: number;
  high: number;
  /** Some values are higher. */
  exceeded: boolean;
}

/** How the range of a map is found: over the whole run, at this instant, or as set by hand. */
export type RangeMode = "run" | "frame" | "fixed";

/** Amounts above this part of all are shown like those at it, so that a few fast bodies do not take up the map. */
const QUANTILE = 0.995;
const FRAMES = 40;
const ROWS = 2500;

/** Energies need masses, which not every file has; without them they are per mass. */
export function colourings(header: Header): Colouring[] {
  const massive = header.densities !== undefined && header.templates.every(({ volume }) => volume !== undefined);
  return [
    { name: "speed", label: "Speed", kind: "amount", unit: "m/s", value: (frame, row) => frame.speeds[row]! },
    { name: "spin", label: "Spin", kind: "amount", unit: "rad/s", value: (frame, row) => frame.spins[row]! },
    {
      name: "energy",
      label: massive ? "Translational energy" : "Translational energy per mass",
      kind: "amount",
      unit: massive ? "J" : "J/kg",
      value: (frame, row, list, body) => 0.5 * frame.speeds[row]! ** 2 * (massive ? massOf(header, list, body)! : 1),
    },
    {
      name: "material",
      label: "Material",
      kind: "kind",
      unit: "",
      value: (_frame, _row, list, body) => list.kinds[2 * body + 1]!,
      names: (header) => header.materials,
    },
    {
      name: "template",
      label: "Shape",
      kind: "kind",
      unit: "",
      value: (_frame, _row, list, body) => list.kinds[2 * body]!,
      names: (header) => header.templates.map(({ name }) => name),
    },
    { name: "id", label: "Body number", kind: "amount", unit: "", value: (_frame, _row, list, body) => list.ids[body]! },
  ];
}

export function frameRange(colouring: Colouring, trajectory: Trajectory, frame: number): Range {
  return rangeOf(valuesOf(colouring, trajectory, frame), colouring, 1);
}

/** From frames that are spread over the run. */
export function runRange(colouring: Colouring, trajectory: Trajectory): Range {
  const frames = spread(trajectory.length, FRAMES);
  return rangeOf(frames.flatMap((frame) => valuesOf(colouring, trajectory, frame)), colouring, QUANTILE);
}

/** Of the magnitudes of contact forces over the run, N. */
export function forceScale(trajectory: Trajectory): number {
  const sizes = spread(trajectory.length, FRAMES).flatMap((number) => {
    const { contactForces: f, contacts } = trajectory.frame(number);
    return spread(contacts, ROWS).map((row) => Math.hypot(f[3 * row]!, f[3 * row + 1]!, f[3 * row + 2]!));
  });
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor((sizes.length - 1) * QUANTILE)] ?? 0;
}

function valuesOf(colouring: Colouring, trajectory: Trajectory, number: number): number[] {
  const frame = trajectory.frame(number);
  const list = trajectory.list(frame.list);
  return spread(frame.bodies, ROWS).map((row) => colouring.value(frame, row, list, row)).filter(Number.isFinite);
}

function rangeOf(values: number[], colouring: Colouring, quantile: number): Range {
  values.sort((a, b) => a - b);
  const top = values[values.length - 1] ?? 1;
  const high = colouring.unit === "" ? top : (values[Math.ceil((values.length - 1) * quantile)] ?? 1);
  // Amounts begin at zero, numbers of bodies at the first.
  const low = colouring.unit === "" ? (values[0] ?? 0) : 0;
  return { low, high: high > low ? high : low + 1, exceeded: top > high };
}

/** So many whole numbers below a limit, evenly spread, the first and the last among them. */
function spread(limit: number, most: number): number[] {
  const count = Math.min(limit, most);
  return Array.from({ length: count }, (_, i) => (count > 1 ? Math.round((i * (limit - 1)) / (count - 1)) : 0));
}
