// Everything that is drawn in 3D, and drawing it.

import * as three from "three";
import type { Colouring } from "../colouring";
import type { Trajectory } from "../data/trajectory";
import type { ShownField } from "../fields";
import { Instant, RowMatcher, type Vector } from "../interpolation";
import { forceScale, type Range } from "../range";
import { Backdrop } from "./backdrop";
import { Bodies } from "./bodies";
import { BreakageMarks } from "./breakages";
import { Eye } from "./camera";
import { Contacts } from "./contacts";
import { Cut } from "./cut";
import { endsOf, extentOf, type Extent } from "./extent";
import { FieldPlane } from "./field-plane";
import { linear, LOOKS } from "./look";
import { keptPart, pick } from "./picking";
import { Shadow } from "./shadow";
import { Trace } from "./trace";
import { Walls, type WallView } from "./walls";

/** Device pixels for a CSS pixel, at most: more cost time and are not seen. */
const DENSEST = 2;
/** More pieces than this are small enough for coarse shadows. */
const MANY = 20_000;
/** How many texels shadows have along an edge, and how often they are looked at for a point. */
const FINE_SHADOWS = { size: 2048, taps: 8 };
const COARSE_SHADOWS = { size: 1024, taps: 2 };

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly eye: Eye;
  readonly bodies: Bodies;
  readonly trace = new Trace();
  readonly cut = new Cut();
  /** Where bonds broke. */
  readonly broken = new BreakageMarks(this.cut.uniforms.uCut);
  readonly #contacts = new Contacts(this.cut.uniforms.uCut);
  readonly #field = new FieldPlane();
  readonly #renderer: three.WebGLRenderer;
  readonly #scene = new three.Scene();
  readonly #backdrop = new Backdrop();
  readonly #shadow: Shadow;
  readonly #trajectory: Trajectory;
  readonly #rows = new RowMatcher();
  #walls: Walls | null = null;
  #instant: Instant | null = null;
  #extent: (Extent & { frames: number }) | null = null;
  #focus: "run" | "now" = "run";
  #shadowOf = "";
  #forces = { frames: 0, scale: 0 };
  #coarse = false;
  /** How far bodies fade behind contact forces and fields, and whether there is a field. */
  #fade = 0;
  #fielded = false;
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
    this.#renderer.localClippingEnabled = true;
    this.#shadow = new Shadow(FINE_SHADOWS.size);
    this.bodies = new Bodies({ ...this.#shadow.uniforms, ...this.cut.uniforms });
    this.#shadow.add(...this.bodies.casters);
    this.eye = new Eye(canvas);
    this.#scene.add(this.#backdrop.mesh, ...this.bodies.meshes, this.#field.group, this.#contacts.mesh, this.broken.mesh, this.trace.mesh);
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
    this.#dim();
  }

  /** The plane of a field, or none yet; bodies fade where one is wanted. */
  showField(field: ShownField | null, wanted: boolean, opacity: number): void {
    this.#field.show(field, opacity);
    this.#fielded = wanted;
    this.#dim();
  }

  #dim(): void {
    this.bodies.uniforms["uDim"]!.value = this.contactsShown || this.#fielded ? this.#fade : 0;
  }

  /** What the widest contact lines stand for, N. */
  get greatestForce(): number {
    return this.#forces.scale;
  }

  /** Walls, each of which can be hidden or made opaque. */
  get walls(): WallView[] {
    return this.#walls?.views ?? [];
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
    this.#walls = new Walls(header.walls, { ...this.#shadow.uniforms, ...this.cut.uniforms }, this.cut.planes);
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
    this.#field.dress(look);
    this.#fade = look.fade;
    this.#dim();
    this.bodies.uniforms["uDimTo"]!.value.setRGB(...linear(look.dim));
  }

  /** Which way is up; looks at everything from the first direction. */
  stand(up: Vector): void {
    this.eye.stand(new three.Vector3(...up));
    this.fit(false);
  }

  /** Shows the bodies and what is around them, over the run or where they are now. */
  fit(keep: boolean, what = this.#focus): void {
    this.#focus = what;
    this.#measure();
    this.eye.update(this.#size.width, this.#size.height);
    const frame = this.#instant?.moment.a ?? 0;
    const now = () => extentOf(this.#trajectory, endsOf(this.#trajectory.header!.walls), frame).framed;
    this.eye.fit(what === "now" ? now() : this.#extent!.framed, keep);
    this.#aimLight();
  }

  /** Everything has arrived, or more of it: endless walls may have to be larger, and the view wider. */
  grow(): void {
    const before = this.#extent?.framed;
    this.#measure();
    const same = before !== undefined && before.containsBox(this.#extent!.framed);
    if (same) return;
    if (this.eye.touched) this.#aimLight();
    else this.fit(true);
  }

  /** Looks along an axis of the lab, from a side. */
  lookFrom(side: Vector): void {
    this.eye.lookFrom(new three.Vector3(...side));
    this.fit(true);
  }

  /** Cuts across an axis or the line of sight, or not. */
  cutBy(axis: Cut["axis"]): void {
    this.cut.choose(axis, this.eye.camera.position.clone().sub(this.eye.target));
    this.#shadowOf = "";
  }

  /** Of the picture, CSS pixels. */
  get height(): number {
    return this.#size.height;
  }

  /** What the plane that cuts can go through. */
  get room(): three.Box3 {
    return this.#extent?.framed ?? new three.Box3();
  }

  resize(width: number, height: number): void {
    const ratio = this.#coarse ? 1 : Math.min(window.devicePixelRatio, DENSEST);
    this.#size = { width: Math.max(width, 1), height: Math.max(height, 1), ratio };
    this.#renderer.setPixelRatio(ratio);
    this.broken.resize(ratio);
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
    this.bodies.show(this.#trajectory, this.#instant, colouring);
    this.#walls?.show(this.#instant);
    this.broken.show(time, this.#trajectory.end - this.#trajectory.start);
    if (this.contactsShown) this.#showContacts();
  }

  colour(colouring: Colouring, range: Range): void {
    this.bodies.colour(colouring, range);
  }

  render(): void {
    const { width, height } = this.#size;
    this.eye.update(width, height);
    const { camera } = this.eye;
    this.bodies.uniforms["uPixel"]!.value = this.eye.pixel(height * this.#size.ratio);
    this.cut.update(this.room, camera);
    this.#sharpenShadows();
    const { uMix } = this.bodies.uniforms;
    const moving = `${this.#instant?.moment.a} ${uMix!.value} ${this.cut.uniforms.uCutInLab.value.toArray()}`;
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
    const kept = this.cut.kept;
    const part = kept === null ? undefined : keptPart(ray, kept.normal, kept.distance);
    return pick(ray, this.#instant, this.#trajectory.header!, part);
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
    const pieces = Object.values(this.bodies.counts).reduce((all, count) => all + count, 0);
    const { size, taps } = this.#coarse || small || pieces > MANY ? COARSE_SHADOWS : FINE_SHADOWS;
    this.#shadow.uniforms.uTaps.value = taps;
    if (this.#shadow.size === size) return;
    this.#shadow.size = size;
    this.#shadowOf = "";
  }

  /** Where everything is, looked at again when the run has become much longer. */
  #measure(): void {
    const { length } = this.#trajectory;
    const known = this.#extent?.frames ?? 0;
    if (length === known || (known > 8 && length < known * 1.25)) return;
    const extent = extentOf(this.#trajectory, endsOf(this.#trajectory.header!.walls));
    this.#extent = { ...extent, frames: length };
    this.eye.depth = extent.framed.clone().union(extent.drawn).getSize(new three.Vector3()).length();
    this.#walls?.stretch(extent.drawn);
  }

  #aimLight(): void {
    const sphere = this.#extent!.framed.getBoundingSphere(new three.Sphere());
    const { right, towards, up } = this.eye.axes;
    this.#shadow.aim(sphere.center, sphere.radius * 1.05, right, towards, up);
    this.#shadowOf = "";
  }
}
