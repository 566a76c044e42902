// The viewer: state, and the loop that shows it. Parts know nothing of each other; they meet here.

import { chartsOf } from "./charts";
import { colourings, type Colouring } from "./colouring";
import { brokenAt, readBreakages, type Breakages } from "./data/breakages";
import type { FieldHead } from "./data/fields";
import type { Summary } from "./data/folder";
import type { Source, Status } from "./data/source";
import type { Trajectory } from "./data/trajectory";
import { Fields } from "./fields";
import type { Vector } from "./interpolation";
import { count, many, manyPieces } from "./numbers";
import { Playback } from "./playback";
import { Ranges, type Range, type RangeMode } from "./range";
import { Stage } from "./scene/stage";
import { Layout } from "./ui/layout";
import type { GaugeState } from "./ui/gauge";
import type { Messages } from "./ui/messages";
import { ThemeSwitch } from "./ui/theme";
import type { ViewState } from "./ui/view-panel";
import { Vector3 } from "three";

/** Which way is up, in the order of the key that changes it. */
const UPS: Vector[] = [[0, 0, 1], [0, 1, 0], [1, 0, 0]];

/** Seconds for a picture that are too long, and how many of those in a row are borne. */
const SLOW = 0.045;
const PATIENCE = 30;

export class Viewer {
  readonly trajectory: Trajectory;
  readonly stage: Stage;
  readonly playback = new Playback();
  readonly layout: Layout;
  readonly messages: Messages;
  readonly theme: ThemeSwitch;
  readonly fields: Fields;
  colouring: Colouring | null = null;
  rangeMode: RangeMode = "auto";
  picked: number | null = null;
  following = false;
  traced = true;
  smooth = true;
  live = false;
  fps = 0;
  /** Someone else moves the time, as when a film is made. */
  busy = false;
  #colourings: Colouring[] = [];
  readonly #ranges: Ranges;
  #breakages: Breakages | null = null;
  #fixed = { low: 0, high: 1 };
  #up: Vector = UPS[0]!;
  #open = false;
  #dirty = true;
  #last = 0;
  #followed: Vector | null = null;
  #wasLive = false;
  /** Slow pictures in a row. */
  #slow = 0;

  constructor(layout: Layout, trajectory: Trajectory, field: Source["field"]) {
    this.layout = layout;
    this.messages = layout.messages;
    this.fields = new Fields(field, () => this.redraw(), (message) => this.messages.warn(message));
    this.trajectory = trajectory;
    this.#ranges = new Ranges(trajectory);
    this.stage = new Stage(layout.canvas, trajectory);
    this.theme = new ThemeSwitch((theme) => {
      this.stage.dress(theme);
      this.redraw();
    });
    new ResizeObserver(() => this.#resize()).observe(layout.stage);
    this.#resize();
    requestAnimationFrame((now) => this.#tick(now));
  }

  get isOpen(): boolean {
    return this.#open;
  }

  get title(): string {
    return this.trajectory.header?.title ?? "";
  }

  /** Something has changed that is seen. */
  redraw(): void {
    this.#dirty = true;
  }

  // Data that arrives

  gravity(gravity: Vector): void {
    this.#up = gravity.map((part) => -part) as Vector;
  }

  frames(): void {
    const { trajectory } = this;
    if (!this.#open) this.#begin();
    this.playback.extend(trajectory.start, trajectory.end, this.live);
    this.layout.plot.span = [this.playback.start, this.playback.end];
    this.redraw();
  }

  /** Everything there is now has been read. */
  complete(): void {
    this.playback.suit();
    this.stage.grow();
    this.redraw();
  }

  offerFields(heads: FieldHead[]): void {
    const warm = this.trajectory.header?.arrays.some(({ name }) => name === "temperatures") ?? false;
    this.fields.offer(heads, warm);
    this.redraw();
  }

  /** Throws if it cannot be read. */
  table(name: string, text: string): void {
    if (name === "bonds.csv") this.#breakages = readBreakages(text);
    if (name === "bonds.csv" && this.#breakages !== null) this.stage.broken.set(this.#breakages);
    this.layout.plot.set(name.replace(/\.csv$/, ""), chartsOf(name, text));
    if (!this.layout.plotWanted) this.redraw();
    else this.layout.showPlot(true);
  }

  status({ live, ended, title }: Status, summary: Summary | null): void {
    this.live = live;
    if (live && !this.#wasLive) this.playback.seek(Infinity);
    if (!live && this.#wasLive) this.messages.note("The run has ended.");
    this.#wasLive = live;
    this.layout.setTitle(this.title || title, live, summary?.method ?? null);
    if (ended === "failed") this.messages.warn(`The run failed: ${summary?.reason ?? "see its summary.json"}`);
    if (live && !this.#open) this.messages.waiting();
  }

  // What people do

  toggle(): void {
    if (!this.busy) this.playback.toggle();
    this.redraw();
  }

  seek(time: number): void {
    if (!this.busy) this.playback.seek(time);
    this.redraw();
  }

  seekFrame(frame: number): void {
    const last = this.trajectory.length - 1;
    const time = this.trajectory.times[Math.min(Math.max(Math.round(frame), 0), last)];
    if (time !== undefined) this.seek(time);
  }

  step(frames: number): void {
    const { a, mix } = this.trajectory.momentAt(this.playback.time);
    this.playback.playing = false;
    // Back from between two frames is to the first of them.
    this.seekFrame(frames < 0 && mix > 0 ? a + frames + 1 : a + frames);
  }

  colourBy(name: string): void {
    this.colouring = this.#colourings.find((colouring) => colouring.name === name) ?? this.colouring;
    this.redraw();
  }

  colourByNumber(number: number): void {
    this.colourBy(this.#colourings[number]?.name ?? "");
  }

  setRange(mode: RangeMode, fixed: { low: number; high: number } | null = null): void {
    this.#fixed = fixed ?? (mode === "fixed" ? this.range() : this.#fixed);
    this.rangeMode = mode;
    this.redraw();
  }

  pick(id: number | null): void {
    this.picked = id;
    if (id === null) this.following = false;
    this.#followed = null;
    this.redraw();
  }

  follow(): void {
    this.following = this.picked !== null && !this.following;
    this.#followed = null;
    this.redraw();
  }

  turnUp(): void {
    const [x, y, z] = this.#up;
    const axis = [z, y, x].findIndex((part) => Math.abs(part) > 0.7);
    this.#up = UPS[(axis + 1) % UPS.length]!;
    this.stage.stand(this.#up);
    this.redraw();
  }

  /** Shows the bodies where they are now. */
  fitNow(): void {
    // The stage knows of the present time once it is drawn.
    this.draw();
    this.stage.fit(true, "now");
    this.redraw();
  }

  /** Looks from the side that an axis points to, or from the other. */
  lookFrom(axis: number, sign: number): void {
    const side: Vector = [0, 0, 0];
    side[axis] = sign;
    this.stage.lookFrom(side);
    this.redraw();
  }

  /** Looks along "x", "y" or "z": from the front first, then from behind. */
  lookAlong(name: string): void {
    const axis = "xyz".indexOf(name);
    const { towards } = this.stage.eye.axes;
    const first = Math.abs(towards.getComponent(axis)) > 0.7 ? Math.sign(towards.getComponent(axis)) : 1;
    const { camera, target } = this.stage.eye;
    const now = camera.position.clone().sub(target).normalize().getComponent(axis);
    this.lookFrom(axis, now * first > 0.999 ? -first : first);
  }

  /** Cuts across x, then y, then z, then not. */
  cutNext(): void {
    const order = [null, "x", "y", "z"] as const;
    const next = order[(order.findIndex((axis) => axis === this.stage.cut.axis) + 1) % order.length]!;
    this.stage.cutBy(next);
    // There is the place of the cut.
    if (next !== null) this.layout.view.root.hidden = false;
    this.redraw();
  }

  // What is shown

  /** How many bonds had broken at the shown time, by the names of modes; null without any. */
  broken(): { name: string; count: number }[] | null {
    const { names, times } = this.#breakages ?? { names: [], times: [] };
    if (times.length === 0) return null;
    const counts = brokenAt(this.#breakages!, this.playback.time);
    return names.map((name, mode) => ({ name, count: counts[mode]! }));
  }

  range(): Range {
    const { colouring, trajectory, rangeMode } = this;
    const plain = { undercut: false, exceeded: false, log: false, from: "" };
    if (colouring === null || colouring.kind === "kind") return { low: 0, high: 1, ...plain };
    const { low, high } = this.#fixed;
    if (rangeMode === "fixed" && colouring.unit !== "") return { ...plain, low, high, undercut: low > 0, exceeded: true };
    const mode = rangeMode === "fixed" ? "run" : rangeMode;
    return this.#ranges.of(colouring, mode, trajectory.momentAt(this.playback.time).a);
  }

  names(): string[] {
    return this.colouring?.names?.() ?? [];
  }

  /** Shows the state as it is, at once. */
  draw(): void {
    const { colouring, playback, stage, trajectory } = this;
    if (!this.#open || colouring === null) return;
    stage.colour(colouring, this.range());
    const field = this.fields.at(playback.time);
    stage.showField(field, this.fields.shown, this.fields.opacity);
    stage.show(playback.time, colouring, this.smooth);
    this.#showPicked();
    stage.render();
    const { a, b, mix } = trajectory.momentAt(playback.time);
    const shown = mix > 0.5 ? b : a;
    this.layout.timeline.show(playback, shown, trajectory.length);
    this.layout.plot.show(playback.time);
    this.layout.legend.show(colouring, this.rangeMode, this.range(), this.names());
    this.layout.legend.forces(stage.contactsShown ? stage.greatestForce : null);
    this.layout.legend.broken(stage.broken.mesh.visible ? this.broken() : null);
    this.layout.field.show(this.fields, field, playback.end);
    this.layout.gauge.show(this.gauge());
    this.layout.view.show(this.#view());
    this.layout.toolbar?.show();
    const { bodies, contacts } = trajectory.frame(shown);
    const pieces = manyPieces(stage.bodies.counts);
    this.layout.setCounts([many(bodies, "body", "bodies"), ...pieces, many(contacts, "contact")].join(" · "));
    this.layout.canvas.setAttribute("aria-label", `${count(bodies)} bodies in 3D`);
  }

  /** Axes and scale of the picture, as it was drawn last. */
  gauge(): GaugeState {
    const { eye, height } = this.stage;
    const turn = eye.camera.matrixWorldInverse.elements;
    const axes = [0, 1, 2].map((axis) => [...turn.slice(4 * axis, 4 * axis + 3)] as Vector);
    const pixel = (2 * eye.half) / height;
    return { axes, pixel, exact: eye.orthographic, dark: this.theme.theme === "dark" };
  }

  #view(): ViewState {
    const { eye, cut, walls, room } = this.stage;
    const { axis, at, flipped } = cut;
    return {
      orthographic: eye.orthographic,
      gauge: this.layout.gauge.shown,
      cut: axis === null ? null : { axis, at, flipped, place: cut.place(room) },
      walls: walls.map(({ wall, shown, opacity }) => ({ name: wall.name, shown, opacity })),
    };
  }

  #begin(): void {
    this.#open = true;
    this.stage.open();
    this.stage.dress(this.theme.theme);
    const header = this.trajectory.header!;
    this.#colourings = colourings(this.trajectory);
    this.colouring = this.#colourings[0]!;
    this.layout.legend.offer(this.#colourings);
    this.layout.setTitle(header.title, this.live, null);
    this.playback.extend(this.trajectory.start, this.trajectory.end, false);
    this.playback.seek(this.live ? Infinity : this.playback.start);
    this.stage.stand(this.#up);
    this.messages.done();
    document.title = `${header.title} – Tumble`;
  }

  #showPicked(): void {
    const { stage, picked, trajectory } = this;
    const instant = stage.instant!;
    const row = picked === null ? -1 : instant.rowOf(picked);
    stage.bodies.highlight(row);
    stage.trace.show(trajectory, this.traced ? picked : null, this.playback.time);
    if (picked === null) {
      this.layout.body.hide();
      return;
    }
    this.layout.body.show(picked, row, instant, trajectory.header!, this.following, this.traced);
    if (!this.following || row < 0) return;
    const place = instant.position(row);
    const from = new Vector3(...(this.#followed ?? this.stage.eye.target.toArray()));
    stage.eye.shift(new Vector3(...place).sub(from));
    this.#followed = place;
  }

  #tick(now: number): void {
    requestAnimationFrame((next) => this.#tick(next));
    const seconds = Math.min((now - this.#last) / 1000, 0.25);
    this.#last = now;
    if (this.busy || !this.#open) return;
    const advanced = this.playback.advance(seconds, this.live);
    const moved = this.stage.eye.move();
    if (!advanced && !moved && !this.#dirty) return;
    this.#dirty = false;
    if (seconds > 0) this.fps += (1 / seconds - this.fps) * (this.fps === 0 ? 1 : 0.1);
    this.#slow = advanced && seconds > SLOW ? this.#slow + 1 : 0;
    if (this.#slow >= PATIENCE) {
      this.stage.economise();
      this.#slow = 0;
    }
    this.draw();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.layout.stage;
    const first = this.stage.canvas.width <= 1;
    this.stage.resize(clientWidth, clientHeight);
    if (this.#open && first) this.stage.fit(true);
    // At once, since a canvas that has changed its size is blank until it is drawn.
    if (this.#open && !this.busy) this.draw();
    this.redraw();
  }
}
