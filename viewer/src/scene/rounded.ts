// The surface of a rounded polyhedron as triangles: flat faces, parts of cylinders along its edges, parts of spheres at its corners.
//
// Each point lies away from a corner of the core along its normal, by the rounding. The normals of the two faces at an edge are the ends of an arc, those at a
// corner the corners of a spherical polygon: arcs are divided evenly, the polygon in rings about its middle. So there are no gaps.

import type { Polyhedron } from "../data/format";
import type { Vector } from "../interpolation";

export interface RoundedSurface {
  points: Vector[];
  normals: Vector[];
  /** By the numbers of points, counter-clockwise seen from outside. */
  triangles: [number, number, number][];
}

/** A plane that touches a solid from outside: its normal, and how far it is from the origin along that. */
export interface Support {
  normal: Vector;
  height: number;
}

/** No two neighbours along an arc are farther apart than this, unless something else is said. */
const FINE = Math.PI / 6;

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function sum(a: Vector, b: Vector, times = 1): Vector {
  return [a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(a: Vector): Vector {
  const size = Math.hypot(...a);
  return [a[0] / size, a[1] / size, a[2] / size];
}

function angle(a: Vector, b: Vector): number {
  return Math.atan2(Math.hypot(...cross(a, b)), dot(a, b));
}

function parts(whole: number, widest: number): number {
  return Math.max(Math.ceil(whole / widest - 1e-9), 1);
}

export function roundedSurface({ corners, faces, radius }: Polyhedron, widest = FINE): RoundedSurface {
  const surface: RoundedSurface = { points: [], normals: [], triangles: [] };
  const push = (corner: number, normal: Vector): number => {
    surface.normals.push(normal);
    return surface.points.push(sum(corners[corner]!, normal, radius)) - 1;
  };
  /** Of each side, in its direction, the face on its left. */
  const sides = new Map<string, number>();
  const flat = faces.map((face, number) => {
    const arms = face.slice(1).map((corner) => sum(corners[corner]!, corners[face[0]!]!, -1));
    let whole: Vector = [0, 0, 0];
    for (let i = 1; i < arms.length; i += 1) whole = sum(whole, cross(arms[i - 1]!, arms[i]!));
    const normal = unit(whole);
    const points = face.map((corner) => push(corner, normal));
    for (let i = 2; i < points.length; i += 1) surface.triangles.push([points[0]!, points[i - 1]!, points[i]!]);
    face.forEach((corner, at) => sides.set(`${corner} ${face[(at + 1) % face.length]}`, number));
    return { normal, points };
  });
  /** From the face on the left to that on the right of a side, the points at its beginning. */
  const arcs = new Map<string, number[]>();
  faces.forEach((face, left) => {
    face.forEach((a, at) => {
      const b = face[(at + 1) % face.length]!;
      const right = sides.get(`${b} ${a}`);
      if (a > b || right === undefined) return;
      const [from, to] = [flat[left]!.normal, flat[right]!.normal];
      const whole = angle(from, to);
      const count = parts(whole, widest);
      const between = Array.from({ length: count - 1 }, (_, i) => {
        const [there, back] = [i + 1, count - 1 - i].map((part) => Math.sin((whole * part) / count) / Math.sin(whole));
        return sum([from[0] * back!, from[1] * back!, from[2] * back!], to, there!);
      });
      const [own, other] = [a, b].map((corner) => [
        flat[left]!.points[face.indexOf(corner)]!,
        ...between.map((normal) => push(corner, normal)),
        flat[right]!.points[faces[right]!.indexOf(corner)]!,
      ]) as [number[], number[]];
      for (let i = 0; i < count; i += 1) {
        surface.triangles.push([own[i]!, own[i + 1]!, other[i + 1]!], [own[i]!, other[i + 1]!, other[i]!]);
      }
      arcs.set(`${a} ${b}`, own);
      arcs.set(`${b} ${a}`, other.reverse());
    });
  });
  corners.forEach((_, corner) => {
    const face = faces.find((face) => face.includes(corner));
    if (face === undefined) return;
    const first = face[(face.indexOf(corner) + 1) % face.length]!;
    // Clockwise, from face to face over the sides that begin here.
    const ring: number[] = [];
    let to = first;
    do {
      const arc = arcs.get(`${corner} ${to}`);
      const next = faces[sides.get(`${to} ${corner}`) ?? -1];
      if (arc === undefined || next === undefined) return;
      ring.push(...arc.slice(0, -1));
      to = next[(next.indexOf(corner) + 1) % next.length]!;
    } while (to !== first && ring.length < 10_000);
    const normals = ring.map((point) => surface.normals[point]!);
    const middle = unit(normals.reduce((all, normal) => sum(all, normal)));
    const rings = parts(Math.max(...normals.map((normal) => angle(middle, normal))), widest);
    const centre = push(corner, middle);
    let inner = ring.map(() => centre);
    for (let at = 1; at <= rings; at += 1) {
      const part = at / rings;
      const apart = (normal: Vector) => unit(sum(sum([0, 0, 0], middle, 1 - part), normal, part));
      const outer = at < rings ? normals.map((normal) => push(corner, apart(normal))) : ring;
      ring.forEach((_, i) => {
        const next = (i + 1) % ring.length;
        surface.triangles.push([inner[i]!, outer[next]!, outer[i]!]);
        if (inner[i] !== inner[next]) surface.triangles.push([inner[i]!, inner[next]!, outer[next]!]);
      });
      inner = outer;
    }
  });
  return surface;
}

/** The planes that touch a surface at its points: within all of them is the solid, nearly. */
export function supports({ points, normals }: RoundedSurface): Support[] {
  const known = new Map<string, Support>();
  points.forEach((point, i) => {
    const normal = normals[i]!;
    // Those of a flat face are one.
    known.set(normal.map((part) => part.toFixed(6)).join(), { normal, height: dot(point, normal) });
  });
  return [...known.values()];
}
