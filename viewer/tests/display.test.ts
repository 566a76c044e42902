// Colours, numbers, axes, the clock and the files beside the trajectory.

import assert from "node:assert/strict";
import { test } from "node:test";
import { base64Bytes } from "../src/data/base64";
import { AMOUNTS, FORCES, kindColour, KINDS, parseColour, sample, table } from "../src/colour";
import { chartsOf } from "../src/charts";
import { colourings } from "../src/colouring";
import { readGravity, readSummary } from "../src/data/folder";
import { readTable, rowAt } from "../src/data/table";
import { Trajectory } from "../src/data/trajectory";
import { count, plain, quantity, ticks } from "../src/numbers";
import { Playback, pleasantSpeed, SPEEDS } from "../src/playback";
import { frameRange, rangeOf, Ranges, runRange } from "../src/range";
import { barOf } from "../src/ui/gauge";
import { extent, thinned } from "../src/ui/plot";
import { clock } from "../src/ui/timeline";
import { energies, frame, header, join, lattice, type Body, WARM_ARRAYS } from "./writer";

function luminance(colour: readonly number[]): number {
  const [r, g, b] = colour.map((part) => (part / 255) ** 2.2);
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

test("maps of amounts go from dark to bright, so that they are read without colour", () => {
  for (const map of [AMOUNTS, FORCES]) {
    for (let at = 0.02; at <= 1; at += 0.02) {
      assert.ok(luminance(sample(map, at)) > luminance(sample(map, at - 0.02)), `at ${at}`);
    }
    assert.deepEqual(sample(map, -1), parseColour(map[0]!));
    assert.deepEqual(sample(map, 2), parseColour(map[map.length - 1]!));
    assert.deepEqual(sample(map, NaN), parseColour(map[0]!));
  }
});

test("kinds beyond the palette begin anew, and tables hold what samples say", () => {
  assert.equal(kindColour(KINDS.length + 1), KINDS[1]);
  assert.deepEqual([...table(KINDS, false).subarray(4, 8)], [...parseColour(KINDS[1]!), 255]);
  assert.equal(table(AMOUNTS, true).length, 1024);
});

function read(...parts: Uint8Array[]): Trajectory {
  const trajectory = new Trajectory();
  trajectory.bytes.append(join(...parts));
  trajectory.scan();
  return trajectory;
}

test("bodies of a run with heat are coloured by temperature, too", () => {
  const ball = (id: number, temperature: number): Body => ({ id, place: [id, 0, 0], temperature });
  const warm = (time: number, ...temperatures: number[]) =>
    frame({ step: time, time, bodies: temperatures.map((t, id) => ball(id, t)), lists: time === 0 });
  const trajectory = read(header({ arrays: WARM_ARRAYS }), warm(0, 300, 400), warm(1, 310, 390));
  const last = colourings(trajectory).at(-1)!;
  const second = trajectory.frame(1);
  assert.deepEqual([last.name, last.unit], ["temperature", "K"]);
  assert.deepEqual([0, 1].map((row) => last.value(second, row, trajectory.list(1), row)), [310, 390]);
  assert.equal(read(lattice(2, 2)).frame(0).temperatures, null);
});

test("the range of a run holds nearly all values and says so if not all", () => {
  const trajectory = read(lattice(4, 20));
  const all = colourings(trajectory);
  const by = (name: string) => runRange(all.find((colouring) => colouring.name === name)!, trajectory);
  const { low, high } = by("speed");
  assert.equal(low, 0);
  assert.ok(high > 0.98 && high <= 1);
  assert.deepEqual(by("id"), { low: 0, high: 63, undercut: false, exceeded: false, log: false, from: "" });
  assert.ok(Math.abs(by("energy").high - 0.5) < 0.02);
  assert.deepEqual(all.map(({ name }) => name), ["speed", "spin", "energy", "material", "template", "id"]);
});

test("percentiles keep a few fast bodies from taking up the range", () => {
  const parts = { low: 0.02, high: 0.98, words: "x" };
  const values = [...Array.from({ length: 99 }, (_, i) => i / 98), 1000];
  const range = rangeOf(values, parts);
  assert.ok(range.low === 0 && range.high <= 1 && range.exceeded && !range.undercut, JSON.stringify(range));
  // What hardly differs is spread over the map, and does not begin at zero.
  const narrow = rangeOf(values.slice(0, 99).map((value) => 10 + value), parts);
  assert.ok(narrow.low > 10 && narrow.high < 11 && narrow.undercut);
  assert.deepEqual([rangeOf([], parts), rangeOf([0, 0], parts)].map(({ low, high }) => [low, high]), [[0, 1], [0, 1]]);
});

test("a frame most of which is far below the fastest is shown by powers of ten", () => {
  const parts = { low: 0.02, high: 0.98, words: "x" };
  const values = Array.from({ length: 101 }, (_, i) => 10 ** (i / 10 - 12));
  const { low, high, log, undercut, from } = frameRange(values, parts);
  assert.ok(log && undercut && /logarithmic/.test(from));
  assert.ok(Math.abs(high / 10 ** (9.8 - 12) - 1) < 1e-9 && Math.abs(low / (high * 1e-4) - 1) < 1e-9, `${low} to ${high}`);
  const even = frameRange(Array.from({ length: 101 }, (_, i) => i), parts);
  assert.deepEqual([even.log, even.low], [false, 0]);
  // Bodies that stand still have no logarithm.
  assert.equal(frameRange([0, 0, 0, 0, 1], parts).log, false);
});

test("a bed that has come to rest has the range of its frame, unless someone chose that of the run", () => {
  const bodies = (speed: number): Body[] =>
    Array.from({ length: 50 }, (_, id) => ({ id, place: [id, 0, 0], speed: (speed * (id + 1)) / 50 }));
  const speeds = [2, 2, 2, 1e-6];
  const trajectory = read(header(), ...speeds.map((speed, i) => frame({ step: i, time: i, bodies: bodies(speed), lists: i === 0 })));
  const [speed, ranges] = [colourings(trajectory)[0]!, new Ranges(trajectory)];
  for (const flying of [0, 1, 2]) assert.deepEqual(ranges.of(speed, "auto", flying), ranges.of(speed, "run", flying));
  const [rest, run] = [ranges.of(speed, "auto", 3), ranges.of(speed, "run", 3)];
  assert.ok(rest.high <= 1e-6 && rest.high > 0.9e-6 && /this frame.*slow/.test(rest.from), JSON.stringify(rest));
  assert.ok(run.high > 1.9 && /whole run/.test(run.from), JSON.stringify(run));
});

test("only what occurs has a colour and a name, and keeps them when more comes", () => {
  const changes = { materials: ["never", "sand", "steel", "late"] };
  const of = (...materials: number[]): Body[] => materials.map((material, id) => ({ id, material, place: [id, 0, 0] }));
  const trajectory = read(header(changes), frame({ step: 0, time: 0, bodies: of(2, 1, 2), lists: true }));
  const material = colourings(trajectory).find(({ name }) => name === "material")!;
  const values = () => {
    const shown = trajectory.frame(trajectory.length - 1);
    const list = trajectory.list(shown.list);
    return [...list.ids.keys()].map((row) => material.value(shown, row, list, row));
  };
  assert.deepEqual(material.names!(), ["steel", "sand"]);
  assert.deepEqual(values(), [0, 1, 0]);
  trajectory.bytes.append(frame({ step: 1, time: 1, bodies: of(3, 1, 2), lists: true }));
  trajectory.scan();
  assert.deepEqual(material.names!(), ["steel", "sand", "late"]);
  assert.deepEqual(values(), [2, 1, 0]);
});

test("the scale bar is round, not too long, and says whether it is exact", () => {
  for (const pixel of [1e-6, 3.3e-4, 0.0017, 0.25, 12]) {
    const { length } = barOf({ pixel, exact: true });
    assert.ok(length <= 120 * (1 + 1e-9) && length >= 48, `${length} pixels`);
    assert.ok(/^[125]$/.test(Number((length * pixel).toPrecision(6)).toExponential()[0]!));
  }
  assert.equal(barOf({ pixel: 1e-3, exact: true }).label, "100\u202fmm");
  assert.equal(barOf({ pixel: 1e-3, exact: false }).label, "≈ 100\u202fmm");
});

test("quantities have the prefix that suits them", () => {
  const cases: [number, string, string][] = [
    [0.00342, "m/s", "3.42 mm/s"],
    [0, "J", "0 J"],
    [1000, "J", "1.00 kJ"],
    [999, "J", "999 J"],
    [-2.5e-7, "J", "−250 nJ"],
    [12.3456, "rad/s", "12.3 rad/s"],
    [2.5e-3, "kg", "0.00250 kg"],
    [4e-3, "m³", "0.00400 m³"],
    [0.25, "°", "0.250 °"],
    [0.004, "m/s²", "4.00 mm/s²"],
    [0.5, "", "0.500"],
  ];
  for (const [value, unit, text] of cases) assert.equal(quantity(value, unit).replace("\u202f", " "), text);
  assert.equal(quantity(NaN, "J"), "not a number");
  assert.equal(plain(1234567), "1.23e+6");
  assert.equal(count(1234567), "1\u202f234\u202f567");
});

test("marks of an axis are round, evenly spaced and within it", () => {
  assert.deepEqual(ticks(0, 1, 5).values.map((x) => x.toFixed(1)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
  assert.equal(ticks(0, 1, 5).decimals, 1);
  assert.deepEqual(ticks(-3, 8, 4).values, [0, 5]);
  for (const [low, high] of [[0, 7.3e-6], [-12, 1e5], [3, 3.001]] as const) {
    const { values } = ticks(low, high, 6);
    assert.ok(values.length >= 3 && values.length <= 8, `${low} to ${high}: ${values}`);
    assert.ok(values.every((x) => x >= low - 1e-12 && x <= high + 1e-9 * high));
  }
  assert.deepEqual(ticks(1, 1, 5).values, [1]);
  assert.deepEqual(ticks(0, Infinity, 5).values, [0]);
});

test("a thinned curve keeps its peaks and its order", () => {
  const values = Float64Array.from({ length: 10_000 }, (_, i) => (i === 7777 ? 5 : Math.sin(i / 500)));
  const rows = thinned(values, 200);
  assert.ok(rows.length <= 410);
  assert.ok(rows.includes(7777));
  assert.ok(rows.every((row, i) => i === 0 || row > rows[i - 1]!));
  assert.deepEqual(thinned(Float64Array.of(1, 2, 3), 100), [0, 1, 2]);
  const { low, high } = extent([values]);
  assert.ok(low < -1 && high > 5);
  assert.deepEqual(extent([]), { low: 0, high: 1 });
  // What need not begin at zero does so only where it takes up most of the height anyway.
  const near = extent([Float64Array.of(0.6, NaN, 0.62)], false);
  assert.ok(near.low > 0.59 && near.high < 0.63);
  assert.equal(extent([Float64Array.of(0.1, 0.62)], false).low, 0);
  // A gap is one row of no number, and hides none that are.
  const gappy = Float64Array.from({ length: 4000 }, (_, i) => (i >= 1000 && i < 2000 ? NaN : i));
  const kept = thinned(gappy, 100);
  assert.ok(kept.some((row) => Number.isNaN(gappy[row])) && kept.length < 210);
});

test("energies are read by the names of their columns; a torn last line is left out", () => {
  const [energy, ...more] = chartsOf("energy.csv", `${energies(11)}0.55,1100,0.`);
  assert.deepEqual([energy!.label, energy!.unit, more.length], ["Energy", "J", 0]);
  assert.deepEqual(energy!.curves.map(({ name }) => name), ["Translational", "Rotational", "Gravitational", "Mechanical"]);
  const { times } = energy!.curves[0]!;
  assert.equal(times.length, 11);
  assert.equal(rowAt(times, 0.26), 5);
  assert.equal(rowAt(times, -1), 0);
  assert.throws(() => readTable("time_s,translational_J\n1\n"), /row 1 has 1 entries/);
});

test("walls have a chart for each quantity, with the size of vectors, and a curve for each wall", () => {
  const columns = "time_s,step,wall,force_x_N,force_y_N,force_z_N,power_W";
  const rows = ["0,0,floor,0,0,-5,0", '0,0,"a, ""b""",1,2,2,3', "1,10,floor,3,0,-4,NaN", '1,10,"a, ""b""",0,0,0,4'];
  const charts = chartsOf("walls.csv", [columns, ...rows, ""].join("\n"));
  assert.deepEqual(
    charts.map(({ label, unit }) => `${label}, ${unit}`),
    ["Force (walls), N", "Force x (walls), N", "Force y (walls), N", "Force z (walls), N", "Power (walls), W"],
  );
  const [force, power] = [charts[0]!, charts[4]!];
  assert.deepEqual(force.curves.map(({ name }) => name), ["floor", 'a, "b"']);
  assert.deepEqual(force.curves.map(({ values }) => [...values]), [[5, 5], [3, 0]]);
  assert.deepEqual(power.curves.map(({ times, values }) => [[...times], [...values]]), [[[0, 1], [0, NaN]], [[0, 1], [3, 4]]]);
  // Walls whose names are numbers are walls all the same.
  assert.deepEqual(chartsOf("walls.csv", "time_s,step,wall,power_W\n0,0,1,5\n0,0,2,6\n")[0]!.curves.map(({ name }) => name), ["1", "2"]);
});

test("any other table over time has a chart for each unit, and a table of something else has none", () => {
  const charts = chartsOf("measures.csv", "time_s,step,mass_top_kg,mass_bottom_kg,solid_fraction\n0,0,1,2,\n1,5,2,1,0.6\n");
  assert.deepEqual(charts.map(({ label, unit }) => [label, unit]), [["Measures, kg", "kg"], ["Solid fraction", ""]]);
  assert.deepEqual(charts[0]!.curves.map(({ name }) => name), ["Mass top", "Mass bottom"]);
  // Rows without a number are no points: other columns were measured at other times.
  assert.deepEqual(charts[1]!.curves.map(({ times, values }) => [[...times], [...values]]), [[[1], [0.6]]]);
  const measures = chartsOf("measures.csv", "time_s,step,a.mass_kg,a.number,b.mass_kg,b.loss_kg\n0,0,1,2,3,4\n1,5,2,2,,5\n");
  assert.deepEqual(measures.map(({ label }) => label), ["A: mass", "A: number", "B, kg"]);
  assert.deepEqual(measures[2]!.curves.map(({ name, values }) => [name, [...values]]), [["Mass", [3]], ["Loss", [4, 5]]]);
  assert.deepEqual(chartsOf("bodies.csv", "x_m,y_m\n1,2\n"), []);
});

test("gravity and summary are read, or not there", () => {
  assert.deepEqual(readGravity("title = \"x\"\ngravity = [0.0, -9.81, 0.0]\n"), [0, -9.81, 0]);
  assert.equal(readGravity("gravity = [0, 0, 0]"), null);
  assert.equal(readGravity("# gravity = [0, 0, 1]"), null);
  assert.equal(readSummary("{"), null);
  const summary = '{"ended":{"how":"failed","reason":"why"},"method":{"rotation":"a","law":"b","dt_s":1e-5}}';
  assert.deepEqual(readSummary(summary), { reason: "why", method: "a, b, dt 0.00001000 s" });
});

test("a film plays from start to end, begins anew or stops, and follows a run", () => {
  const playback = new Playback();
  playback.extend(0, 2, false);
  playback.toggle();
  assert.equal(playback.advance(0.5, false), true);
  assert.equal(playback.time, 0.5);
  playback.advance(2, false);
  assert.equal(playback.time, 0.5);
  playback.loop = false;
  playback.advance(5, false);
  assert.deepEqual([playback.time, playback.playing], [2, false]);
  playback.extend(0, 3, true);
  assert.equal(playback.time, 3);
  playback.seek(1);
  playback.extend(0, 4, true);
  assert.equal(playback.time, 1);
  playback.seek(Infinity);
  playback.toggle();
  assert.deepEqual([playback.time, playback.playing], [0, true]);
});

test("speeds suit the length of a run", () => {
  assert.equal(pleasantSpeed(10), 1);
  assert.equal(pleasantSpeed(0), 1);
  assert.equal(pleasantSpeed(0.1), 0.01);
  assert.equal(pleasantSpeed(1000), 100);
  assert.ok(SPEEDS.includes(1) && SPEEDS.every((speed, i) => i === 0 || speed > SPEEDS[i - 1]!));
  assert.equal(clock(0.5, 2), "0.500\u202fs");
  assert.equal(clock(0.0125, 0.2), "12.5\u202fms");
});

test("base64 comes back as the bytes it was made of", () => {
  const bytes = Uint8Array.from({ length: 100_001 }, (_, i) => (i * 7919) & 255);
  const back = [...base64Bytes(Buffer.from(bytes).toString("base64"))];
  assert.deepEqual(Buffer.concat(back), Buffer.from(bytes));
});
