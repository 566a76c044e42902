// Contact forces: a line through each contact along its force, wider and brighter the greater the force.

import { FORCES, sample } from "../colour";
import type { Frame } from "../data/trajectory";
import { Segments } from "./segments";
import type { IUniform } from "three";

/** Pixels of the greatest forces and the least. */
const WIDEST = 7;
const THINNEST = 1;

export class Contacts {
  readonly #segments: Segments;
  readonly mesh;

  constructor(uCut: IUniform) {
    this.#segments = new Segments(false, uCut);
    this.mesh = this.#segments.mesh;
    this.mesh.visible = false;
  }

  resize(width: number, height: number, ratio: number): void {
    this.#segments.resize(width, height, ratio);
  }

  /** Forces are those of a frame: contacts come and go between frames. The reach is half the length of lines, m. */
  show({ contactPoints: p, contactForces: f, contacts }: Frame, scale: number, reach: number): void {
    this.#segments.show(contacts, (number) => {
      const [x, y, z] = [p[3 * number]!, p[3 * number + 1]!, p[3 * number + 2]!];
      const [fx, fy, fz] = [f[3 * number]!, f[3 * number + 1]!, f[3 * number + 2]!];
      const force = Math.hypot(fx, fy, fz);
      const part = scale > 0 ? Math.min(force / scale, 1) : 0;
      const length = force > 0 ? reach / force : 0;
      const [dx, dy, dz] = [fx * length, fy * length, fz * length];
      const [r, g, b] = sample(FORCES, Math.sqrt(part)).map((channel) => (channel / 255) ** 2.2);
      return {
        from: [x - dx, y - dy, z - dz],
        to: [x + dx, y + dy, z + dz],
        width: THINNEST + (WIDEST - THINNEST) * part,
        colour: [r!, g!, b!, force > 0 ? 0.55 + 0.45 * Math.sqrt(part) : 0],
      };
    });
  }
}
