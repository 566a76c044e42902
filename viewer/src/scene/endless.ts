// Walls without end are drawn as large as is needed.

import * as three from "three";
import type { Wall } from "../data/format";
import { cornersOf } from "./framing";

/**
 * The corners of a wall. One that has no end along some directions reaches from one end of a box to the other along
 * each of them; with an empty box it stays as it is.
 */
export function stretched({ points, endless = [] }: Wall, needed: three.Box3): three.Vector3[] {
  const corners = points.map((point) => new three.Vector3(...point));
  if (needed.isEmpty()) return corners;
  for (const along of endless.map((direction) => new three.Vector3(...direction))) {
    const [low, high] = ends(corners, along);
    const [from, to] = ends(cornersOf(needed), along);
    if (!(high > low)) continue;
    for (const corner of corners) {
      const part = (corner.dot(along) - low) / (high - low);
      corner.addScaledVector(along, from + part * (to - from) - corner.dot(along));
    }
  }
  return corners;
}

function ends(points: three.Vector3[], along: three.Vector3): [number, number] {
  const places = points.map((point) => point.dot(along));
  return [Math.min(...places), Math.max(...places)];
}
