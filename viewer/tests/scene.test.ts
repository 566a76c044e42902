// What the scene is framed on, how far endless walls are drawn, and how a box fills the picture.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Box3, PerspectiveCamera, Vector3 } from "three";
import type { Wall } from "../src/data/format";
import { Trajectory } from "../src/data/trajectory";
import { stretched } from "../src/scene/endless";
import { endsOf, extentOf } from "../src/scene/extent";
import { cornersOf, framing } from "../src/scene/framing";
import { frame, header, join, type Body } from "./writer";

const PLAIN = { name: "", material: 0, moves: true, pivot: [0, 0, 0] as [number, number, number] };
/** A patch of an endless floor, drawn a kilometre wide. */
const FLOOR: Wall = {
  ...PLAIN,
  points: [[-500, -500, 0], [500, -500, 0], [500, 500, 0], [-500, 500, 0]],
  triangles: [[0, 1, 2], [0, 2, 3]],
  endless: [[1, 0, 0], [0, 1, 0]],
};
/** A slanted strip without end along (0, 0.6, 0.8). */
const STRIP: Wall = {
  ...PLAIN,
  points: [[0, 0, 0], [1, 0, 0], [1, 0.6, 0.8], [0, 0.6, 0.8]],
  triangles: [[0, 1, 2], [0, 2, 3]],
  endless: [[0, 0.6, 0.8]],
};

function balls(...places: [number, number, number][]): Body[] {
  return places.map((place, id) => ({ id, place }));
}

function trajectoryOf(frames: Body[][], changes: object = {}): Trajectory {
  const trajectory = new Trajectory();
  const parts = frames.map((bodies, i) => frame({ step: i, time: i, bodies, lists: true }));
  trajectory.bytes.append(join(header(changes), ...parts));
  trajectory.scan();
  return trajectory;
}

function near(box: Box3, low: number[], high: number[], error = 1e-6): void {
  [...box.min.toArray(), ...box.max.toArray()].forEach((value, i) => {
    assert.ok(Math.abs(value - [...low, ...high][i]!) <= error, `${JSON.stringify(box)} is not from ${low} to ${high}`);
  });
}

test("the view is framed on bodies throughout the run, not on an endless floor", () => {
  const trajectory = trajectoryOf([balls([0, 0, 1], [1, 0, 1]), balls([0, 0, 0.1], [3, 0, 0.1])]);
  const { framed, drawn } = extentOf(trajectory, endsOf([FLOOR]));
  near(framed, [-0.1, -0.1, 0], [3.1, 0.1, 1.1]);
  // The floor is drawn as far as that, and a little farther.
  const floor = new Box3().setFromPoints(stretched(FLOOR, drawn));
  assert.ok(floor.containsBox(new Box3(new Vector3(-0.1, -0.1, 0), new Vector3(3.1, 0.1, 0))));
  assert.ok(floor.getSize(new Vector3()).x < 4.5 && floor.min.z === 0 && floor.max.z === 0);
});

test("bodies that stray, or leave what has walls, are not framed", () => {
  const heap = Array.from({ length: 40 }, (_, i): [number, number, number] => [(i % 7) * 0.2, (i % 5) * 0.2, 0]);
  const strayed = trajectoryOf([balls(...heap, [1000, 0, 0])]);
  assert.ok(extentOf(strayed, endsOf([FLOOR])).framed.max.x < 2);
  const box: Wall = { ...PLAIN, points: cornersOf(new Box3(new Vector3(-1, -1, -1), new Vector3(2, 2, 2))).map((p) => p.toArray()), triangles: [] };
  const fallen = trajectoryOf([balls([0, 0, 0], [1, 1, 1]), balls([0, 0, -50], [1, 1, -60])]);
  near(extentOf(fallen, endsOf([box])).framed, [-1, -1, -1], [2, 2, 2]);
  // A ball at a wall, of which only the reach is known, does not reach through it.
  near(extentOf(trajectoryOf([balls([1.99, 0, 0])]), endsOf([box])).framed, [1.69, -0.3, -0.3], [2, 0.3, 0.3], 1e-5);
});

test("walls much larger than the bodies are in view only around them", () => {
  const hall: Wall = { ...PLAIN, points: [[-100, -100, 0], [100, -100, 0], [100, 100, 50]], triangles: [[0, 1, 2]] };
  const { framed } = extentOf(trajectoryOf([balls([0, 0, 1], [1, 0, 1])]), endsOf([hall]));
  near(framed, [-1.3, -1.3, 0], [2.3, 1.3, 2.3], 1e-5);
});

test("floors end at periodic sides, and slanted walls reach as far as a box", () => {
  const { drawn, framed } = extentOf(trajectoryOf([balls([0.5, 0, 0.1])], { periodic: [[0, 2], null, null] }), endsOf([FLOOR]));
  assert.deepEqual([drawn.min.x, drawn.max.x, framed.max.x], [0, 2, 2]);
  assert.ok(drawn.min.y < -0.1);
  const corners = stretched(STRIP, new Box3(new Vector3(0, 0, 0), new Vector3(9, 5, 5)));
  const along = corners.map((corner) => corner.dot(new Vector3(0, 0.6, 0.8)));
  assert.deepEqual(along.map((x) => Number(x.toFixed(9))), [0, 0, 7, 7]);
  assert.deepEqual(corners.map(({ x }) => x), [0, 1, 1, 0]);
  assert.deepEqual(stretched(STRIP, new Box3()).map((p) => p.toArray()), STRIP.points);
});

test("a box fills the picture from any side, with perspective or without", () => {
  const box = new Box3(new Vector3(-1, 2, 0), new Vector3(3, 3, 0.5));
  const [slope, aspect] = [Math.tan(Math.PI / 12), 1.5];
  for (const side of [[1, -2, 0.7], [0, -1, 0], [1, 0, 0], [-0.3, 0.2, -0.9]]) {
    const direction = new Vector3(...side).normalize();
    for (const used of [slope, 0]) {
      const { target, half } = framing(box, direction, new Vector3(0, 0, 1), aspect, used);
      const camera = new PerspectiveCamera(30, aspect);
      camera.up.set(0, 0, 1);
      camera.position.copy(target).addScaledVector(direction, half / slope);
      camera.lookAt(target);
      camera.updateMatrixWorld();
      const seen = cornersOf(box).map((corner) => {
        const { x, y, z } = corner.applyMatrix4(camera.matrixWorldInverse);
        const reach = used > 0 ? -z * slope : half;
        return Math.max(Math.abs(x) / (reach * aspect), Math.abs(y) / reach);
      });
      assert.ok(Math.max(...seen) < 1 && Math.max(...seen) > 0.9, `${side}, ${used}: ${Math.max(...seen)}`);
    }
  }
});
