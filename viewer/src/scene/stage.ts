// Everything that is drawn in 3D, and drawing it.

import * as three from "three";
import { forceScale, type Colouring, type Range } from "../colouring";
import { reaches } from "../data/format";
import type { Trajectory } from "../data/trajectory";
import { Instant, RowMatcher, type Vector } from "../interpolation";
import { Backdrop } from "./backdrop";
import { Eye } from "./camera";
import { Contacts } from "./contacts";
import { linear, LOOKS } from "./look";
import { pick } from "./picking";
import { Shadow } from "./shadow";
import { Spheres } from "./spheres";
import { Trace } from "./trace";
import { Walls } from "./walls";

/** Device pixels for a CSS pixel, at most: more cost time and are not seen. */
const DENSEST = 2;
/** More spheres than this are small enough for coarse shadows. */
const MANY = 20_000;
/** How many texels shadows have along an edge, and how often they are looked at for a point. */
const FINE_SHADOWS = { size: 2048, taps: 8 };
const COARSE_SHADOWS = { size: 1024, taps: 2 };

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly eye: Eye;
  readonly spheres: Spheres;
  readonly trace = new Trace();
  readonly #contacts = new Contacts();
  readonly #renderer: three.WebGLRenderer;
  readonly #scene = new three.Scene();
  readonly #backdrop = new Backdrop();
  readonly #shadow: Shadow;
  readonly #trajectory: Trajectory;
  readonly #rows = new RowMatcher();
  #walls: Walls | null = null;
  #instant: Instant | null = null;
  #shadowOf = "";
  #forces = { frames: 0, scale: 0 };
  #coarse = false;
  /** How far bodies fade behind contact forces. */
  #fade = 0;
  /** Half the length of contact lines: the radius of a typical sphere, m. */
  #reach = 0;
  #size = { width: 1, height: 1, ratio: 1 };

  constructor(canvas: HTMLCanvasElement, trajectory: Trajectory) {
    this.canvas = canvas;
    this.#trajectory = trajectory;
    // Without an alpha channel: the edges of spheres have an alpha that is meant for multisampling, not for the page.
    const wishes: WebGLContextAttributes = { alpha: false, antialias: true, powerPreference: "high-performance" };
    const context = canvas.getContext("webgl2", wishes) as WebGL2RenderingContext | null;
    if (context === null) throw new Error("there is no WebGL 2");
    this.#renderer = new three.WebGLRenderer({ canvas, context });
    this.#shadow = new Shadow(FINE_SHADOWS.size);
    this.spheres = new Spheres(this.#shadow.uniforms);
    this.#shadow.add(this.spheres.caster);
    this.eye = new Eye(canvas);
    this.#scene.add(this.#backdrop.mesh, this.spheres.mesh, this.#contacts.mesh, this.trace.mesh);
  }

  /** The bodies at the time that is shown. */
  get instant(): Instant | null {
    return this.#instant;
  }

  get contactsShown(): boolean {
    return this.#contacts.mesh.visible;
  }

  set contactsShown(shown: boolean) {
    this.#contacts.mesh.visible = shown;
    this.spheres.uniforms["uDim"]!.value = shown ? this.#fade : 0;
  }

  /** What the widest contact lines stand for, N. */
  get greatestForce(): number {
    return this.#forces.scale;
  }

  get wallsShown(): boolean {
    return this.#walls?.group.visible ?? true;
  }

  set wallsShown(shown: boolean) {
    if (this.#walls !== null) this.#walls.group.visible = shown;
  }

  get shadows(): boolean {
    return this.#shadow.uniforms.uShadows.value > 0;
  }

  set shadows(on: boolean) {
    this.#shadow.uniforms.uShadows.value = on ? 0.92 : 0;
    this.#shadowOf = "";
  }

  /** Draws faster at the cost of beauty: coarser first, then without shadows. False if nothing is left to save. */
  economise(): boolean {
    if (this.#coarse && !this.shadows) return false;
    if (this.#coarse) this.shadows = false;
    this.#coarse = true;
    this.resize(this.#size.width, this.#size.height);
    return true;
  }

  /** Once the header and a frame are there. */
  open(): void {
    const header = this.#trajectory.header!;
    this.#walls = new Walls(header.walls, this.#shadow.uniforms);
    this.#scene.add(this.#walls.group);
    const radii = header.templates.flatMap(({ spheres }) => spheres.map((sphere) => sphere[3])).sort((a, b) => a - b);
    this.#reach = radii[Math.floor(radii.length / 2)] ?? 0;
  }

  dress(theme: "light" | "dark"): void {
    const look = LOOKS[theme];
    this.#backdrop.dress(look);
    this.#shadow.dress(look);
    this.#walls?.dress(look);
    this.trace.dress(look);
    this.#fade = look.fade;
    if (this.contactsShown) this.contactsShown = true;
    this.spheres.uniforms["uDimTo"]!.value.setRGB(...linear(look.dim));
  }

  /** Which way is up; looks at everything from the first direction. */
  stand(up: Vector): void {
    this.eye.stand(new three.Vector3(...up));
    this.fit(false);
  }

  fit(keep: boolean): void {
    const bounds = this.#bounds();
    this.eye.update(this.#size.width, this.#size.height);
    this.eye.fit(bounds, keep);
    const sphere = bounds.getBoundingSphere(new three.Sphere());
    const { right, towards, up } = this.eye.axes;
    this.#shadow.aim(sphere.center, sphere.radius * 1.02, right, towards, up);
    this.#shadowOf = "";
  }

  resize(width: number, height: number): void {
    const ratio = this.#coarse ? 1 : Math.min(window.devicePixelRatio, DENSEST);
    this.#size = { width: Math.max(width, 1), height: Math.max(height, 1), ratio };
    this.#renderer.setPixelRatio(ratio);
    this.#renderer.setSize(this.#size.width, this.#size.height, false);
    for (const lines of [this.#contacts, this.trace]) {
      lines.resize(this.#size.width * ratio, this.#size.height * ratio, ratio);
    }
  }

  /** Puts everything where it is at a time. */
  show(time: number, colouring: Colouring, smooth: boolean): void {
    const moment = this.#trajectory.momentAt(time);
    if (!smooth) moment.mix = 0;
    this.#instant = new Instant(this.#trajectory, moment, this.#rows);
    this.spheres.show(this.#trajectory, this.#instant, colouring);
    this.#walls?.show(this.#instant);
    if (this.contactsShown) this.#showContacts();
  }

  colour(colouring: Colouring, range: Range): void {
    this.spheres.colour(colouring, range);
  }

  render(): void {
    const { width, height } = this.#size;
    this.eye.update(width, height);
    const { camera } = this.eye;
    this.spheres.uniforms["uPixel"]!.value =
      (2 * Math.tan(three.MathUtils.degToRad(camera.fov / 2))) / (height * this.#size.ratio);
    this.#sharpenShadows();
    const { uMix } = this.spheres.uniforms;
    const moving = `${this.#instant?.moment.a} ${uMix!.value}`;
    if (moving !== this.#shadowOf) this.#shadow.update(this.#renderer);
    this.#shadowOf = moving;
    this.#shadow.view(camera);
    this.#renderer.render(this.#scene, camera);
  }

  /** The row of the body at a point of the canvas, CSS pixels from its corner, or −1. */
  pick(x: number, y: number): number {
    if (this.#instant === null) return -1;
    const { width, height } = this.#size;
    const caster = new three.Raycaster();
    caster.setFromCamera(new three.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.eye.camera);
    const { origin, direction } = caster.ray;
    const ray = { origin: origin.toArray() as Vector, direction: direction.toArray() as Vector };
    return pick(ray, this.#instant, this.#trajectory.header!);
  }

  /** Where a place of the scene is on the canvas. */
  project(place: Vector): [number, number] {
    const { x, y } = new three.Vector3(...place).project(this.eye.camera);
    return [((x + 1) / 2) * this.#size.width, ((1 - y) / 2) * this.#size.height];
  }

  #showContacts(): void {
    const trajectory = this.#trajectory;
    // A live run may bring greater forces.
    if (trajectory.length > this.#forces.frames * 1.25) {
      this.#forces = { frames: trajectory.length, scale: forceScale(trajectory) };
    }
    const { moment, a, b } = this.#instant!;
    this.#contacts.show(moment.mix < 0.5 ? a : b, this.#forces.scale, this.#reach);
  }

  #sharpenShadows(): void {
    const { width, height } = this.#size;
    const small = Math.min(width, height) < 500;
    const { size, taps } = this.#coarse || small || this.spheres.count > MANY ? COARSE_SHADOWS : FINE_SHADOWS;
    this.#shadow.uniforms.uTaps.value = taps;
    if (this.#shadow.size === size) return;
    this.#shadow.size = size;
    this.#shadowOf = "";
  }

  /** Around walls and bodies. */
  #bounds(): three.Box3 {
    const bounds = this.#walls?.bounds.clone() ?? new three.Box3();
    const reach = reaches(this.#trajectory.header!);
    // Bodies that leave a scene with walls do not count.
    for (const number of bounds.isEmpty() ? [0, this.#trajectory.length - 1] : [0]) {
      const { positions, list } = this.#trajectory.frame(number);
      const { kinds, scales } = this.#trajectory.list(list);
      for (let row = 0; row < scales.length; row += 1) {
        const centre = new three.Vector3(...positions.subarray(3 * row, 3 * row + 3));
        if (!Number.isFinite(centre.lengthSq())) continue;
        bounds.union(new three.Box3(centre, centre.clone()).expandByScalar((reach[kinds[2 * row]!] ?? 0) * scales[row]!));
      }
    }
    this.#trajectory.header!.periodic.forEach((ends, axis) => {
      if (ends === null) return;
      bounds.min.setComponent(axis, Math.min(bounds.min.getComponent(axis), ends[0]));
      bounds.max.setComponent(axis, Math.max(bounds.max.getComponent(axis), ends[1]));
    });
    if (bounds.isEmpty()) bounds.setFromCenterAndSize(new three.Vector3(), new three.Vector3(1, 1, 1));
    return bounds;
  }
}
