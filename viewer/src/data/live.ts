// Brings the data in, and more of it while a run goes on.

import { Damage } from "./format";
import { readGravity, readSummary, type Summary } from "./folder";
import type { FieldHead } from "./fields";
import { Unavailable, type Source, type Status } from "./source";
import { Trajectory } from "./trajectory";

export interface Listener {
  /** Part of the trajectory has arrived, from 0 to 1. */
  progress(part: number): void;
  /** There are frames, or more than before. */
  frames(): void;
  /** A table over time, or more of it. Throws an error for people if it cannot be read. */
  table(name: string, text: string): void;
  /** Which coarse-grained fields there are, and with which frames. */
  fields(fields: FieldHead[]): void;
  /** Gravity is known before the first frame is shown, if at all. */
  gravity(gravity: [number, number, number]): void;
  status(status: Status, summary: Summary | null): void;
  /** Everything there is now has been read. */
  complete(): void;
  /** Something is wrong, but there is something to show. */
  warn(message: string): void;
  /** There is nothing to show. */
  fail(title: string, message: string): void;
}

/** How long to wait before looking for new frames, ms. */
const PAUSE = 1000;
/** Frames are looked for each time so many bytes have arrived. */
const PIECE = 4 << 20;
/** A table that grows is read again when it has grown by this part. */
const GROWN = 0.02;

export class Feed {
  readonly trajectory = new Trajectory();
  /** The numbers of a quantity in a frame of fields. */
  readonly field: Source["field"];
  readonly #source: Source;
  readonly #listener: Listener;
  readonly #tables = new Map<string, number>();
  #warned = 0;
  /** Fields and their numbers of frames, as they were when they were asked for. */
  #fields = "[]";
  /** What is wrong with some, which is said once. */
  readonly #said = new Set<string>();

  constructor(source: Source, listener: Listener) {
    this.#source = source;
    this.field = (...what) => source.field(...what);
    this.#listener = listener;
  }

  /** Reads what there is, then follows a run to its end. Never throws. */
  async run(): Promise<void> {
    try {
      let status = await this.#source.status();
      await this.#readGravity(status);
      await this.#read(status);
      while (status.live) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        status = await this.#source.status();
        await this.#read(status);
      }
      if (this.trajectory.length === 0) {
        this.#listener.fail("Nothing to show yet", "The trajectory has no whole frame. " + HOW_TO_WRITE);
      } else if (this.trajectory.rest > 0 && this.trajectory.problems.length === 0) {
        const { rest, length } = this.trajectory;
        this.#listener.warn(
          `trajectory.tumble was cut off: the last ${rest} bytes are no whole frame. The ${length} before it are shown.`,
        );
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  async #readGravity(status: Status): Promise<void> {
    // A trajectory without its folder has no scene, and asking for one would only look like an error.
    const folder = status.live || status.ended !== null || status.tables.length > 0;
    const scene = folder ? await this.#source.text("scene.toml") : null;
    const gravity = scene === null ? null : readGravity(scene);
    if (gravity !== null) this.#listener.gravity(gravity);
  }

  async #read(status: Status): Promise<void> {
    const summary = status.ended === null ? null : readSummary(await this.#source.text("summary.json"));
    this.#listener.status(status, summary);
    if (status.problem !== null && !status.live) throw new Unavailable(status.problem);
    if (status.trajectory_bytes < this.trajectory.bytes.length) {
      throw new Unavailable("The run was started anew, and its trajectory with it. Reload this page.");
    }
    if (status.trajectory_bytes > this.trajectory.bytes.length) await this.#readTrajectory();
    for (const { name, bytes } of status.tables) {
      const known = this.#tables.get(name) ?? 0;
      if (bytes === known || (status.live && bytes < known * (1 + GROWN))) continue;
      this.#tables.set(name, bytes);
      const text = await this.#source.text(name);
      if (text !== null) this.#readTable(name, text);
    }
    if (this.trajectory.length > 0) await this.#readFields(status);
    if (this.trajectory.length > 0) this.#listener.complete();
  }

  /** A few words on each of them; their numbers are asked for when they are shown. */
  async #readFields({ fields = [] }: Status): Promise<void> {
    const now = JSON.stringify(fields);
    if (now === this.#fields) return;
    this.#fields = now;
    const told = await this.#source.fields();
    for (const problem of told.problems.filter((problem) => !this.#said.has(problem))) {
      this.#said.add(problem);
      this.#listener.warn(problem);
    }
    this.#listener.fields(told.fields);
  }

  async #readTrajectory(): Promise<void> {
    const { trajectory } = this;
    let scanned = trajectory.bytes.length;
    const scan = () => {
      const before = trajectory.length;
      trajectory.scan();
      scanned = trajectory.bytes.length;
      for (; this.#warned < trajectory.problems.length; this.#warned += 1) {
        this.#listener.warn(trajectory.problems[this.#warned]!);
      }
      if (trajectory.length > before) this.#listener.frames();
    };
    await this.#source.trajectory(scanned, (piece, total) => {
      // Exactly, for what is there; a run that goes on needs room to grow.
      if (trajectory.bytes.length === 0) trajectory.bytes.reserve(total);
      trajectory.bytes.append(piece);
      this.#listener.progress(trajectory.bytes.length / Math.max(total, 1));
      if (trajectory.bytes.length - scanned >= PIECE) scan();
    });
    scan();
    if (trajectory.header === null) {
      throw new Damage(`It was cut off in its header: only ${trajectory.bytes.length} bytes are there.`);
    }
  }

  #readTable(name: string, text: string): void {
    try {
      this.#listener.table(name, text);
    } catch (error) {
      this.#listener.warn(`${name}: ${(error as Error).message}`);
    }
  }

  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.trajectory.length > 0) {
      this.#listener.warn(message);
    } else if (error instanceof Damage) {
      this.#listener.fail("The trajectory cannot be read", `trajectory.tumble: ${message}`);
    } else if (error instanceof Unavailable) {
      this.#listener.fail("No trajectory to show", message);
    } else {
      this.#listener.fail("Something went wrong", message);
    }
  }
}

const HOW_TO_WRITE = "A run writes trajectory.tumble unless its scene has `output.trajectory = false`.";
