// Where and when bonds broke: bonds.csv.

import { readTable } from "./table";

export interface Breakages {
  /** In ascending order, s. */
  times: Float64Array;
  /** x, y and z of each, m. */
  places: Float32Array;
  /** Of each, the number of its mode. */
  modes: Uint8Array;
  /** Names of modes, in the order in which they came, so that those of a run that goes on keep their colours. */
  names: string[];
}

/** Null if the table is not one of bonds. */
export function readBreakages(text: string): Breakages | null {
  const table = readTable(text);
  const numbers = (name: string) => table?.columns.find((column) => column.name === name)?.values ?? null;
  const modes = table?.columns.find(({ name }) => name === "mode")?.texts ?? [];
  const axes = ["x_m", "y_m", "z_m"].map(numbers);
  if (table === null || axes.some((axis) => axis === null)) return null;
  const names = [...new Set(modes)];
  return {
    times: table.times,
    places: Float32Array.from({ length: 3 * modes.length }, (_, i) => axes[i % 3]![Math.floor(i / 3)]!),
    modes: Uint8Array.from(modes, (mode) => names.indexOf(mode)),
    names,
  };
}

/** How many had broken at a time, of each mode. */
export function brokenAt({ times, modes, names }: Breakages, time: number): number[] {
  const counts = names.map(() => 0);
  for (let row = 0; row < times.length && times[row]! <= time; row += 1) counts[modes[row]!]! += 1;
  return counts;
}
