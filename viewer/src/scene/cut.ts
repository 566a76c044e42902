// A plane that cuts off what is on one side of it, to see what is inside.

import * as three from "three";
import type { Vector } from "../interpolation";

export type CutAxis = "x" | "y" | "z" | "view";

export class Cut {
  axis: CutAxis | null = null;
  /** Where it is between both ends of the scene, from 0 to 1. */
  at = 0.5;
  /** Keeps the other side. */
  flipped = false;
  /** Shared by everything that is cut. */
  readonly uniforms = {
    uCut: { value: new three.Vector4(0, 0, 0, 1) },
    uCutInLab: { value: new three.Vector4(0, 0, 0, 1) },
  };
  /** For lines, which three.js cuts by itself; empty without a plane. */
  readonly planes: three.Plane[] = [];
  readonly #view = new three.Vector3(0, -1, 0);
  readonly #plane = new three.Plane();

  /** Cuts along an axis, or across the line of sight as it is now; null cuts nothing. The viewer's side goes. */
  choose(axis: CutAxis | null, towardsViewer: three.Vector3): void {
    this.axis = axis;
    this.#view.copy(towardsViewer).normalize();
    this.flipped = this.#along().dot(this.#view) < 0;
  }

  /** Where the plane is, m along its axis. */
  place(bounds: three.Box3): number {
    const [low, high] = this.#ends(bounds);
    // At a round number, which can be told and is the same again.
    if (!(high > low)) return low;
    const step = 10 ** Math.floor(Math.log10((high - low) / 500));
    return Math.round((low + (high - low) * this.at) / step) * step + 0;
  }

  /** Before each picture. */
  update(bounds: three.Box3, camera: three.Camera): void {
    const { uCut, uCutInLab } = this.uniforms;
    this.planes.length = 0;
    if (this.axis === null) {
      uCut.value.set(0, 0, 0, 1);
      uCutInLab.value.set(0, 0, 0, 1);
      return;
    }
    const sign = this.flipped ? 1 : -1;
    this.#plane.normal.copy(this.#along()).multiplyScalar(sign);
    this.#plane.constant = -sign * this.place(bounds);
    const { normal, constant } = this.#plane;
    uCutInLab.value.set(normal.x, normal.y, normal.z, constant);
    const seen = this.#plane.clone().applyMatrix4(camera.matrixWorldInverse);
    uCut.value.set(seen.normal.x, seen.normal.y, seen.normal.z, seen.constant);
    this.planes.push(this.#plane);
  }

  /** Normal towards what is kept, and distance; null if nothing is cut. */
  get kept(): { normal: Vector; distance: number } | null {
    if (this.axis === null) return null;
    return { normal: this.#plane.normal.toArray() as Vector, distance: this.#plane.constant };
  }

  /** What is beyond the plane along this is cut off, unless it is flipped. */
  #along(): three.Vector3 {
    if (this.axis === "view") return this.#view;
    return new three.Vector3(Number(this.axis === "x"), Number(this.axis === "y"), Number(this.axis === "z"));
  }

  #ends(bounds: three.Box3): [number, number] {
    const along = this.#along();
    const middle = along.dot(bounds.getCenter(new three.Vector3()));
    const half = bounds.getSize(new three.Vector3()).multiplyScalar(0.5);
    const reach = Math.abs(along.x) * half.x + Math.abs(along.y) * half.y + Math.abs(along.z) * half.z;
    return [middle - reach, middle + reach];
  }
}
