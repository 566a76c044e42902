// All bodies: where they are goes to the graphics card as textures, once per frame; pieces are drawn of that.

import * as three from "three";
import { AMOUNTS, KINDS, table } from "../colour";
import type { Colouring } from "../colouring";
import { type Pieces, piecesOf } from "../data/format";
import type { Trajectory } from "../data/trajectory";
import { type Instant, periods } from "../interpolation";
import type { Counts } from "../numbers";
import type { Range } from "../range";
import { capsuleInstances } from "./capsules";
import { ellipsoidInstances } from "./ellipsoids";
import type { Instances } from "./instances";
import { polyhedronInstances } from "./polyhedra";
import { WIDTH } from "./pose";
import { sphereInstances } from "./spheres";

/** The textures of one frame. */
class Slot {
  place = placeTexture(1);
  turn = turnTexture(1);
  key = "";

  grow(rows: number): void {
    if (rows <= this.place.image.height) return;
    const height = 2 ** Math.ceil(Math.log2(rows));
    this.dispose();
    [this.place, this.turn, this.key] = [placeTexture(height), turnTexture(height), ""];
  }

  dispose(): void {
    this.place.dispose();
    this.turn.dispose();
  }
}

export class Bodies {
  readonly meshes: three.Object3D[];
  /** The same pieces for the pass that finds shadows. */
  readonly casters: three.Object3D[];
  readonly uniforms: Record<string, three.IUniform>;
  #slots: [Slot, Slot] = [new Slot(), new Slot()];
  readonly #spheres: Instances;
  readonly #capsules: Instances;
  readonly #ellipsoids: Instances;
  /** Of each template, those of each of its polyhedra; made when the shapes are known. */
  #polyhedra: Instances[][] = [];
  readonly #solids = { meshes: new three.Group(), casters: new three.Group() };
  #list = -1;
  #maps = { amount: mapTexture(AMOUNTS, true), kind: mapTexture(KINDS, false) };

  /** Light, shadow and the plane that cuts have the same uniforms everywhere. */
  constructor(shared: Record<string, three.IUniform>) {
    this.uniforms = {
      ...shared,
      uPlaceA: { value: null },
      uPlaceB: { value: null },
      uTurnA: { value: null },
      uTurnB: { value: null },
      uMix: { value: 0 },
      uPeriod: { value: new three.Vector3() },
      uPixel: { value: 0.001 },
      uMap: { value: null },
      uRange: { value: new three.Vector2(0, 1) },
      uLog: { value: false },
      uKinds: { value: 0 },
      uPicked: { value: -1 },
      uDim: { value: 0 },
      uDimTo: { value: new three.Color() },
    };
    this.#spheres = sphereInstances(this.uniforms);
    this.#capsules = capsuleInstances(this.uniforms);
    this.#ellipsoids = ellipsoidInstances(this.uniforms);
    const all = [this.#spheres, this.#capsules, this.#ellipsoids];
    this.meshes = [...all.map(({ mesh }) => mesh), this.#solids.meshes];
    this.casters = [...all.map(({ caster }) => caster), this.#solids.casters];
  }

  /** Numbers of pieces of each kind. */
  get counts(): Counts {
    const polyhedra = this.#polyhedra.flat().reduce((all, { count }) => all + count, 0);
    return { spheres: this.#spheres.count, capsules: this.#capsules.count, ellipsoids: this.#ellipsoids.count, polyhedra };
  }

  show(trajectory: Trajectory, instant: Instant, colouring: Colouring): void {
    const { moment, a } = instant;
    if (a.list !== this.#list) this.#rebuild(trajectory, instant);
    const key = (frame: number) => `${frame} in ${a.list} by ${colouring.name}`;
    if (this.#slots[0].key !== key(moment.a) && this.#slots[1].key === key(moment.a)) this.#slots.reverse();
    this.#fill(this.#slots[0], key(moment.a), instant, "a", colouring);
    this.#fill(this.#slots[1], key(moment.b), instant, "b", colouring);
    const [from, to] = this.#slots;
    const { uPlaceA, uPlaceB, uTurnA, uTurnB, uMix } = this.uniforms;
    [uPlaceA!.value, uPlaceB!.value, uTurnA!.value, uTurnB!.value] = [from.place, to.place, from.turn, to.turn];
    uMix!.value = moment.mix;
    this.uniforms["uPeriod"]!.value.set(...periods(trajectory.header!.periodic));
  }

  colour(colouring: Colouring, range: Range): void {
    this.uniforms["uMap"]!.value = this.#maps[colouring.kind];
    this.uniforms["uKinds"]!.value = colouring.kind === "kind" ? KINDS.length : 0;
    this.uniforms["uRange"]!.value.set(range.low, range.high);
    this.uniforms["uLog"]!.value = range.log;
  }

  /** A body of the list that holds now, or −1. */
  highlight(row: number): void {
    this.uniforms["uPicked"]!.value = row;
  }

  #fill(slot: Slot, key: string, instant: Instant, which: "a" | "b", colouring: Colouring): void {
    const { a, list, rows } = instant;
    slot.grow(Math.ceil(Math.max(a.bodies, 1) / WIDTH));
    if (slot.key === key) return;
    slot.key = key;
    const place = slot.place.image.data as Float32Array;
    const turns = slot.turn.image.data as Int16Array;
    for (let row = 0; row < a.bodies; row += 1) {
      // A body that is gone in the second frame stays where it was in the first.
      const other = which === "b" && rows !== null ? rows[row]! : row;
      const frame = which === "b" && other >= 0 ? instant.b : a;
      const from = other >= 0 ? other : row;
      place[4 * row] = frame.positions[3 * from]!;
      place[4 * row + 1] = frame.positions[3 * from + 1]!;
      place[4 * row + 2] = frame.positions[3 * from + 2]!;
      place[4 * row + 3] = colouring.value(frame, from, list, row);
      for (let i = 0; i < 4; i += 1) turns[4 * row + i] = frame.orientations[4 * from + i]!;
    }
    slot.place.needsUpdate = slot.turn.needsUpdate = true;
  }

  #rebuild(trajectory: Trajectory, { a, list }: Instant): void {
    const shapes = trajectory.header!.templates.map(piecesOf);
    const of = (row: number) => shapes[list.kinds[2 * row]!];
    let [spheres, capsules, ellipsoids] = [0, 0, 0];
    for (let row = 0; row < a.bodies; row += 1) {
      spheres += of(row)?.spheres.length ?? 0;
      capsules += of(row)?.capsules.length ?? 0;
      ellipsoids += of(row)?.ellipsoids.length ?? 0;
    }
    const [body, sphere] = this.#spheres.refill(spheres) as [Float32Array, Float32Array];
    const [owner, middle, half] = this.#capsules.refill(capsules) as [Float32Array, Float32Array, Float32Array];
    const [whose, centre, ...axes] = this.#ellipsoids.refill(ellipsoids) as [Float32Array, Float32Array, ...Float32Array[]];
    [spheres, capsules, ellipsoids] = [0, 0, 0];
    for (let row = 0; row < a.bodies; row += 1) {
      const scale = list.scales[row]!;
      for (const part of of(row)?.spheres ?? []) {
        body[spheres] = row;
        for (let i = 0; i < 4; i += 1) sphere[4 * spheres + i] = part[i]! * scale;
        spheres += 1;
      }
      for (const part of of(row)?.capsules ?? []) {
        owner[capsules] = row;
        for (let i = 0; i < 3; i += 1) {
          middle[4 * capsules + i] = part.middle[i]! * scale;
          half[3 * capsules + i] = part.half[i]! * scale;
        }
        middle[4 * capsules + 3] = part.radius * scale;
        capsules += 1;
      }
      for (const part of of(row)?.ellipsoids ?? []) {
        whose[ellipsoids] = row;
        for (let i = 0; i < 3; i += 1) {
          centre[4 * ellipsoids + i] = part.centre[i]! * scale;
          axes.forEach((column, axis) => (column[3 * ellipsoids + i] = part.axes[axis]![i]! * scale));
        }
        centre[4 * ellipsoids + 3] = part.longest * scale;
        ellipsoids += 1;
      }
    }
    this.#refillPolyhedra(shapes, a.bodies, list);
    this.#list = a.list;
  }

  #refillPolyhedra(shapes: Pieces[], bodies: number, list: Instant["list"]): void {
    const counts = shapes.map(() => 0);
    for (let row = 0; row < bodies; row += 1) counts[list.kinds[2 * row]!]! += 1;
    if (this.#polyhedra.length === 0) {
      this.#polyhedra = shapes.map(({ polyhedra }, template) =>
        polyhedra.map((shape) => polyhedronInstances(this.uniforms, shape, counts[template]!)),
      );
      const made = this.#polyhedra.flat();
      if (made.length > 0) {
        this.#solids.meshes.add(...made.map(({ mesh }) => mesh));
        this.#solids.casters.add(...made.map(({ caster }) => caster));
      }
    }
    this.#polyhedra.forEach((solids, template) => {
      for (const solid of solids) {
        const [body, sphere] = solid.refill(counts[template]!) as [Float32Array, Float32Array];
        let at = 0;
        for (let row = 0; row < bodies; row += 1) {
          if (list.kinds[2 * row] !== template) continue;
          body[at] = row;
          sphere.set([0, 0, 0, list.scales[row]!], 4 * at);
          at += 1;
        }
      }
    });
  }
}

function placeTexture(height: number): three.DataTexture {
  const data = new Float32Array(4 * WIDTH * height);
  return new three.DataTexture(data, WIDTH, height, three.RGBAFormat, three.FloatType);
}

function turnTexture(height: number): three.DataTexture {
  const data = new Int16Array(4 * WIDTH * height);
  const texture = new three.DataTexture(data, WIDTH, height, three.RGBAIntegerFormat, three.ShortType);
  texture.internalFormat = "RGBA16I";
  return texture;
}

function mapTexture(map: readonly string[], smooth: boolean): three.DataTexture {
  const data = table(map, smooth);
  const texture = new three.DataTexture(data, data.length / 4, 1);
  texture.magFilter = texture.minFilter = smooth ? three.LinearFilter : three.NearestFilter;
  texture.needsUpdate = true;
  return texture;
}
