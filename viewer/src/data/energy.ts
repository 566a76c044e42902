// energy.csv as curves for the plot.

export interface Curve {
  name: string;
  values: Float64Array;
}

export interface Energy {
  times: Float64Array;
  curves: Curve[];
}

/** What is drawn, and the columns each curve is the sum of. */
const CURVES: [string, string[]][] = [
  ["Translational", ["translational_J"]],
  ["Rotational", ["rotational_J"]],
  ["Gravitational", ["gravitational_J"]],
  ["Elastic", ["elastic_normal_J", "elastic_tangential_J", "elastic_rolling_J"]],
  ["Lost", ["normal_damping_J", "tangential_damping_J", "sliding_J", "rolling_J", "separation_J", "drag_J"]],
  ["Mechanical", ["mechanical_J"]],
];

/** Reads the file; a last line without its end, of a run that is going on, is left out. */
export function readEnergy(text: string): Energy {
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  const names = (lines[0] ?? "").trim().split(",");
  const rows = lines.slice(1).filter((line) => line !== "");
  const column = (name: string) => names.indexOf(name);
  if (column("time_s") < 0) throw new Error("the first line names no column `time_s`.");
  const times = new Float64Array(rows.length);
  const curves = CURVES.map(([name, parts]) => ({ name, parts: parts.map(column).filter((at) => at >= 0) }))
    .filter(({ parts }) => parts.length > 0)
    .map(({ name, parts }) => ({ name, parts, values: new Float64Array(rows.length) }));
  rows.forEach((line, row) => {
    const cells = line.split(",");
    if (cells.length !== names.length) {
      throw new Error(`line ${row + 2} has ${cells.length} entries, and the first line names ${names.length}.`);
    }
    times[row] = Number(cells[column("time_s")]);
    for (const { parts, values } of curves) values[row] = parts.reduce((sum, part) => sum + Number(cells[part]), 0);
  });
  const shown = curves.filter(({ values }) => values.some((value) => value !== 0));
  return { times, curves: shown.map(({ name, values }) => ({ name, values })) };
}

/** The row at or before a time. */
export function rowAt(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! > time) high = middle;
    else low = middle + 1;
  }
  return Math.max(low - 1, 0);
}
