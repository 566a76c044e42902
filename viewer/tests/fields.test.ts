// Coarse-grained fields: which frame is shown when, what is where on a plane, the range of the colours, and what is asked for; fields along
// lines and broken bonds as curves; films of liquid.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chartsOf } from "../src/charts";
import { AMOUNTS, SIGNED } from "../src/colour";
import { colourings } from "../src/colouring";
import { brokenAt, readBreakages } from "../src/data/breakages";
import { component, fixedAxis, frameAt, placeOf, sliceOf, withoutEmpty, type FieldHead } from "../src/data/fields";
import { Trajectory } from "../src/data/trajectory";
import { fieldRange, Fields } from "../src/fields";
import { quantity } from "../src/numbers";
import { FRAME } from "../src/range";
import { frame, header, join, WET_ARRAYS } from "./writer";

const HEAD: FieldHead = {
  name: "cut",
  low: [0, -1, 2],
  sides: [0.5, 2, 0.25],
  cells: [4, 1, 3],
  starts: [0, 0.1, 0.2],
  times: [0.1, 0.2, 0.3],
  quantities: [
    { name: "density", unit: "kg/m3", parts: [""], what: "mass per volume" },
    { name: "velocity", unit: "m/s", parts: ["x", "y", "z"], what: "mean" },
    { name: "temperature", unit: "K", parts: [""], what: "mean" },
  ],
};

test("the frame whose window has the time is shown, the last one after that, and none before the first", () => {
  const at = (time: number) => frameAt(HEAD, time);
  assert.deepEqual([0.001, 0.1, 0.1001, 0.2, 0.25, 0.3, 7].map(at), [0, 0, 1, 1, 2, 2, 2]);
  assert.deepEqual([-1, 0].map(at), [null, 0]);
  assert.equal(frameAt({ starts: [], times: [] }, 1), null);
  // Times of a trajectory and of fields differ in the last digits.
  assert.equal(at(0.1 * (1 + 1e-12)), 0);
  // Of a film that has every other frame there is none for the rest.
  const thinned = { starts: [0.1, 0.3], times: [0.2, 0.4] };
  assert.deepEqual([0.05, 0.15, 0.25, 0.35].map((time) => frameAt(thinned, time)), [null, 0, null, 1]);
  const instants = { starts: HEAD.times, times: HEAD.times };
  assert.deepEqual([0.05, 0.1, 0.15, 0.2, 0.29, 5].map((time) => frameAt(instants, time)), [null, 0, 0, 1, 1, 2]);
});

test("a plane has each cell where it is", () => {
  const cells = { ...HEAD, cells: [2, 3, 4] as FieldHead["cells"] };
  // The number of a cell is x + 10 y + 100 z.
  const values = Float32Array.from({ length: 24 }, (_, i) => (i % 2) + 10 * (Math.floor(i / 2) % 3) + 100 * Math.floor(i / 6));
  const x = sliceOf(cells, values, 0, 1);
  assert.deepEqual([x.width, x.height, ...x.values], [3, 4, 1, 11, 21, 101, 111, 121, 201, 211, 221, 301, 311, 321]);
  const y = sliceOf(cells, values, 1, 2);
  assert.deepEqual([y.width, y.height, ...y.values], [2, 4, 20, 21, 120, 121, 220, 221, 320, 321]);
  const z = sliceOf(cells, values, 2, 3);
  assert.deepEqual([z.width, z.height, ...z.values], [2, 3, 300, 301, 310, 311, 320, 321]);
  // In the middle of its layer, along the other axes from the lower corner to the upper one.
  assert.deepEqual([z.corner, z.across, z.up], [[0, -1, 2.875], [1, 0, 0], [0, 6, 0]]);
  assert.equal(placeOf(cells, 2, 3), 2.875);
  assert.deepEqual([fixedAxis(cells), fixedAxis(HEAD)], [null, 1]);
});

test("components and sizes of vectors, and cells with next to nothing in them", () => {
  const values = Float32Array.from([3, 4, 0, 1, 2, 2]);
  assert.deepEqual([...component(values, 3, "size")], [5, 3]);
  assert.deepEqual([...component(values, 3, 1)], [4, 2]);
  const kept = withoutEmpty(Float32Array.from([1, 2, 3]), Float32Array.from([1000, 0.5, 2]));
  assert.deepEqual([...kept].map(Number.isNaN), [false, true, false]);
});

test("amounts with a sign are white at zero, and single values do not take up the map", () => {
  const even = Float32Array.from({ length: 101 }, (_, i) => i / 50 - 0.5);
  const { low, high, undercut } = fieldRange([even], FRAME);
  assert.ok(Math.abs(high - 1.46) < 1e-6 && low === -high && !undercut, `${low} to ${high}`);
  const speeds = fieldRange([Float32Array.from([...even.map((value) => value + 0.5), NaN, 1000])], FRAME);
  assert.ok(speeds.low === 0 && speeds.high <= 2 && speeds.exceeded, JSON.stringify(speeds));
  // Rounding below zero is no sign.
  assert.equal(fieldRange([Float32Array.from([-1e-9, 1, 2])], FRAME).low, 0);
});

/** Fields whose numbers are made up: of frame n, density is one, velocity (n, 0, −n). */
function madeUp(head = HEAD): { fields: Fields; asked: string[]; settle: () => Promise<void>; warnings: string[] } {
  const [asked, warnings]: string[][] = [[], []];
  const ask = async (name: string, frame: number, what: string) => {
    asked!.push(`${name} ${frame} ${what}`);
    if (frame === 99) throw new Error("gone");
    const cells = head.cells[0] * head.cells[1] * head.cells[2];
    const of = what === "density" ? [1] : [frame + 1, 0, -frame - 1];
    return Float32Array.from({ length: of.length * cells }, (_, i) => of[i % of.length]!);
  };
  const fields = new Fields(ask, () => {}, (message) => warnings!.push(message));
  return { fields, asked: asked!, settle: () => new Promise((resolve) => setTimeout(resolve)), warnings: warnings! };
}

test("numbers are asked for once, when they are to be shown; until then nothing is drawn", async () => {
  const { fields, asked, settle } = madeUp();
  fields.offer([HEAD], false);
  assert.equal(fields.at(0.15), null);
  assert.deepEqual(asked, [], "nobody has asked to see it");
  fields.shown = true;
  fields.of("velocity");
  assert.equal(fields.at(0.15), null);
  await settle();
  assert.ok(fields.at(0.15) !== null);
  // For the range of the run all frames are looked at, each once.
  await settle();
  const shown = fields.at(0.15)!;
  assert.equal(new Set(asked).size, asked.length, asked.join(", "));
  assert.equal(asked.length, 6);
  assert.equal(shown.frame, 1);
  assert.ok(shown.slice.values.every((value) => Math.abs(value - Math.hypot(2, 2)) < 1e-6));
  assert.ok(Math.abs(shown.range.high - Math.hypot(3, 3)) < 1e-6 && shown.map === AMOUNTS);
  assert.equal(fields.at(0.15)!.slice, shown.slice, "the same plane is not made twice");
  fields.part = 2;
  const down = fields.at(0.15)!;
  assert.ok(down.slice.values.every((value) => value === -2) && down.map === SIGNED);
  assert.deepEqual([down.range.low, down.range.high], [-3, 3]);
  assert.equal(asked.length, 6, "components are of the same numbers");
  fields.range("fixed", { low: 0, high: 1 });
  assert.deepEqual([fields.at(0.15)!.range.low, fields.at(0.15)!.range.high], [0, 1]);
  fields.shown = false;
  assert.equal(fields.at(0.15), null);
});

test("lines are no planes, temperatures are for runs with heat, and a run that goes on has more frames", async () => {
  const { fields, settle } = madeUp();
  fields.offer([{ ...HEAD, name: "line", cells: [1, 1, 3] }], false);
  assert.deepEqual([fields.heads.length, fields.head], [0, null]);
  fields.offer([HEAD], false);
  assert.deepEqual(fields.head!.quantities.map(({ name }) => name), ["density", "velocity"]);
  fields.offer([HEAD], true);
  assert.equal(fields.head!.quantities.length, 3);
  fields.shown = true;
  fields.of("velocity");
  fields.at(0.4);
  await settle();
  assert.equal(fields.at(0.4)!.frame, 2);
  fields.offer([{ ...HEAD, starts: [...HEAD.starts, 0.3], times: [...HEAD.times, 0.4] }], false);
  assert.equal(fields.quantity!.name, "velocity", "what was chosen stays");
  fields.at(0.4);
  await settle();
  assert.equal(fields.at(0.4)!.frame, 3);
});

test("numbers that cannot be had are said once, and leave the plane empty", async () => {
  const many = { ...HEAD, starts: [], times: Array.from({ length: 100 }, (_, i) => i + 1) };
  const { fields, settle, warnings } = madeUp({ ...many, starts: many.times });
  fields.offer([{ ...many, starts: many.times }], false);
  fields.shown = true;
  fields.range("frame");
  fields.of("velocity");
  for (let i = 0; i < 3; i += 1) {
    fields.at(100);
    await settle();
  }
  assert.ok(warnings.length === 2 && warnings.every((warning) => warning === "fields of cut: gone"), warnings.join("\n"));
  assert.ok(fields.at(100)!.slice.values.every(Number.isNaN));
});

const LINE = [
  "time_s,step,x_m,y_m,z_m,density_kg/m3,velocity_x_m/s,velocity_y_m/s,velocity_z_m/s,pressure_Pa,wall_couple_x_N/m2",
  "0.1,10,0,0,0.5,1000,1,0,-1,5,0",
  "0.1,10,0,0,1.5,1000,2,0,-2,6,0",
  "0.1,10,0,0,2.5,0.1,3,0,-3,7,0",
  "0.2,20,0,0,0.5,1000,4,0,-4,8,0",
  "0.2,20,0,0,1.5,1000,5,0,-5,9,0",
  "0.2,20,0,0,2.5,1000,6,0,-6,10,0",
  "0.3,30,0,0,0.5,1000,7,0,-7,11,0",
];

test("fields along a line are profiles that follow the time, and of a box curves over time", () => {
  const charts = chartsOf("fields/column.csv", `${LINE.join("\n")}\n`);
  assert.deepEqual(charts.map(({ label, unit }) => [label, unit]), [
    ["Velocity along z (column)", "m/s"], ["Pressure along z (column)", "Pa"], ["Density along z (column)", "kg/m³"],
  ]);
  const [velocity, pressure] = charts;
  assert.deepEqual([...velocity!.profile!.places], [0.5, 1.5, 2.5]);
  assert.deepEqual([...velocity!.profile!.times], [0.1, 0.2], "a frame that is written in part is none");
  assert.deepEqual(velocity!.curves.map(({ name }) => name), ["x", "z"], "what is zero throughout is left out");
  // The third cell of the first frame is empty.
  assert.deepEqual([...pressure!.curves[0]!.values], [5, 6, NaN, 8, 9, 10]);
  const box = chartsOf("fields/box.csv", `${[LINE[0], LINE[1], LINE[4], LINE[7]].join("\n")}\n`);
  assert.equal(box[0]!.profile, undefined);
  assert.deepEqual([...box[0]!.curves[0]!.times], [0.1, 0.2, 0.3]);
  assert.deepEqual([...box[0]!.curves[0]!.values], [1, 4, 7]);
});

const BONDS = [
  "time_s,step,body_a,body_b,x_m,y_m,z_m,mode,energy_J", "0.1,10,0,1,1,2,3,shear,1e-6", "0.2,20,1,2,4,5,6,tension,1e-6",
  "0.2,20,3,2,7,8,9,shear,1e-6",
];

test("broken bonds have a place, a time and a mode, and are counted", () => {
  const text = `${BONDS.join("\n")}\n`;
  const broken = readBreakages(text)!;
  assert.deepEqual([...broken.places], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual([broken.names, [...broken.modes]], [["shear", "tension"], [0, 1, 0]]);
  assert.deepEqual([0.05, 0.1, 0.2].map((time) => brokenAt(broken, time)), [[0, 0], [1, 0], [2, 1]]);
  assert.deepEqual(readBreakages(`${BONDS[0]}\n`)!.names, []);
  assert.equal(readBreakages("time_s,step\n0,0\n"), null);
  const [chart, ...others] = chartsOf("bonds.csv", text);
  assert.equal(others.length, 0);
  const curves = chart!.curves.map(({ name, times, values, sum = false }) => [name, [...times], [...values], sum]);
  assert.deepEqual(curves, [
    ["Shear", [-Infinity, 0.1, 0.2], [0, 1, 2], false],
    ["Tension", [-Infinity, 0.2], [0, 1], false],
    ["All", [-Infinity, 0.1, 0.2, 0.2], [0, 1, 2, 3], true],
  ]);
  assert.deepEqual(chartsOf("bonds.csv", `${BONDS[0]}\n`), []);
});

test("bodies of a run with liquid are coloured by their films", () => {
  const bodies = [2e-11, 0].map((film, id) => ({ id, place: [id, 0, 0] as [number, number, number], film }));
  const trajectory = new Trajectory();
  trajectory.bytes.append(join(header({ arrays: WET_ARRAYS }), frame({ step: 0, time: 0, bodies, lists: true })));
  trajectory.scan();
  const film = colourings(trajectory).at(-1)!;
  const values = [0, 1].map((row) => film.value(trajectory.frame(0), row, trajectory.list(0), row));
  assert.equal(film.name, "film");
  assert.ok(Math.abs(values[0]! - 0.02) < 1e-8 && values[1] === 0);
  assert.equal(quantity(values[0]!, film.unit), "0.0200\u202fmm³");
});
