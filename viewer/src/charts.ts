// What can be plotted: charts made of the tables over time that a run writes.
//
// energy.csv has a chart of its own. Of any other table, columns with the same unit are the curves of one chart; where a
// column of texts tells rows apart, as the names of walls do, each quantity is a chart with a curve for each name.

import { readTable, type Column, type Table } from "./data/table";
import { capital, partsOf } from "./data/units";
import { fieldCharts } from "./field-charts";

export interface Curve {
  name: string;
  times: Float64Array;
  values: Float64Array;
  /** The sum of the others, which stands out. */
  sum?: boolean;
  /** It stays as it is from one of its times to the next. */
  steps?: boolean;
}

/** Along a line: the times of curves are places on it, and their values those of one frame after the other. */
export interface Profile {
  /** Places, m. */
  places: Float64Array;
  /** Of frames, s. */
  times: Float64Array;
}

export interface Chart {
  /** Of this table. */
  table: string;
  /** Tells charts apart, also after more of the table has been read. */
  id: string;
  label: string;
  unit: string;
  /** The axis begins at zero. */
  zero: boolean;
  curves: Curve[];
  profile?: Profile;
}

/** What is drawn of the energies, and the columns each curve is the sum of. */
const ENERGIES: [string, string[]][] = [
  ["Translational", ["translational_J"]],
  ["Rotational", ["rotational_J"]],
  ["Gravitational", ["gravitational_J"]],
  ["Elastic", ["elastic_normal_J", "elastic_tangential_J", "elastic_rolling_J"]],
  ["Lost", ["normal_damping_J", "tangential_damping_J", "sliding_J", "rolling_J", "separation_J", "drag_J"]],
  ["Mechanical", ["mechanical_J"]],
];

/** The charts of a table; none if it is not over time. */
export function chartsOf(name: string, text: string): Chart[] {
  const table = readTable(text);
  if (table === null) return [];
  const title = name.replace(/\.csv$/, "");
  const charts = chartsOfTable(title, table);
  return charts.filter(({ curves }) => curves.length > 0).map((chart) => ({ ...chart, table: title }));
}

export type Draft = Omit<Chart, "table">;

function chartsOfTable(title: string, table: Table): Draft[] {
  if (title === "energy") return [energyChart(table)];
  if (title === "bonds") return [brokenChart(table)];
  return title.startsWith("fields/") ? fieldCharts(title, table) : otherCharts(title, table);
}

/** How many bonds have broken, of each mode and in all. */
function brokenChart({ times, columns }: Table): Draft {
  const modes = columns.find(({ name }) => name === "mode")?.texts ?? [];
  const curve = (name: string, rows: number[]) => ({
    name: capital(name),
    times: Float64Array.from([-Infinity, ...rows.map((row) => times[row]!)]),
    values: Float64Array.from([0, ...rows], (_, broken) => broken),
    steps: true,
  });
  const rows = [...modes.keys()];
  const each = [...new Set(modes)].map((mode) => curve(mode, rows.filter((row) => modes[row] === mode)));
  const all = each.length > 1 ? [{ ...curve("all", rows), sum: true }] : [];
  return { id: "bonds", label: "Broken bonds", unit: "", zero: true, curves: [...each, ...all] };
}

function energyChart({ times, columns }: Table): Draft {
  const curves = ENERGIES.map(([name, parts]) => {
    const found = columns.filter((column) => parts.includes(column.name) && column.values !== null);
    const values = times.map((_, row) => found.reduce((sum, column) => sum + column.values![row]!, 0));
    return { name, times, values, sum: name === "Mechanical" };
  });
  const shown = curves.filter(({ values }) => values.some((value) => value !== 0));
  return { id: "energy", label: "Energy", unit: "J", zero: true, curves: shown };
}

function otherCharts(title: string, { times, columns }: Table): Draft[] {
  const key = columns.find(({ texts }) => texts !== null);
  const amounts = withMagnitudes(columns.filter(({ values }) => values !== null));
  return key === undefined ? chartsByUnit(title, times, amounts) : chartsByQuantity(title, times, amounts, key.texts!);
}

/** A chart for each unit of each measure, a curve for each column. What is before a point names the measure. */
function chartsByUnit(title: string, times: Float64Array, columns: Column[]): Draft[] {
  const parts = columns.map(({ name, values }) => {
    const point = name.indexOf(".");
    const measure = point > 0 ? name.slice(0, point) : "";
    return { measure, values: values!, ...partsOf(point > 0 ? name.slice(point + 1) : name) };
  });
  const keys = [...new Set(parts.map(({ measure, unit }) => `${measure} ${unit}`))];
  return keys.map((key) => {
    const same = parts.filter(({ measure, unit }) => `${measure} ${unit}` === key);
    const { measure, unit } = same[0]!;
    const curves = same.map(({ words, values }) => ({ name: capital(words), ...known(times, values) }));
    const of = capital(measure === "" ? title : measure);
    const whole = `${of}, ${unit === "" ? "numbers" : unit}`;
    const alone = measure === "" ? curves[0]!.name : `${of}: ${same[0]!.words}`;
    return { id: `${title} ${key}`, label: curves.length === 1 ? alone : whole, unit, zero: false, curves };
  });
}

/** Rows that have a number: columns of one table may have been measured at different times. */
function known(times: Float64Array, values: Float64Array): { times: Float64Array; values: Float64Array } {
  if (!values.some(Number.isNaN)) return { times, values };
  return { times: times.filter((_, row) => !Number.isNaN(values[row])), values: values.filter((value) => !Number.isNaN(value)) };
}

/** A chart for each column, a curve for each name. */
function chartsByQuantity(title: string, times: Float64Array, columns: Column[], keys: string[]): Draft[] {
  const names = [...new Set(keys)];
  const rowsOf = new Map(names.map((name) => [name, [] as number[]]));
  keys.forEach((name, row) => rowsOf.get(name)!.push(row));
  const of = (values: Float64Array, name: string) => Float64Array.from(rowsOf.get(name)!, (row) => values[row]!);
  return columns.map((column) => {
    const { words, unit } = partsOf(column.name);
    const curves = names.map((name) => ({ name, times: of(times, name), values: of(column.values!, name) }));
    return { id: `${title} ${column.name}`, label: `${capital(words)} (${title})`, unit, zero: true, curves };
  });
}

/** Before three columns that are the parts of a vector comes its magnitude. */
function withMagnitudes(columns: Column[]): Column[] {
  return columns.flatMap((column, at) => {
    const [x, y, z] = columns.slice(at, at + 3);
    const [before, after] = column.name.split(/_x_/) as [string, string?];
    const isVector = after !== undefined && y?.name === `${before}_y_${after}` && z?.name === `${before}_z_${after}`;
    if (!isVector) return [column];
    const size = x!.values!.map((value, row) => Math.hypot(value, y.values![row]!, z!.values![row]!));
    return [{ name: `${before}_${after}`, values: size, texts: null }, column];
  });
}
