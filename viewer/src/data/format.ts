// The layout of `trajectory.tumble`: docs/book/src/results.md. Pure functions of bytes; `Trajectory` keeps them.

import { xxh32 } from "./xxh32";

export const FILE_HEAD = 24;
/** From the beginning of a frame to what its checksum covers. */
export const FRAME_HEAD = 16;
/** What every frame has: its head, step, time and four numbers. */
export const FRAME_LEAST = FRAME_HEAD + 32;
export const VERSION = 1;
export const TURN_UNIT = 32767;

const MAGIC = "TUMBLETR";
const FRAME = 0x4d415246; // "FRAM"

export interface ArrayLayout {
  name: string;
  type: "u16" | "i16" | "u32" | "f32";
  components: number;
  of: "listed body" | "body" | "moving wall" | "contact";
}

export interface Template {
  name: string;
  /** x, y, z and radius in the frame that orientations turn, m. */
  spheres: [number, number, number, number][];
  /** The numbers of the spheres at the two ends of each capsule, if it has any. */
  capsules?: [number, number][];
  /** The numbers of the spheres at the centre of each ellipsoid and at the ends of its semi-axes, if it has any. */
  ellipsoids?: [number, number, number, number][];
  /** Of each rounded polyhedron its faces: the numbers of the spheres at their corners, counter-clockwise seen from outside, if it has any. */
  polyhedra?: number[][][];
  /** m³ at scale one, where the file knows it. */
  volume?: number;
  /** Principal moments of inertia per density, m⁵, where the file knows them. */
  moments_per_density?: [number, number, number];
}

export interface Wall {
  name: string;
  material: number;
  moves: boolean;
  /** A point x of a moving wall is at place + R (x − pivot). */
  pivot: [number, number, number];
  points: [number, number, number][];
  triangles: [number, number, number][];
  /** Directions along which it has no end, of length one, where it is drawn; the points are those of a part of it. */
  endless?: [number, number, number][];
}

export interface Header {
  tumble_version: string;
  title: string;
  periodic: ([number, number] | null)[];
  templates: Template[];
  materials: string[];
  /** kg/m³ by material, where the file knows them. */
  densities?: number[];
  walls: Wall[];
  arrays: ArrayLayout[];
}

export interface FrameHead {
  checksum: number;
  /** Bytes after the head. */
  length: number;
  step: number;
  time: number;
  bodies: number;
  contacts: number;
  movingWalls: number;
  lists: boolean;
}

/** Something is wrong with the file; the message says what and where. */
export class Damage extends Error {}

/** What a viewer needs of each frame; arrays it does not know are passed over. */
const NEEDED: Record<string, [ArrayLayout["type"], number, ArrayLayout["of"]]> = {
  ids: ["u32", 1, "listed body"],
  kinds: ["u16", 2, "listed body"],
  scales: ["f32", 1, "listed body"],
  positions: ["f32", 3, "body"],
  orientations: ["i16", 4, "body"],
  speeds: ["f32", 1, "body"],
  spins: ["f32", 1, "body"],
  wall_places: ["f32", 7, "moving wall"],
  contact_points: ["f32", 3, "contact"],
  contact_forces: ["f32", 3, "contact"],
};

/** What older files do not have, and files of runs without heat or liquid. */
const OPTIONAL: typeof NEEDED = {
  headings: ["i16", 2, "body"],
  temperatures: ["f32", 1, "body"],
  films: ["f32", 1, "body"],
};

export const BYTES_OF = { u16: 2, i16: 2, u32: 4, f32: 4 } as const;

/** The header and where the first frame begins, or null while too few bytes are there. */
export function readHeader(bytes: Uint8Array): { header: Header; end: number } | null {
  const known = Math.min(bytes.byteLength, MAGIC.length);
  if (latin(bytes.subarray(0, known)) !== MAGIC.slice(0, known)) {
    throw new Damage("This is no trajectory of Tumble: it does not begin with TUMBLETR.");
  }
  if (bytes.byteLength < FILE_HEAD) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== VERSION) {
    throw new Damage(
      `It is a trajectory of version ${version}, and this page reads version ${VERSION}. ` +
        "Show it with the program that wrote it.",
    );
  }
  const length = Number(view.getBigUint64(16, true));
  if (length % 8 !== 0) throw new Damage(`Its header has an impossible length, ${length}.`);
  const end = FILE_HEAD + length;
  if (end > bytes.byteLength) return null;
  const text = bytes.subarray(FILE_HEAD, end);
  if (xxh32(text) !== view.getUint32(12, true)) {
    throw new Damage(`Its header, bytes ${FILE_HEAD} to ${end}, is damaged: the checksum is not that of the text.`);
  }
  return { header: checkedHeader(JSON.parse(new TextDecoder().decode(text))), end };
}

/** The head of the frame at a place, or null if it is not there as a whole. */
export function readFrameHead(bytes: Uint8Array, at: number): FrameHead | null {
  if (at + FRAME_LEAST > bytes.byteLength) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, FRAME_LEAST);
  if (view.getUint32(0, true) !== FRAME) throw new Damage(`there is no frame at byte ${at}, where one should begin`);
  const length = Number(view.getBigUint64(8, true));
  if (length < 32 || length % 8 !== 0) throw new Damage(`the frame at byte ${at} has an impossible length, ${length}`);
  if (at + FRAME_HEAD + length > bytes.byteLength) return null;
  return {
    checksum: view.getUint32(4, true),
    length,
    step: Number(view.getBigUint64(16, true)),
    time: view.getFloat64(24, true),
    bodies: view.getUint32(32, true),
    contacts: view.getUint32(36, true),
    movingWalls: view.getUint32(40, true),
    lists: view.getUint32(44, true) === 1,
  };
}

export function rowsOf(of: ArrayLayout["of"], head: FrameHead): number {
  switch (of) {
    case "listed body":
      return head.lists ? head.bodies : 0;
    case "body":
      return head.bodies;
    case "moving wall":
      return head.movingWalls;
    case "contact":
      return head.contacts;
  }
}

/** Bytes that the arrays of a frame take. */
export function arrayBytes(header: Header, head: FrameHead): number {
  return header.arrays.reduce(
    (sum, array) => sum + rowsOf(array.of, head) * array.components * BYTES_OF[array.type],
    0,
  );
}

/** How far each template reaches from its centre of mass at scale one, m. */
export function reaches(header: Header): number[] {
  return header.templates.map((template) => {
    const { ellipsoids } = piecesOf(template);
    const points = new Set(template.ellipsoids?.flat() ?? []);
    const round = template.spheres.filter((_, number) => !points.has(number));
    const reach = round.map(([x, y, z, radius]) => Math.hypot(x, y, z) + radius);
    return Math.max(0, ...reach, ...ellipsoids.map(({ centre, longest }) => Math.hypot(...centre) + longest));
  });
}

/** A sphere swept along a segment, in the frame that orientations turn, m. */
export interface Capsule {
  middle: [number, number, number];
  /** From the middle to an end. */
  half: [number, number, number];
  radius: number;
}

/** An ellipsoid in the frame that orientations turn, m. */
export interface Ellipsoid {
  centre: [number, number, number];
  /** From there to the ends of its semi-axes, and the length of the longest of them. */
  axes: [number, number, number][];
  longest: number;
}

/** All within a rounding of a convex polytope, in the frame that orientations turn, m. */
export interface Polyhedron {
  /** The centres of the spheres at its corners. */
  corners: [number, number, number][];
  /** By the numbers of the corners, counter-clockwise seen from outside. */
  faces: number[][];
  /** Of those spheres. */
  radius: number;
}

export interface Pieces {
  spheres: Template["spheres"];
  capsules: Capsule[];
  ellipsoids: Ellipsoid[];
  polyhedra: Polyhedron[];
}

/** What a template is made of: spheres that are no ends of capsules, points of ellipsoids or corners of polyhedra; capsules, ellipsoids and polyhedra. */
export function piecesOf({ spheres, capsules = [], ellipsoids = [], polyhedra = [] }: Template): Pieces {
  const parts = new Set([...capsules.flat(), ...ellipsoids.flat(), ...polyhedra.flat(2)]);
  const capsuleOf = ([first, second]: [number, number]): Capsule => {
    const [a, b] = [spheres[first]!, spheres[second]!];
    const part = (sign: number) => [0, 1, 2].map((i) => (b[i]! + sign * a[i]!) / 2) as [number, number, number];
    return { middle: part(1), half: part(-1), radius: a[3] };
  };
  const ellipsoidOf = ([first, ...tips]: number[]): Ellipsoid => {
    const [x, y, z] = spheres[first!]!;
    const axes = tips.map((tip) => [spheres[tip]![0] - x, spheres[tip]![1] - y, spheres[tip]![2] - z] as [number, number, number]);
    return { centre: [x, y, z], axes, longest: Math.max(...axes.map((axis) => Math.hypot(...axis))) };
  };
  const polyhedronOf = (faces: number[][]): Polyhedron => {
    const numbers = [...new Set(faces.flat())];
    const corners = numbers.map((number) => spheres[number]!.slice(0, 3) as [number, number, number]);
    return { corners, faces: faces.map((face) => face.map((number) => numbers.indexOf(number))), radius: spheres[numbers[0]!]![3] };
  };
  return {
    polyhedra: polyhedra.map(polyhedronOf),
    spheres: spheres.filter((_, number) => !parts.has(number)),
    capsules: capsules.map(capsuleOf),
    ellipsoids: ellipsoids.map(ellipsoidOf),
  };
}

function checkedHeader(value: unknown): Header {
  const header = value as Header & { format?: string };
  if (header?.format !== "tumble-trajectory") throw new Damage("Its header does not say `tumble-trajectory`.");
  for (const [name, [type, components, of]] of Object.entries(NEEDED)) {
    const array = header.arrays?.find((array) => array.name === name);
    if (array === undefined || array.type !== type || array.components !== components || array.of !== of) {
      throw new Damage(`Its frames have no array \`${name}\` of ${components} ${type} for each ${of}.`);
    }
  }
  for (const [name, [type, components, of]] of Object.entries(OPTIONAL)) {
    const array = header.arrays.find((array) => array.name === name);
    if (array !== undefined && (array.type !== type || array.components !== components || array.of !== of)) {
      throw new Damage(`The array \`${name}\` of its frames is not of ${components} ${type} for each ${of}.`);
    }
  }
  const strange = header.arrays.find((array) => !(array.type in BYTES_OF));
  if (strange !== undefined) throw new Damage(`The array \`${strange.name}\` is of an unknown type, ${strange.type}.`);
  if (!Array.isArray(header.templates) || !Array.isArray(header.walls) || !Array.isArray(header.materials)) {
    throw new Damage("Its header has no list of templates, of walls or of materials.");
  }
  const lost = header.templates.find(({ spheres, capsules }) => capsules?.flat().some((end) => !(end in spheres)));
  if (lost !== undefined) throw new Damage(`The template \`${lost.name}\` has a capsule with an end that is no sphere of it.`);
  const torn = header.templates.find(({ spheres, ellipsoids }) => ellipsoids?.flat().some((point) => !(point in spheres)));
  if (torn !== undefined) throw new Damage(`The template \`${torn.name}\` has an ellipsoid with a point that is no sphere of it.`);
  const open = header.templates.find(
    ({ spheres, polyhedra }) => polyhedra?.some((faces) => faces.length < 4 || faces.flat().some((corner) => !(corner in spheres))),
  );
  if (open !== undefined) throw new Damage(`The template \`${open.name}\` has a polyhedron with a corner that is no sphere of it, or too few faces.`);
  return header;
}

function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
