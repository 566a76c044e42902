// Bodies between frames are where straight lines and shortest turns put them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Trajectory } from "../src/data/trajectory";
import { Instant, RowMatcher, shortest, slerp, turn, type Quaternion, type Vector } from "../src/interpolation";
import { axisBetween, massOf, rotationalEnergy } from "../src/mechanics";
import { keptPart, meets, meetsCapsule, meetsEllipsoid, meetsPlanes, pick } from "../src/scene/picking";
import { dot, roundedSurface, supports } from "../src/scene/rounded";
import { pathOf } from "../src/scene/trace";
import { frame, header, HEADER, join, OLDER_ARRAYS, type Body } from "./writer";

function close(value: readonly number[], expected: readonly number[], error = 1e-9): void {
  assert.equal(value.length, expected.length);
  value.forEach((x, i) => assert.ok(Math.abs(x - expected[i]!) <= error, `${value} is not ${expected}`));
}

/** A turn about an axis of length one. */
function about([x, y, z]: Vector, angle: number): Quaternion {
  const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  return [c, s * x, s * y, s * z];
}

function trajectoryOf(frames: Body[][], changes: object = {}, older = false): Trajectory {
  const trajectory = new Trajectory();
  const parts = frames.map((bodies, i) => frame({ step: i, time: i, bodies, lists: true, older }));
  trajectory.bytes.append(join(header(older ? { arrays: OLDER_ARRAYS, ...changes } : changes), ...parts));
  trajectory.scan();
  assert.equal(trajectory.length, frames.length);
  return trajectory;
}

function at(trajectory: Trajectory, time: number): Instant {
  return new Instant(trajectory, trajectory.momentAt(time), new RowMatcher());
}

test("a part of the way is that part of the angle about the same axis", () => {
  const axis: Vector = [0.6, 0, 0.8];
  for (const angle of [1e-5, 0.3, 2, 3.1]) {
    for (const mix of [0, 0.25, 0.5, 1]) close(slerp(about(axis, 0), about(axis, angle), mix), about(axis, angle * mix), 1e-8);
  }
});

test("q and −q are the same orientation, and the shorter way is taken", () => {
  const [a, b] = [about([0, 0, 1], 0.2), about([0, 0, 1], 0.6)];
  close(slerp(a, b.map((part) => -part) as Quaternion, 0.5), about([0, 0, 1], 0.4));
});

test("a quarter turn about z takes x to y", () => {
  close(turn(about([0, 0, 1], Math.PI / 2), [1, 0, 0]), [0, 1, 0]);
  close(turn(about([1, 0, 0], Math.PI / 2), [0, 1, 0]), [0, 0, 1]);
});

test("ways lead out of one side of a periodic box and in at the other", () => {
  assert.equal(shortest(0.9, 0.1, 0), -0.8);
  assert.ok(Math.abs(shortest(0.9, 0.1, 1) - 0.2) < 1e-12);
  const body = (x: number): Body[] => [{ id: 1, place: [x, 0, 0] }];
  const trajectory = trajectoryOf([body(0.875), body(0.125)], { periodic: [[0, 1], null, null] });
  close(at(trajectory, 0.25).position(0), [0.9375, 0, 0]);
  assert.deepEqual(pathOf(trajectory, 1), []);
});

test("bodies are found by number when the list has changed", () => {
  const trajectory = trajectoryOf([
    [{ id: 1, place: [0, 0, 0], speed: 1 }, { id: 2, place: [5, 0, 0], speed: 2, towards: [0, -1, 0] }],
    [{ id: 3, place: [9, 9, 9] }, { id: 1, place: [2, 0, 0], speed: 3 }],
  ]);
  const half = at(trajectory, 0.5);
  close(half.position(half.rowOf(1)), [1, 0, 0]);
  assert.equal(half.scalar("speeds", half.rowOf(1)), 2);
  close(half.velocity(half.rowOf(1))!.vector, [0, 0, 2], 1e-4);
  // One that goes stays where it was, one that comes is not there before.
  close(half.position(half.rowOf(2)), [5, 0, 0]);
  close(half.velocity(half.rowOf(2))!.vector, [0, -2, 0], 1e-4);
  assert.equal(half.rowOf(3), -1);
  assert.equal(pathOf(trajectory, 1).length, 1);
});

test("velocities have the directions that were written, at the last frame too", () => {
  const directions: Vector[] = [[1, 0, 0], [0, 0, -1], [0.6, 0, -0.8], [-0.48, 0.6, 0.64], [-0.64, -0.48, -0.6]];
  const bodies = directions.map((towards, id): Body => ({ id, place: [0, 0, 0], speed: 5, towards }));
  const only = at(trajectoryOf([bodies]), 0);
  directions.forEach((towards, row) => {
    const { vector, mean } = only.velocity(row)!;
    close(vector, towards.map((part) => 5 * part), 5e-4);
    assert.equal(mean, false);
  });
});

test("older files tell the mean velocity to the next frame", () => {
  const older = trajectoryOf([[{ id: 1, place: [0, 0, 0] }], [{ id: 1, place: [0, 2, 0] }]], {}, true);
  assert.deepEqual(at(older, 0.5).velocity(0), { vector: [0, 2, 0], mean: true });
  assert.equal(at(older, 1).velocity(0), null);
});

test("a ray meets the nearest sphere, and not what is behind it", () => {
  const ray = { origin: [0, 0, 0] as Vector, direction: [1, 0, 0] as Vector };
  assert.equal(meets(ray, [5, 0, 0], 1), 4);
  assert.equal(meets(ray, [-5, 0, 0], 1), null);
  assert.equal(meets(ray, [5, 1.01, 0], 1), null);
  assert.equal(meets(ray, [NaN, 0, 0], 1), null);
  // A rod of two spheres on x, turned onto y, is hit at its ends and missed at the sides.
  const rod: Body = { id: 4, template: 1, place: [3, 0, 0], turn: about([0, 0, 1], Math.PI / 2) };
  const trajectory = trajectoryOf([[{ id: 2, place: [6, 0.1, 0] }, rod]]);
  const up = (y: number) => ({ origin: [0, y, 0] as Vector, direction: [1, 0, 0] as Vector });
  const header = trajectory.header!;
  assert.equal(pick(up(0.1), at(trajectory, 0), header), 1);
  assert.equal(pick(up(0.19), at(trajectory, 0), header), 0);
  assert.equal(pick(up(-0.19), at(trajectory, 0), header), -1);
});

test("what is cut off is not met, and a ball is met where it is cut", () => {
  const ray = { origin: [0, 0, 0] as Vector, direction: [1, 0, 0] as Vector };
  // Kept beyond x = 5: the ball at 5 is met at its flat face, that at 3 not at all.
  const beyond = keptPart(ray, [1, 0, 0], -5);
  assert.equal(meets(ray, [5, 0, 0], 1, beyond), 5);
  assert.equal(meets(ray, [3, 0, 0], 1, beyond), null);
  // Kept before x = 5.
  const before = keptPart(ray, [-1, 0, 0], 5);
  assert.equal(meets(ray, [5, 0, 0], 1, before), 4);
  assert.equal(meets(ray, [7, 0, 0], 1, before), null);
  // Along the plane, on either side of it.
  assert.equal(meets(ray, [5, 0, 0], 1, keptPart(ray, [0, 1, 0], 0.1)), 4);
  assert.equal(meets(ray, [5, 0, 0], 1, keptPart(ray, [0, 1, 0], -0.1)), null);
});

test("energies need masses, and are those of a ball", () => {
  const ball: Body = { id: 1, place: [0, 0, 0], scale: 2, spin: 3, speed: 1 };
  const turned: Body = { ...ball, turn: about([0, 0, 1], 0.5) };
  const [volume, moment] = [0.004, 0.00002];
  const templates = [{ name: "ball", spheres: [[0, 0, 0, 0.1]], volume, moments_per_density: [moment, moment, moment] }];
  const known = trajectoryOf([[ball], [turned]], { templates, densities: [1000, 1] });
  const instant = at(known, 0);
  close([massOf(known.header!, instant.list, 0)!], [1000 * volume * 8]);
  close([rotationalEnergy(known.header!, instant, 0)!], [0.5 * 1000 * 32 * moment * 9]);
  assert.equal(massOf(trajectoryOf([[ball]]).header!, instant.list, 0), null);
});

test("the axis of a turn is given in the axes of the body", () => {
  const start = about([1, 0, 0], Math.PI / 2);
  // Turned further about its own z axis: q ∘ r.
  const [w, s] = [Math.cos(0.1), Math.sin(0.1)];
  const end: Quaternion = [start[0] * w, start[1] * w, -start[1] * s, start[0] * s];
  close(axisBetween(start, end)!, [0, 0, 1]);
  assert.equal(axisBetween(start, start), null);
});

test("a ray meets a capsule at its side, at its ends, and from within", () => {
  const ray = { origin: [0, 0, 0] as Vector, direction: [1, 0, 0] as Vector };
  const across: [Vector, Vector] = [[5, -3, 0], [5, 3, 0]];
  assert.equal(meetsCapsule(ray, across, 1), 4);
  // Beyond the end of the core by 0.6 of the radius: a sphere is met 0.8 before its middle.
  const up = { origin: [0, 3.6, 0] as Vector, direction: [1, 0, 0] as Vector };
  assert.ok(Math.abs(meetsCapsule(up, across, 1)! - 4.2) < 1e-12);
  assert.equal(meetsCapsule({ origin: [0, 4.1, 0], direction: [1, 0, 0] }, across, 1), null);
  // Along the core, beside it, and behind the eye.
  assert.equal(meetsCapsule(ray, [[5, 0, 0], [9, 0, 0]], 1), 4);
  assert.equal(meetsCapsule(ray, [[5, 2, 0], [9, 2, 0]], 1), null);
  assert.equal(meetsCapsule(ray, [[-9, 0, 0], [-5, 0, 0]], 1), null);
  assert.equal(meetsCapsule(ray, [[-9, 0, 0], [5, 0, 0]], 1), 0);
  // At 45°, the cylinder is met √2 radii before the core.
  assert.ok(Math.abs(meetsCapsule(ray, [[2, -3, 0], [8, 3, 0]], 0.5)! - (5 - 0.5 * Math.SQRT2)) < 1e-12);
});

test("a ray meets an ellipsoid along its semi-axes, aslant, and from within", () => {
  const ray: { origin: Vector; direction: Vector } = { origin: [0, 0, 0], direction: [1, 0, 0] };
  const axes: Vector[] = [[2, 0, 0], [0, 1, 0], [0, 0, 0.5]];
  assert.equal(meetsEllipsoid(ray, [5, 0, 0], axes), 3);
  assert.equal(meetsEllipsoid(ray, [5, 0, 0.51], axes), null);
  assert.equal(meetsEllipsoid(ray, [1, 0, 0], axes), 0);
  assert.equal(meetsEllipsoid(ray, [-5, 0, 0], axes), null);
  // Where 1 − (0.6)² is left of the length of the semi-axis, squared.
  assert.ok(Math.abs(meetsEllipsoid(ray, [5, 0.6, 0], axes)! - (5 - 2 * 0.8)) < 1e-12);
  // Turned by 45°, its reach along the ray: 1 / √(1/a² + 1/b²) · √2.
  const half = Math.SQRT1_2;
  const turned: Vector[] = [[2 * half, 2 * half, 0], [-half, half, 0], [0, 0, 0.5]];
  assert.ok(Math.abs(meetsEllipsoid(ray, [5, 0, 0], turned)! - (5 - Math.SQRT2 / Math.sqrt(1 + 0.25))) < 1e-12);
});

/** A cube of side 2 that is rounded by 0.5, so that the core reaches from −0.5 to 0.5. */
const CUBE = {
  corners: [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [(n & 1) - 0.5, ((n >> 1) & 1) - 0.5, ((n >> 2) & 1) - 0.5] as Vector),
  faces: [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]],
  radius: 0.5,
};

test("the surface of a rounded polyhedron has no gaps, and the size and the normals of the solid", () => {
  for (const widest of [Math.PI / 2, Math.PI / 6, Math.PI / 30]) {
    const { points, normals, triangles } = roundedSurface(CUBE, widest);
    const sides = new Map<string, number>();
    let volume = 0;
    for (const triangle of triangles) {
      triangle.forEach((a, i) => {
        const side = `${a} ${triangle[(i + 1) % 3]}`;
        sides.set(side, (sides.get(side) ?? 0) + 1);
      });
      const [a, b, c] = triangle.map((corner) => points[corner]!) as [Vector, Vector, Vector];
      volume += dot(a, [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]]) / 6;
    }
    for (const [side, count] of sides) {
      assert.equal(count, 1);
      assert.equal(sides.get(side.split(" ").reverse().join(" ")), 1, side);
    }
    assert.equal(points.length + triangles.length, sides.size / 2 + 2);
    // A cube, six plates, twelve quarters of cylinders and a ball.
    const exact = 1 + 6 * 0.5 + 3 * Math.PI * 0.25 + (4 / 3) * Math.PI * 0.125;
    assert.ok(volume < exact && volume > exact * (1 - 0.2 * widest ** 2), `${volume} of ${exact}`);
    points.forEach((point, i) => {
      const core = point.map((x) => Math.min(Math.max(x, -0.5), 0.5)) as Vector;
      const away = [0, 1, 2].map((axis) => (point[axis]! - core[axis]!) / 0.5) as Vector;
      assert.ok(Math.hypot(...away.map((x, axis) => x - normals[i]![axis]!)) < 1e-12);
    });
  }
});

test("a ray meets a rounded polyhedron at a face, at a corner, and from within", () => {
  const solid = supports(roundedSurface(CUBE));
  const ray = (origin: Vector, direction: Vector) => ({ origin, direction });
  assert.equal(meetsPlanes(ray([-5, 0.2, 0.3], [1, 0, 0]), solid), 4);
  assert.equal(meetsPlanes(ray([0, 0, 0], [1, 0, 0]), solid), 0);
  assert.equal(meetsPlanes(ray([-5, 1.01, 0], [1, 0, 0]), solid), null);
  assert.equal(meetsPlanes(ray([5, 0, 0], [1, 0, 0]), solid), null);
  const third = 1 / Math.sqrt(3);
  const found = meetsPlanes(ray([-5, -5, -5], [third, third, third]), solid)!;
  assert.ok(Math.abs(found - (4.5 * Math.sqrt(3) - 0.5)) < 1e-9, `${found}`);
});

test("a polyhedron is picked where its rounded faces are, and not where its spheres would be", () => {
  const spheres = CUBE.corners.map((corner) => [...corner, CUBE.radius]);
  const die: Body = { id: 4, template: 1, place: [3, 0, 0], turn: about([0, 0, 1], Math.PI / 4) };
  const templates = { templates: [HEADER.templates[0], { name: "die", spheres, polyhedra: [CUBE.faces] }] };
  const trajectory = trajectoryOf([[die]], templates);
  // Its core reaches as far as half of √2 aside.
  const reach = Math.SQRT1_2 + 0.5;
  const along = (y: number) => pick({ origin: [0, y, 0], direction: [1, 0, 0] }, at(trajectory, 0), trajectory.header!);
  assert.deepEqual([along(0), along(reach - 0.03), along(reach + 0.03)], [0, 0, -1]);
});

test("what lies between the ends of a capsule is picked, and not of two spheres", () => {
  const rod: Body = { id: 4, template: 1, place: [3, 0, 0], turn: about([0, 0, 1], Math.PI / 2) };
  const templates = (capsules: object) => ({
    templates: [HEADER.templates[0], { name: "rod", spheres: [[-0.5, 0, 0, 0.1], [0.5, 0, 0, 0.1]], ...capsules }],
  });
  const ray = { origin: [0, 0.2, 0] as Vector, direction: [1, 0, 0] as Vector };
  const [fibre, pair] = [{ capsules: [[0, 1]] }, {}].map((capsules) => trajectoryOf([[rod]], templates(capsules)));
  assert.equal(pick(ray, at(fibre!, 0), fibre!.header!), 0);
  assert.equal(pick(ray, at(pair!, 0), pair!.header!), -1);
});
