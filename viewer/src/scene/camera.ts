// The point of view: orbit, zoom and pan by mouse, pen or fingers; fits the scene; follows a body.

import * as three from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const FIELD = 30;
/** How much of the picture the scene takes when it is fitted. */
const FILL = 0.94;
/** Where one looks from at first: so much to the right, towards oneself, and up. */
const FROM = { right: 0.5, towards: 1, up: 0.42 };

export class Eye {
  readonly camera = new three.PerspectiveCamera(FIELD, 1, 0.001, 10);
  readonly #surface: HTMLElement;
  readonly #up = new three.Vector3(0, 0, 1);
  #controls: OrbitControls;
  #radius = 1;
  readonly #seen = { position: new three.Vector3(), turn: new three.Quaternion() };

  constructor(surface: HTMLElement) {
    this.#surface = surface;
    this.#controls = controlsFor(this.camera, surface);
  }

  /** Where one looks at. */
  get target(): three.Vector3 {
    return this.#controls.target;
  }

  /** Two directions across the vertical, as seen at first, and the vertical. */
  get axes(): { right: three.Vector3; towards: three.Vector3; up: three.Vector3 } {
    const up = this.#up.clone();
    // Where z is up one looks along y, else against the axis that follows.
    const towards = Math.abs(up.z) > 0.7 ? new three.Vector3(0, -1, 0) : new three.Vector3(0, 0, 1);
    towards.addScaledVector(up, -towards.dot(up)).normalize();
    return { right: new three.Vector3().crossVectors(up, towards), towards, up };
  }

  /** Which way is up, until it is set again. */
  stand(up: three.Vector3): void {
    this.#up.copy(up).normalize();
    this.camera.up.copy(this.#up);
    // Controls take up the vertical when they are made.
    this.#controls.dispose();
    this.#controls = controlsFor(this.camera, this.#surface);
  }

  /** Shows all of a box; keeps the direction, or takes the first one. */
  fit(bounds: three.Box3, keep: boolean): void {
    const { camera } = this;
    const controls = this.#controls;
    const centre = bounds.getCenter(new three.Vector3());
    const { right, towards, up } = this.axes;
    const direction = keep
      ? camera.position.clone().sub(controls.target).normalize()
      : right.multiplyScalar(FROM.right).addScaledVector(towards, FROM.towards).addScaledVector(up, FROM.up).normalize();
    this.#radius = Math.max(bounds.getSize(new three.Vector3()).length() / 2, 1e-9);
    camera.position.copy(centre).add(direction);
    camera.lookAt(centre);
    camera.updateMatrixWorld();
    const turn = new three.Matrix3().setFromMatrix4(camera.matrixWorldInverse);
    const corners = cornersOf(bounds).map((corner) => corner.sub(centre).applyMatrix3(turn));
    const { x, y, distance } = framing(corners, camera.aspect);
    const aside = new three.Vector3(x, y, 0).applyMatrix3(turn.transpose());
    controls.target.copy(centre).add(aside);
    camera.position.copy(controls.target).addScaledVector(direction, distance);
    controls.minDistance = distance * 0.01;
    controls.maxDistance = distance * 20;
    controls.update();
  }

  /** Moves along with something that was moved. */
  shift(by: three.Vector3): void {
    this.camera.position.add(by);
    this.target.add(by);
  }

  /** Follows what hands did; tells whether the view has changed. */
  move(): boolean {
    this.#controls.update();
    // The controls tell of changes too, but in metres, whatever the size of the scene.
    const { position, quaternion } = this.camera;
    const least = 1e-5 * position.distanceTo(this.target);
    const still = position.distanceTo(this.#seen.position) < least && 1 - Math.abs(quaternion.dot(this.#seen.turn)) < 1e-11;
    if (still) return false;
    this.#seen.position.copy(position);
    this.#seen.turn.copy(quaternion);
    return true;
  }

  /** Before each picture: the nearest and farthest that is seen depend on where one is. */
  update(width: number, height: number): void {
    const { camera } = this;
    const distance = camera.position.distanceTo(this.target);
    camera.aspect = width / height;
    camera.near = Math.max(distance - 2 * this.#radius, distance * 0.01, 1e-9);
    camera.far = distance + 6 * this.#radius;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }
}

function controlsFor(camera: three.Camera, surface: HTMLElement): OrbitControls {
  const controls = new OrbitControls(camera, surface);
  controls.enableDamping = true;
  controls.dampingFactor = 0.12;
  controls.zoomToCursor = true;
  return controls;
}

function cornersOf({ min, max }: three.Box3): three.Vector3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (i) => new three.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
  );
}

/**
 * Where to aim, and from how far, to see all points as large as may be; they are given in the axes of the view, with
 * z towards the viewer. What is near looks larger, so that the middle of the picture is not that of the box.
 */
function framing(points: three.Vector3[], aspect: number): { x: number; y: number; distance: number } {
  const tangent = Math.tan(three.MathUtils.degToRad(FIELD / 2)) * FILL;
  const along = (axis: "x" | "y", slope: number) => {
    // Both edges of the picture touch a point: aim + slope (distance − z) ≥ point, and the same below.
    const above = Math.max(...points.map((point) => point[axis] + slope * point.z));
    const below = Math.max(...points.map((point) => -point[axis] + slope * point.z));
    return { aim: (above - below) / 2, distance: (above + below) / (2 * slope) };
  };
  const [x, y] = [along("x", tangent * aspect), along("y", tangent)];
  return { x: x.aim, y: y.aim, distance: Math.max(x.distance, y.distance) };
}
