// Where the bodies are over a run: what the view is framed on, and how far endless walls are drawn.

import * as three from "three";
import { reaches, type Wall } from "../data/format";
import type { Trajectory } from "../data/trajectory";
import { spread } from "../numbers";

/** Frames that are looked at, and bodies of each. */
const FRAMES = 24;
const ROWS = 20_000;
/** Bodies so many times the width of the middle half of all away from it are stray. */
const STRAY = 5;
const FEW = 20;
/** Walls are in view as far as this from the bodies, in sizes of what they fill. */
const AROUND = 1;

/** How much farther than what is needed endless walls are drawn, of its size. */
const MARGIN = 0.03;

export interface Extent {
  /** Around the bodies, and what of the walls is near them. */
  framed: three.Box3;
  /** How far endless walls are drawn: around the bodies and all that has an end, and a little more. */
  drawn: three.Box3;
}

/** What walls have an end along which axis; empty along an axis where none has. */
export function endsOf(walls: Wall[]): three.Box3 {
  const bounds = new three.Box3();
  for (const { points, endless = [] } of walls) {
    for (const axis of [0, 1, 2]) {
      if (endless.some((along) => Math.abs(along[axis]!) > 1e-6)) continue;
      for (const point of points) {
        bounds.min.setComponent(axis, Math.min(bounds.min.getComponent(axis), point[axis]!));
        bounds.max.setComponent(axis, Math.max(bounds.max.getComponent(axis), point[axis]!));
      }
    }
  }
  return bounds;
}

/** Takes what `endsOf` gives. Bodies that stray, or leave what has walls, do not count. Without a frame, over the run. */
export function extentOf(trajectory: Trajectory, walls: three.Box3, frame: number | null = null): Extent {
  const bodies = new three.Box3();
  const room = walls.isEmpty() ? null : grown(walls, 0.5);
  for (const number of frame === null ? spread(trajectory.length, FRAMES) : [frame]) {
    const kept = number === 0 ? null : room;
    for (const ball of inliers(ballsOf(trajectory, number))) {
      if (kept !== null && !kept.containsPoint(ball.center)) continue;
      const box = ball.getBoundingBox(new three.Box3());
      // A long body next to a wall does not reach through it.
      bodies.union(walls.containsPoint(ball.center) ? box.intersect(walls) : box);
    }
  }
  const drawn = bodies.clone().union(walls);
  const near = walls.clone().intersect(grown(bodies, AROUND));
  const framed = bodies.isEmpty() ? walls.clone() : bodies.clone().union(near);
  const margin = grown(drawn, MARGIN);
  for (const box of [framed, drawn]) {
    trajectory.header!.periodic.forEach((ends, axis) => {
      if (ends === null) return;
      box.min.setComponent(axis, Math.min(box.min.getComponent(axis), ends[0]));
      box.max.setComponent(axis, Math.max(box.max.getComponent(axis), ends[1]));
    });
    if (box.isEmpty()) box.setFromCenterAndSize(new three.Vector3(), new three.Vector3(1, 1, 1));
  }
  // Periodic sides are where the scene ends.
  trajectory.header!.periodic.forEach((ends, axis) => {
    if (ends !== null || margin.isEmpty()) return;
    drawn.min.setComponent(axis, margin.min.getComponent(axis));
    drawn.max.setComponent(axis, margin.max.getComponent(axis));
  });
  return { framed, drawn };
}

function ballsOf(trajectory: Trajectory, number: number): three.Sphere[] {
  const reach = reaches(trajectory.header!);
  const { positions, list } = trajectory.frame(number);
  const { kinds, scales } = trajectory.list(list);
  return spread(scales.length, ROWS)
    .map((row) => {
      const centre = new three.Vector3(...positions.subarray(3 * row, 3 * row + 3));
      return new three.Sphere(centre, (reach[kinds[2 * row]!] ?? 0) * scales[row]!);
    })
    .filter(({ center }) => Number.isFinite(center.lengthSq()));
}

/** Without those that are far from all the others; of a few, none is. */
function inliers(balls: three.Sphere[]): three.Sphere[] {
  if (balls.length < FEW) return balls;
  const limits = (["x", "y", "z"] as const).map((axis) => {
    const places = balls.map(({ center }) => center[axis]).sort((a, b) => a - b);
    const [low, high] = [0.25, 0.75].map((part) => places[Math.floor((places.length - 1) * part)] ?? 0) as [number, number];
    return { axis, low, high };
  });
  const least = balls.reduce((size, { radius }) => Math.max(size, 2 * radius), 0);
  const width = Math.max(least, ...limits.map(({ low, high }) => high - low));
  const near = ({ center }: three.Sphere) =>
    limits.every(({ axis, low, high }) => center[axis] >= low - STRAY * width && center[axis] <= high + STRAY * width);
  return balls.filter(near);
}

/** A box with so many of its largest sizes more on each side. */
function grown(box: three.Box3, by: number): three.Box3 {
  const size = box.isEmpty() ? 0 : Math.max(...box.getSize(new three.Vector3()).toArray());
  return box.clone().expandByScalar(size * by);
}
