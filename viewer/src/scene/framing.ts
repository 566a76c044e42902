// How to see all of a box as large as may be.

import * as three from "three";

/** How much of the picture it takes. */
const FILL = 0.92;

/**
 * Where to aim, and half the height of the picture there, m. The direction leads to the viewer; the slope is that of
 * the upper edge of the picture as the viewer sees it, or 0 without perspective.
 */
export function framing(
  bounds: three.Box3,
  direction: three.Vector3,
  up: three.Vector3,
  aspect: number,
  slope: number,
): { target: three.Vector3; half: number } {
  const centre = bounds.getCenter(new three.Vector3());
  const turn = new three.Matrix4().lookAt(direction, new three.Vector3(), up);
  const toView = new three.Matrix3().setFromMatrix4(turn).transpose();
  const corners = cornersOf(bounds).map((corner) => corner.sub(centre).applyMatrix3(toView));
  const [x, y] = [along(corners, "x", slope * aspect * FILL), along(corners, "y", slope * FILL)];
  const half = slope > 0 ? Math.max(x.distance, y.distance) * slope : Math.max(x.half / aspect, y.half) / FILL;
  const aside = new three.Vector3(x.aim, y.aim, 0).applyMatrix3(toView.transpose());
  return { target: centre.add(aside), half: Math.max(half, 1e-9) };
}

/**
 * What is near looks larger, so that the middle of the picture is not that of the box: both edges of the picture touch
 * a point, aim + slope (distance − z) ≥ point, and the same below.
 */
function along(points: three.Vector3[], axis: "x" | "y", slope: number): { aim: number; distance: number; half: number } {
  const above = Math.max(...points.map((point) => point[axis] + slope * point.z));
  const below = Math.max(...points.map((point) => -point[axis] + slope * point.z));
  return { aim: (above - below) / 2, distance: (above + below) / (2 * slope), half: (above + below) / 2 };
}

export function cornersOf({ min, max }: three.Box3): three.Vector3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (i) => new three.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
  );
}
