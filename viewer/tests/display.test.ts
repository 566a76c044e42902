// Colours, numbers, axes, the clock and the files beside the trajectory.

import assert from "node:assert/strict";
import { test } from "node:test";
import { base64Bytes } from "../src/data/base64";
import { AMOUNTS, FORCES, kindColour, KINDS, parseColour, sample, table } from "../src/colour";
import { colourings, runRange } from "../src/colouring";
import { readEnergy, rowAt } from "../src/data/energy";
import { readGravity, readSummary } from "../src/data/folder";
import { Trajectory } from "../src/data/trajectory";
import { count, plain, quantity, ticks } from "../src/numbers";
import { Playback, pleasantSpeed, SPEEDS } from "../src/playback";
import { extent, thinned } from "../src/ui/plot";
import { clock } from "../src/ui/timeline";
import { energies, lattice } from "./writer";

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

test("the range of a run holds nearly all values and says so if not all", () => {
  const trajectory = new Trajectory();
  trajectory.bytes.append(lattice(4, 20));
  trajectory.scan();
  const all = colourings(trajectory.header!);
  const by = (name: string) => runRange(all.find((colouring) => colouring.name === name)!, trajectory);
  const { low, high } = by("speed");
  assert.equal(low, 0);
  assert.ok(high > 0.98 && high <= 1);
  assert.deepEqual(by("id"), { low: 0, high: 63, exceeded: false });
  assert.ok(Math.abs(by("energy").high - 0.5) < 0.02);
  assert.deepEqual(all.map(({ name }) => name), ["speed", "spin", "energy", "material", "template", "id"]);
});

test("quantities have the prefix that suits them", () => {
  const cases: [number, string, string][] = [
    [0.00342, "m/s", "3.42 mm/s"],
    [0, "J", "0 J"],
    [1000, "J", "1.00 kJ"],
    [999, "J", "999 J"],
    [-2.5e-7, "J", "−250 nJ"],
    [12.3456, "rad/s", "12.3 rad/s"],
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
});

test("energies are read by the names of their columns; a torn last line is left out", () => {
  const energy = readEnergy(`${energies(11)}0.55,1100,0.`);
  assert.equal(energy.times.length, 11);
  assert.deepEqual(energy.curves.map(({ name }) => name), ["Translational", "Rotational", "Gravitational", "Mechanical"]);
  assert.equal(rowAt(energy.times, 0.26), 5);
  assert.equal(rowAt(energy.times, -1), 0);
  assert.throws(() => readEnergy("a,b\n1,2\n"), /time_s/);
  assert.throws(() => readEnergy("time_s,translational_J\n1\n"), /line 2 has 1 entries/);
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
