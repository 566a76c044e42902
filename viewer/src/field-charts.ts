// Charts of coarse-grained fields along a line, whose frames follow the shown time, and in a single box, over time.

import type { Draft } from "./charts";
import { withoutEmpty } from "./data/fields";
import type { Column, Table } from "./data/table";
import { capital, partsOf } from "./data/units";

/** Columns with the places of cells. */
const PLACES = ["x_m", "y_m", "z_m"];
/** What is offered first; all others follow as in the table. */
const FIRST = ["solid fraction", "velocity", "pressure", "granular temperature"];

/** A chart for each quantity with a curve for each component. */
export function fieldCharts(title: string, { times, columns }: Table): Draft[] {
  const places = PLACES.map((name) => columns.find((column) => column.name === name)?.values ?? new Float64Array());
  const cells = times.findIndex((time) => time !== times[0]);
  const count = cells > 0 ? cells : times.length;
  // A run that goes on may have written a part of a frame.
  const frames = count > 0 ? Math.floor(times.length / count) : 0;
  const axis = places.findIndex((axis) => count > 1 && axis[0] !== axis[1]);
  const density = columns.find(({ name }) => name.startsWith("density"))?.values ?? null;
  const quantities = new Map<string, { unit: string; curves: Draft["curves"] }>();
  const along = axis < 0 ? times.slice(0, frames) : places[axis]!.slice(0, count);
  for (const column of columns) {
    if (column.values === null || PLACES.includes(column.name)) continue;
    const { words, unit } = partsOf(column.name);
    const [, name, part] = / ([xyz]{1,2})$/.test(words) ? /^(.*) ([xyz]{1,2})$/.exec(words)! : ["", words, ""];
    const values = masked(column, density, count, frames);
    if (!values.some((value) => Number.isFinite(value) && value !== 0)) continue;
    const found = quantities.get(name!) ?? { unit, curves: [] };
    found.curves.push({ name: part === "" ? capital(name!) : part!, times: along, values });
    quantities.set(name!, found);
  }
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const sorted = [...quantities].sort(([a], [b]) => rank(a) - rank(b));
  const grid = title.replace(/^fields\//, "");
  return sorted.map(([name, { unit, curves }]) => {
    const label = `${capital(name)}${axis < 0 ? "" : ` along ${"xyz"[axis]}`} (${grid})`;
    const chart: Draft = { id: `${title} ${name}`, label, unit, zero: false, curves };
    const ends = Float64Array.from({ length: frames }, (_, frame) => times[frame * count]!);
    return axis < 0 ? chart : { ...chart, profile: { places: along, times: ends } };
  });
}

/** Without cells that have next to nothing in them, as in pictures of planes. */
function masked(column: Column, density: Float64Array | null, count: number, frames: number): Float64Array {
  const out = column.values!.slice(0, count * frames);
  for (let frame = 0; frame < frames && density !== null; frame += 1) {
    const of = (values: Float64Array) => Float32Array.from(values.subarray(frame * count, (frame + 1) * count));
    withoutEmpty(of(column.values!), of(density)).forEach((value, cell) => {
      if (Number.isNaN(value)) out[frame * count + cell] = NaN;
    });
  }
  return out;
}
