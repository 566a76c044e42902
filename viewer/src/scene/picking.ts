// Which body a line of sight meets first: all spheres are tried, on the processor. For 100 000 that takes a few
// milliseconds, once per click.

import { reaches, type Header } from "../data/format";
import { turn, type Instant, type Vector } from "../interpolation";

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
  const { list } = instant;
  let [best, nearest] = [-1, Infinity];
  for (let row = 0; row < list.ids.length; row += 1) {
    const [template, scale] = [list.kinds[2 * row]!, list.scales[row]!];
    const centre = instant.position(row);
    if (meets(ray, centre, (reach[template] ?? 0) * scale, part) === null) continue;
    const q = instant.orientation(row);
    for (const [x, y, z, radius] of header.templates[template]!.spheres) {
      const [dx, dy, dz] = turn(q, [x * scale, y * scale, z * scale]);
      const distance = meets(ray, [centre[0] + dx, centre[1] + dy, centre[2] + dz], radius * scale, part);
      if (distance !== null && distance < nearest) [best, nearest] = [row, distance];
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

/** The part of a ray that a plane keeps: it is given by its normal, towards what is kept, and its distance. */
export function keptPart({ origin, direction }: Ray, normal: Vector, distance: number): Part {
  const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [inside, slope] = [dot(normal, origin) + distance, dot(normal, direction)];
  const crossing = -inside / slope;
  if (slope > 0) return { from: Math.max(crossing, 0), to: Infinity };
  if (slope < 0) return { from: 0, to: crossing };
  return inside < 0 ? { from: Infinity, to: -Infinity } : ALL;
}
