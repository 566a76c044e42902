// Tables over time, as runs write them: CSV with units in the names of columns, `time_s` and `step` first.

export interface Column {
  /** As the file has it, as `force_x_N`. */
  name: string;
  /** One of both: numbers, with NaN where there is none, or texts. */
  values: Float64Array | null;
  texts: string[] | null;
}

export interface Table {
  times: Float64Array;
  /** Without time and step. */
  columns: Column[];
}

/** Reads a table; a last line without its end, of a run that is going on, is left out. Null: it is not over time. */
export function readTable(text: string): Table | null {
  const lines = records(text.slice(0, text.lastIndexOf("\n") + 1));
  const names = lines[0] ?? [];
  const at = names.indexOf("time_s");
  if (at < 0) return null;
  const rows = lines.slice(1);
  rows.forEach((row, number) => {
    if (row.length === names.length) return;
    throw new Error(`row ${number + 1} has ${row.length} entries, and the first line names ${names.length}.`);
  });
  const numbers = (column: number) => Float64Array.from(rows, (row) => (row[column] === "" ? NaN : Number(row[column])));
  const columns = names
    .map((name, column) => ({ name, column }))
    .filter(({ name, column }) => column !== at && name !== "step")
    .map(({ name, column }) => {
      // What is not a number somewhere is a name; those of walls may look like numbers.
      const isText = name === "wall" || rows.some((row) => Number.isNaN(Number(row[column])) && !/^-?(nan|inf)$/i.test(row[column]!));
      return isText
        ? { name, values: null, texts: rows.map((row) => row[column]!) }
        : { name, values: numbers(column), texts: null };
    });
  return { times: numbers(at), columns };
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

/** Lines of entries, which may be quoted. */
function records(text: string): string[][] {
  if (!text.includes('"')) return text.split(/\r?\n/).filter((line) => line !== "").map((line) => line.split(","));
  const rows: string[][] = [];
  let [row, entry, quoted] = [[] as string[], "", false];
  for (let i = 0; i < text.length; i += 1) {
    const letter = text[i]!;
    if (quoted && letter === '"' && text[i + 1] === '"') {
      entry += letter;
      i += 1;
    } else if (letter === '"') {
      quoted = !quoted;
    } else if (!quoted && letter === ",") {
      row.push(entry);
      entry = "";
    } else if (!quoted && letter === "\n") {
      rows.push([...row, entry.replace(/\r$/, "")]);
      [row, entry] = [[], ""];
    } else {
      entry += letter;
    }
  }
  return rows.filter((cells) => cells.length > 1 || cells[0] !== "");
}
