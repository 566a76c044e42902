// Which body a line of sight meets first: all spheres are tried, on the processor. For 100 000 that takes a few
// milliseconds, once per click.

import { reaches, type Header } from "../data/format";
import { turn, type Instant, type Vector } from "../interpolation";

export interface Ray {
  origin: Vector;
  /** Of length one. */
  direction: Vector;
}

/** The row of the body, or −1. */
export function pick(ray: Ray, instant: Instant, header: Header): number {
  const reach = reaches(header);
  const { list } = instant;
  let [best, nearest] = [-1, Infinity];
  for (let row = 0; row < list.ids.length; row += 1) {
    const [template, scale] = [list.kinds[2 * row]!, list.scales[row]!];
    const centre = instant.position(row);
    if (meets(ray, centre, (reach[template] ?? 0) * scale) === null) continue;
    const q = instant.orientation(row);
    for (const [x, y, z, radius] of header.templates[template]!.spheres) {
      const [dx, dy, dz] = turn(q, [x * scale, y * scale, z * scale]);
      const distance = meets(ray, [centre[0] + dx, centre[1] + dy, centre[2] + dz], radius * scale);
      if (distance !== null && distance < nearest) [best, nearest] = [row, distance];
    }
  }
  return best;
}

/** How far a ray goes until it meets a sphere; null if it misses it or begins behind it. */
export function meets({ origin, direction }: Ray, centre: Vector, radius: number): number | null {
  const to: Vector = [centre[0] - origin[0], centre[1] - origin[1], centre[2] - origin[2]];
  const along = to[0] * direction[0] + to[1] * direction[1] + to[2] * direction[2];
  const rest = radius * radius - (to[0] ** 2 + to[1] ** 2 + to[2] ** 2 - along * along);
  if (!(rest >= 0)) return null;
  const half = Math.sqrt(rest);
  return along + half < 0 ? null : Math.max(along - half, 0);
}
