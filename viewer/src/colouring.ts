// What bodies can be coloured by: one list, from which menu, shortcuts, legend and shader values are made.

import type { BodyList, Frame, Occurring, Trajectory } from "./data/trajectory";
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
  /** Names of the kinds that occur, by their numbers. */
  names?: () => string[];
}

/** In a cubic metre. */
export const CUBIC_MILLIMETRES = 1e9;

/** Energies need masses, which not every file has; without them they are per mass. */
export function colourings(trajectory: Trajectory): Colouring[] {
  const header = trajectory.header!;
  const { materials, templates } = trajectory;
  const massive = header.densities !== undefined && header.templates.every(({ volume }) => volume !== undefined);
  const warm = header.arrays.some(({ name }) => name === "temperatures");
  const wet = header.arrays.some(({ name }) => name === "films");
  const film: Colouring = {
    name: "film",
    label: "Liquid film",
    kind: "amount",
    unit: "mm³",
    value: (frame, row) => (frame.films?.[row] ?? 0) * CUBIC_MILLIMETRES,
  };
  const temperature: Colouring = {
    name: "temperature",
    label: "Temperature",
    kind: "amount",
    unit: "K",
    value: (frame, row) => frame.temperatures?.[row] ?? 0,
  };
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
      value: (_frame, _row, list, body) => materials.get(list.kinds[2 * body + 1]!) ?? 0,
      names: () => namesOf(materials, header.materials),
    },
    {
      name: "template",
      label: "Shape",
      kind: "kind",
      unit: "",
      value: (_frame, _row, list, body) => templates.get(list.kinds[2 * body]!) ?? 0,
      names: () => namesOf(templates, header.templates.map(({ name }) => name)),
    },
    { name: "id", label: "Body number", kind: "amount", unit: "", value: (_frame, _row, list, body) => list.ids[body]! },
    ...(warm ? [temperature] : []),
    ...(wet ? [film] : []),
  ];
}

function namesOf(occurring: Occurring, names: string[]): string[] {
  return [...occurring.keys()].map((kind) => names[kind] ?? `number ${kind}`);
}
