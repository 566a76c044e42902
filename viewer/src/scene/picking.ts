// Which body a line of sight meets first: all pieces are tried, on the processor. For 100 000 that takes a few
// milliseconds, once per click.

import { piecesOf, reaches, type Header } from "../data/format";
import { turn, type Instant, type Vector } from "../interpolation";
import { dot, roundedSurface, supports, type Support } from "./rounded";

export interface Ray {
  origin: Vector;
  /** Of length one. */
  direction: Vector;
}

/** From one distance to another. */
export interface Part {
  from: number;
  to: number;
}

const ALL: Part = { from: 0, to: Infinity };

/** The row of the body that is met within a part of the ray, or −1. */
export function pick(ray: Ray, instant: Instant, header: Header, part: Part = ALL): number {
  const reach = reaches(header);
  const pieces = header.templates.map(piecesOf);
  const solids = pieces.map(({ polyhedra }) => polyhedra.map((shape) => supports(roundedSurface(shape))));
  const { list } = instant;
  let [best, nearest] = [-1, Infinity];
  for (let row = 0; row < list.ids.length; row += 1) {
    const [template, scale] = [list.kinds[2 * row]!, list.scales[row]!];
    const centre = instant.position(row);
    if (meets(ray, centre, (reach[template] ?? 0) * scale, part) === null) continue;
    const q = instant.orientation(row);
    const place = ([x, y, z]: readonly number[]): Vector => {
      const [dx, dy, dz] = turn(q, [x! * scale, y! * scale, z! * scale]);
      return [centre[0] + dx, centre[1] + dy, centre[2] + dz];
    };
    const take = (distance: number | null) => {
      if (distance !== null && distance < nearest) [best, nearest] = [row, distance];
    };
    const { spheres, capsules, ellipsoids } = pieces[template]!;
    for (const sphere of spheres) take(meets(ray, place(sphere), sphere[3] * scale, part));
    for (const { middle, half, radius } of capsules) {
      const ends = [-1, 1].map((sign) => place(middle.map((x, i) => x + sign * half[i]!))) as [Vector, Vector];
      take(meetsCapsule(ray, ends, radius * scale, part));
    }
    for (const { centre: middle, axes } of ellipsoids) {
      const turned = axes.map(([x, y, z]) => turn(q, [x * scale, y * scale, z * scale]) as Vector);
      take(meetsEllipsoid(ray, place(middle), turned, part));
    }
    for (const solid of solids[template]!) {
      const placed = solid.map(({ normal, height }) => {
        const turned = turn(q, normal) as Vector;
        return { normal: turned, height: height * scale + dot(turned, centre) };
      });
      take(meetsPlanes(ray, placed, part));
    }
  }
  return best;
}

/** How far a ray goes until it meets a sphere within a part of it; null if it does not. */
export function meets({ origin, direction }: Ray, centre: Vector, radius: number, { from, to }: Part = ALL): number | null {
  const way: Vector = [centre[0] - origin[0], centre[1] - origin[1], centre[2] - origin[2]];
  const along = way[0] * direction[0] + way[1] * direction[1] + way[2] * direction[2];
  const rest = radius * radius - (way[0] ** 2 + way[1] ** 2 + way[2] ** 2 - along * along);
  if (!(rest >= 0)) return null;
  const half = Math.sqrt(rest);
  const first = Math.max(along - half, from);
  return first > Math.min(along + half, to) ? null : first;
}

/** The same for a capsule between two ends. */
export function meetsCapsule(ray: Ray, [first, second]: [Vector, Vector], radius: number, part: Part = ALL): number | null {
  const less = (a: Vector, b: Vector, times = 1): Vector => [a[0] - b[0] * times, a[1] - b[1] * times, a[2] - b[2] * times];
  const core = less(second, first);
  const length = Math.sqrt(dot(core, core));
  const found = [first, second].map((end) => meets(ray, end, radius, part)).filter((distance) => distance !== null);
  const axis = core.map((x) => x / length) as Vector;
  // Beside the core: where the ray is within a cylinder, and between its two ends.
  const way = less(ray.origin, first);
  const [at, along] = [dot(way, axis), dot(ray.direction, axis)];
  const [beside, sideways] = [less(way, axis, at), less(ray.direction, axis, along)];
  const [square, mixed, rest] = [dot(sideways, sideways), dot(beside, sideways), dot(beside, beside) - radius * radius];
  const root = Math.sqrt(mixed * mixed - square * rest);
  const [low, high] = square > 0 ? [(-mixed - root) / square, (-mixed + root) / square] : rest <= 0 ? [-Infinity, Infinity] : [NaN, NaN];
  const [from, to] = along === 0 ? (at >= 0 && at <= length ? [-Infinity, Infinity] : [NaN, NaN]) : [-at / along, (length - at) / along];
  const start = Math.max(low, Math.min(from, to), part.from);
  const end = Math.min(high, Math.max(from, to), part.to);
  if (start <= end) found.push(start);
  return found.length > 0 ? Math.min(...found) : null;
}

/** The same for an ellipsoid with these semi-axes: along them, each in its own length, it is a ball of radius one. */
export function meetsEllipsoid(ray: Ray, centre: Vector, axes: Vector[], { from, to }: Part = ALL): number | null {
  const way: Vector = [ray.origin[0] - centre[0], ray.origin[1] - centre[1], ray.origin[2] - centre[2]];
  const seen = (v: Vector) => axes.map((axis) => dot(v, axis) / dot(axis, axis)) as Vector;
  const [start, along] = [seen(way), seen(ray.direction)];
  const [square, mixed] = [dot(along, along), dot(start, along)];
  const rest = mixed * mixed - square * (dot(start, start) - 1);
  if (!(rest >= 0)) return null;
  const first = Math.max((-mixed - Math.sqrt(rest)) / square, from);
  return first > Math.min((-mixed + Math.sqrt(rest)) / square, to) ? null : first;
}

/** The same for what is within all of some planes. */
export function meetsPlanes(ray: Ray, planes: Support[], { from, to }: Part = ALL): number | null {
  let [first, last] = [from, to];
  for (const { normal, height } of planes) {
    const [left, slope] = [height - dot(normal, ray.origin), dot(normal, ray.direction)];
    if (slope === 0 && left < 0) return null;
    if (slope < 0) first = Math.max(first, left / slope);
    if (slope > 0) last = Math.min(last, left / slope);
  }
  return first <= last ? first : null;
}

/** The part of a ray that a plane keeps: it is given by its normal, towards what is kept, and its distance. */
export function keptPart({ origin, direction }: Ray, normal: Vector, distance: number): Part {
  const [inside, slope] = [dot(normal, origin) + distance, dot(normal, direction)];
  const crossing = -inside / slope;
  if (slope > 0) return { from: Math.max(crossing, 0), to: Infinity };
  if (slope < 0) return { from: 0, to: crossing };
  return inside < 0 ? { from: Infinity, to: -Infinity } : ALL;
}
