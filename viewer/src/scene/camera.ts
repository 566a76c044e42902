// The point of view: orbit, zoom and pan by mouse, pen or fingers; with perspective or without; fits the scene, looks
// along an axis, follows a body.

import * as three from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { framing } from "./framing";

const FIELD = 30;
const SLOPE = Math.tan(three.MathUtils.degToRad(FIELD / 2));
/** Where one looks from at first: so much to the right, towards oneself, and up. */
const FROM = { right: 0.5, towards: 1, up: 0.42 };
/** Straight down or up there is no right and left; so little aside there is, and nobody sees it. */
const ASIDE = 1e-5;

export class Eye {
  readonly #perspective = new three.PerspectiveCamera(FIELD, 1, 0.001, 10);
  readonly #parallel = new three.OrthographicCamera();
  readonly #surface: HTMLElement;
  readonly #up = new three.Vector3(0, 0, 1);
  #controls: OrbitControls;
  /** How far everything reaches, m. */
  depth = 1;
  #aspect = 1;
  /** Half the height of the picture of the parallel view at zoom 1, m. */
  #half = 1;
  #touched = false;
  readonly #seen = { position: new three.Vector3(), turn: new three.Quaternion(), half: 0 };

  constructor(surface: HTMLElement) {
    this.#surface = surface;
    this.#controls = this.#controlsFor(this.#perspective);
  }

  get camera(): three.PerspectiveCamera | three.OrthographicCamera {
    return this.#controls.object as three.PerspectiveCamera | three.OrthographicCamera;
  }

  /** Where one looks at. */
  get target(): three.Vector3 {
    return this.#controls.target;
  }

  /** Hands have moved it. */
  get touched(): boolean {
    return this.#touched;
  }

  /** Half the height of what is seen, where one looks at, m. */
  get half(): number {
    const { camera } = this;
    return camera === this.#parallel
      ? this.#half / this.#parallel.zoom
      : camera.position.distanceTo(this.target) * SLOPE;
  }

  /** Parallel lines stay parallel, and lengths can be measured. */
  get orthographic(): boolean {
    return this.camera === this.#parallel;
  }

  set orthographic(wanted: boolean) {
    if (wanted === this.orthographic) return;
    const [half, direction] = [this.half, this.#direction()];
    const camera = wanted ? this.#parallel : this.#perspective;
    this.#controls.object = camera;
    camera.up.copy(this.#up);
    this.#stepBack(direction, half);
  }

  /** What a pixel covers: as an angle, or without perspective as a length, m. */
  pixel(height: number): number {
    return (2 * (this.orthographic ? this.half : SLOPE)) / height;
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
    const { camera } = this;
    camera.up.copy(this.#up);
    // Controls take up the vertical when they are made.
    this.#controls.dispose();
    this.#controls = this.#controlsFor(camera);
    this.#touched = false;
  }

  /** From which side one looks, as a vector towards the viewer of any length. */
  lookFrom(side: three.Vector3): void {
    const { up, towards } = this.axes;
    const direction = side.clone().normalize();
    if (Math.abs(direction.dot(up)) > 1 - ASIDE) direction.addScaledVector(towards, ASIDE).normalize();
    this.#stepBack(direction, this.half);
  }

  /** Shows all of a box; keeps the direction, or takes the first one. */
  fit(bounds: three.Box3, keep: boolean): void {
    const { right, towards, up } = this.axes;
    const direction = keep
      ? this.#direction()
      : right.multiplyScalar(FROM.right).addScaledVector(towards, FROM.towards).addScaledVector(up, FROM.up).normalize();
    const { target, half } = framing(bounds, direction, this.#up, this.#aspect, this.orthographic ? 0 : SLOPE);
    this.target.copy(target);
    this.#stepBack(direction, half);
    const distance = half / SLOPE;
    this.#controls.minDistance = distance * 0.01;
    this.#controls.maxDistance = distance * 20;
    this.#controls.minZoom = 0.05;
    this.#controls.maxZoom = 100;
    this.#controls.update();
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
    const { half } = this;
    const least = 1e-5 * half;
    const still =
      position.distanceTo(this.#seen.position) < least &&
      1 - Math.abs(quaternion.dot(this.#seen.turn)) < 1e-11 &&
      Math.abs(half - this.#seen.half) < least;
    if (still) return false;
    this.#seen.position.copy(position);
    this.#seen.turn.copy(quaternion);
    this.#seen.half = half;
    return true;
  }

  /** Before each picture: the nearest and farthest that is seen depend on where one is. */
  update(width: number, height: number): void {
    this.#aspect = width / height;
    const distance = this.camera.position.distanceTo(this.target);
    const far = distance + 3 * this.depth;
    if (this.orthographic) {
      const [top, right] = [this.#half, this.#half * this.#aspect];
      Object.assign(this.#parallel, { left: -right, right, top, bottom: -top, near: distance - 3 * this.depth, far });
    } else {
      const near = Math.max(distance - 1.5 * this.depth, distance * 0.01, 1e-9);
      Object.assign(this.#perspective, { aspect: this.#aspect, near, far });
    }
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  /** From where one looks at to the viewer, of length one. */
  #direction(): three.Vector3 {
    return this.camera.position.clone().sub(this.target).normalize();
  }

  /** Goes so far that a height is seen. Without perspective that is no question of distance, so that nothing is behind. */
  #stepBack(direction: three.Vector3, half: number): void {
    const { camera } = this;
    const distance = this.orthographic ? Math.max(2 * this.depth, half) : half / SLOPE;
    if (this.orthographic) {
      this.#half = half;
      this.#parallel.zoom = 1;
    }
    camera.position.copy(this.target).addScaledVector(direction, distance);
    camera.lookAt(this.target);
    camera.updateMatrixWorld();
  }

  #controlsFor(camera: three.Camera): OrbitControls {
    const controls = new OrbitControls(camera, this.#surface);
    controls.enableDamping = true;
    controls.dampingFactor = 0.12;
    controls.zoomToCursor = true;
    controls.addEventListener("start", () => (this.#touched = true));
    return controls;
  }
}
