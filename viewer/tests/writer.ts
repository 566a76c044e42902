// Writes trajectories for tests, as crates/output does: small ones with everything in it, large ones of balls.

import { xxh32 } from "../src/data/xxh32";

export interface Body {
  id: number;
  template?: number;
  material?: number;
  scale?: number;
  place: [number, number, number];
  /** w, x, y, z */
  turn?: [number, number, number, number];
  speed?: number;
  /** K */
  temperature?: number;
  /** m³ */
  film?: number;
  /** Direction of the velocity, of length one. */
  towards?: [number, number, number];
  spin?: number;
}

export interface Instant {
  step: number;
  time: number;
  bodies: Body[];
  /** Writes the list of bodies; the first frame must. */
  lists: boolean;
  walls?: number[][];
  contacts?: { point: number[]; force: number[] }[];
  /** As older programs wrote it: without directions of velocities. Its header has `OLDER_ARRAYS`. */
  older?: boolean;
}

const ARRAYS = [
  ["ids", "u32", 1, "listed body"],
  ["kinds", "u16", 2, "listed body"],
  ["scales", "f32", 1, "listed body"],
  ["positions", "f32", 3, "body"],
  ["orientations", "i16", 4, "body"],
  ["speeds", "f32", 1, "body"],
  ["spins", "f32", 1, "body"],
  ["wall_places", "f32", 7, "moving wall"],
  ["contact_points", "f32", 3, "contact"],
  ["contact_forces", "f32", 3, "contact"],
  ["headings", "i16", 2, "body"],
].map(([name, type, components, of]) => ({ name, type, components, of }));

export const OLDER_ARRAYS = ARRAYS.slice(0, -1);

/** Of a run with heat: all bodies have a temperature. */
export const WARM_ARRAYS = [...ARRAYS, { name: "temperatures", type: "f32", components: 1, of: "body" }];

/** Of a run with liquid: all bodies have a film. */
export const WET_ARRAYS = [...ARRAYS, { name: "films", type: "f32", components: 1, of: "body" }];

export const HEADER = {
  format: "tumble-trajectory",
  tumble_version: "0.0.0",
  title: "Test",
  units: "SI",
  periodic: [null, null, null] as ([number, number] | null)[],
  templates: [
    { name: "ball", spheres: [[0, 0, 0, 0.1]] },
    { name: "rod", spheres: [[-0.1, 0, 0, 0.08], [0.1, 0, 0, 0.08]] },
  ],
  materials: ["glass", "steel"],
  walls: [] as object[],
  arrays: ARRAYS,
};

export function header(changes: object = {}): Uint8Array {
  let text = JSON.stringify({ ...HEADER, ...changes });
  const bytes = () => new TextEncoder().encode(text);
  text += " ".repeat((8 - (bytes().byteLength % 8)) % 8);
  const body = bytes();
  const out = new Uint8Array(24 + body.byteLength);
  const view = new DataView(out.buffer);
  out.set(new TextEncoder().encode("TUMBLETR"));
  view.setUint32(8, 1, true);
  out.set(body, 24);
  view.setUint32(12, xxh32(out.subarray(24)), true);
  view.setBigUint64(16, BigInt(body.byteLength), true);
  return out;
}

export function frame({ step, time, bodies, lists, walls = [], contacts = [], older = false }: Instant): Uint8Array {
  const parts: (Uint32Array | Uint16Array | Float32Array | Int16Array)[] = [];
  if (lists) {
    parts.push(Uint32Array.from(bodies, ({ id }) => id));
    parts.push(Uint16Array.from(bodies.flatMap(({ template = 0, material = 0 }) => [template, material])));
    parts.push(Float32Array.from(bodies, ({ scale = 1 }) => scale));
  }
  parts.push(Float32Array.from(bodies.flatMap(({ place }) => place)));
  parts.push(Int16Array.from(bodies.flatMap(({ turn = [1, 0, 0, 0] }) => turn.map((q) => Math.round(q * 32767)))));
  parts.push(Float32Array.from(bodies, ({ speed = 0 }) => speed));
  parts.push(Float32Array.from(bodies, ({ spin = 0 }) => spin));
  parts.push(Float32Array.from(walls.flat()));
  parts.push(Float32Array.from(contacts.flatMap(({ point }) => point)));
  parts.push(Float32Array.from(contacts.flatMap(({ force }) => force)));
  if (!older) parts.push(Int16Array.from(bodies.flatMap(({ towards = [0, 0, 1] }) => heading(towards))));
  if (bodies.some(({ temperature }) => temperature !== undefined)) {
    parts.push(Float32Array.from(bodies, ({ temperature = 0 }) => temperature));
  }
  if (bodies.some(({ film }) => film !== undefined)) parts.push(Float32Array.from(bodies, ({ film = 0 }) => film));
  const size = parts.reduce((sum, part) => sum + part.byteLength, 48);
  const out = new Uint8Array(Math.ceil(size / 8) * 8);
  const view = new DataView(out.buffer);
  out.set(new TextEncoder().encode("FRAM"));
  view.setBigUint64(8, BigInt(out.byteLength - 16), true);
  view.setBigUint64(16, BigInt(step), true);
  view.setFloat64(24, time, true);
  [bodies.length, contacts.length, walls.length, lists ? 1 : 0].forEach((n, i) => view.setUint32(32 + 4 * i, n, true));
  let at = 48;
  for (const part of parts) {
    out.set(new Uint8Array(part.buffer), at);
    at += part.byteLength;
  }
  view.setUint32(4, xxh32(out.subarray(16)), true);
  return out;
}

/** A point of an octahedron, unfolded to a square. */
function heading([x, y, z]: [number, number, number]): number[] {
  const size = Math.abs(x) + Math.abs(y) + Math.abs(z);
  const [u, v] = [x / size, y / size];
  const sign = (value: number) => (value < 0 ? -1 : 1);
  const folded = z < 0 ? [(1 - Math.abs(v)) * sign(u), (1 - Math.abs(u)) * sign(v)] : [u, v];
  return folded.map((part) => Math.round(part * 32767));
}

export function join(...parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.byteLength;
  }
  return out;
}

/** Balls on a lattice that swing, so many on each axis, with a box around them. */
export function lattice(count: number, frames: number, title = "Lattice"): Uint8Array {
  const [low, high] = [-0.15, 0.25 * (count - 1) + 0.15];
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [1, 2, 4].map((bit) => (i & bit ? high : low)));
  const faces = [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];
  const triangles = faces.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]);
  const box = { name: "box", material: 1, moves: false, pivot: [0, 0, 0], points: corners, triangles };
  const places = Array.from({ length: count ** 3 }, (_, i) =>
    [i % count, Math.floor(i / count) % count, Math.floor(i / count ** 2)].map((n) => n * 0.25),
  );
  const at = (time: number): Body[] =>
    places.map(([x, y, z], id) => {
      const phase = 2 * Math.PI * time + id * 0.1;
      return {
        id,
        template: id % 2,
        material: id % 3 === 0 ? 1 : 0,
        place: [x!, y!, z! + 0.04 * Math.sin(phase)],
        turn: [Math.cos(phase / 2), 0, 0, Math.sin(phase / 2)],
        speed: Math.abs(Math.cos(phase)),
        towards: [0, 0, Math.sign(Math.cos(phase)) || 1],
        spin: 2 * Math.PI,
      };
    });
  const contacts = [{ point: [0, 0, -0.1], force: [0, 0, 3] }, { point: [0.125, 0, 0], force: [1, 0, 0] }];
  const instants = Array.from({ length: frames }, (_, i) =>
    frame({ step: i * 100, time: i * 0.05, bodies: at(i * 0.05), lists: i === 0, contacts }),
  );
  return join(header({ title, walls: [box] }), ...instants);
}

/** So many spheres, as rods of three and balls for the rest, in a dense heap that swings and turns. */
export function rods(spheres: number, frames: number, title = "Rods"): Uint8Array {
  const templates = [
    { name: "rod", spheres: [[-0.1, 0, 0, 0.08], [0, 0, 0, 0.08], [0.1, 0, 0, 0.08]] },
    { name: "ball", spheres: [[0, 0, 0, 0.08]] },
  ];
  const [count, balls] = [Math.floor(spheres / 3), spheres % 3];
  const side = Math.ceil(Math.cbrt(count + balls));
  const at = (time: number): Body[] =>
    Array.from({ length: count + balls }, (_, id) => {
      const phase = 2 * Math.PI * time + id * 0.7;
      const place = [id % side, Math.floor(id / side) % side, Math.floor(id / side ** 2)].map((n) => n * 0.26);
      const [x, y] = [Math.sin(id), Math.cos(id)];
      return {
        id,
        template: id < count ? 0 : 1,
        place: [place[0]!, place[1]!, place[2]! + 0.04 * Math.sin(phase)],
        turn: [Math.cos(phase / 2), x * Math.sin(phase / 2), y * Math.sin(phase / 2), 0],
        speed: Math.abs(Math.cos(phase)),
        spin: 2 * Math.PI,
      };
    });
  const instants = Array.from({ length: frames }, (_, i) =>
    frame({ step: i * 100, time: i * 0.05, bodies: at(i * 0.05), lists: i === 0 }),
  );
  return join(header({ title, templates }), ...instants);
}

/** A file of energies to go with it. */
export function energies(frames: number): string {
  const rows = Array.from({ length: frames }, (_, i) => {
    const time = i * 0.05;
    const part = Math.sin(2 * Math.PI * time) ** 2;
    return [time, i * 100, part, 0.2, 1 - part, 1.2].join(",");
  });
  return `time_s,step,translational_J,rotational_J,gravitational_J,mechanical_J\n${rows.join("\n")}\n`;
}

/** A file of what a wall feels to go with it. */
export function wallLoads(frames: number): string {
  const rows = Array.from({ length: frames }, (_, i) => [i * 0.05, i * 100, "box", 0, 0, -1 - i, 0, i, 0, 0.5 * i].join(","));
  const columns = "force_x_N,force_y_N,force_z_N,torque_x_Nm,torque_y_Nm,torque_z_Nm,power_W";
  return `time_s,step,wall,${columns}\n${rows.join("\n")}\n`;
}
