// A trajectory in memory: the bytes of the file, and where its frames are.
//
// Bytes are appended as they arrive and `scan` finds the frames that became whole. Arrays are views of the bytes,
// made when they are asked for; they end when more bytes are appended, so use them at once.

import { GrowingBytes } from "./bytes";
import {
  BYTES_OF,
  Damage,
  FRAME_HEAD,
  FRAME_LEAST,
  arrayBytes,
  readFrameHead,
  readHeader,
  rowsOf,
  type ArrayLayout,
  type FrameHead,
  type Header,
} from "./format";
import { xxh32 } from "./xxh32";

export interface Frame {
  step: number;
  time: number;
  /** Number of the frame that lists the bodies. */
  list: number;
  bodies: number;
  contacts: number;
  positions: Float32Array;
  /** w, x, y, z times 32767. */
  orientations: Int16Array;
  speeds: Float32Array;
  /** Directions of velocities, two numbers each, as `directionOf` reads them; null in older files. */
  headings: Int16Array | null;
  /** K; null where there is no heat. */
  temperatures: Float32Array | null;
  /** m³; null where there is no liquid. */
  films: Float32Array | null;
  spins: Float32Array;
  /** Place of the pivot and rotation (w, x, y, z) of each moving wall. */
  wallPlaces: Float32Array;
  contactPoints: Float32Array;
  contactForces: Float32Array;
}

/** Which bodies there are. Unlike views it stays, as copies. */
export interface BodyList {
  ids: Uint32Array;
  /** Template and material of each. */
  kinds: Uint16Array;
  scales: Float32Array;
}

/** Which templates or materials occur, and as the how many-th they came. */
export type Occurring = Map<number, number>;

/** An instant: between frames `a` and `b`, a part `mix` of the way. */
export interface Moment {
  a: number;
  b: number;
  mix: number;
}

interface Place {
  at: number;
  head: FrameHead;
  list: number;
}

export class Trajectory {
  readonly bytes = new GrowingBytes();
  /** What is wrong with parts of the file, for people. */
  readonly problems: string[] = [];
  /** What bodies are of, so far. Later frames add to it and change nothing. */
  readonly templates: Occurring = new Map();
  readonly materials: Occurring = new Map();
  #header: Header | null = null;
  #places: Place[] = [];
  #times: number[] = [];
  #lists = new Map<number, BodyList>();
  /** Where the next frame begins. */
  #next = 0;
  #list: number | null = null;
  #stuck = false;

  /** What does not change; null until it has arrived. */
  get header(): Header | null {
    return this.#header;
  }

  get length(): number {
    return this.#places.length;
  }

  get times(): readonly number[] {
    return this.#times;
  }

  get start(): number {
    return this.#times[0] ?? 0;
  }

  get end(): number {
    return this.#times[this.#times.length - 1] ?? 0;
  }

  /** Bytes after the last whole frame: of one that is being written, or was cut off. */
  get rest(): number {
    return this.bytes.length - this.#next;
  }

  /** Finds what became whole since the last call. Throws `Damage` if the file cannot be read at all. */
  scan(): void {
    const bytes = this.bytes.view(0, this.bytes.length);
    if (this.#header === null) {
      const read = readHeader(bytes);
      if (read === null) return;
      this.#header = read.header;
      this.#next = read.end;
    }
    while (!this.#stuck) {
      let head: FrameHead | null;
      try {
        head = readFrameHead(bytes, this.#next);
      } catch (damage) {
        if (!(damage instanceof Damage)) throw damage;
        this.#stuck = true;
        this.problems.push(`trajectory.tumble: ${damage.message}; what follows is not shown.`);
        return;
      }
      if (head === null) return;
      this.#take(bytes, head);
      this.#next += FRAME_HEAD + head.length;
    }
  }

  frame(number: number): Frame {
    const { head, list } = this.#place(number);
    const floats = (name: string) => this.#array(number, name) as Float32Array;
    const has = (name: string) => this.#header!.arrays.some((array) => array.name === name);
    return {
      step: head.step,
      time: head.time,
      list,
      bodies: head.bodies,
      contacts: head.contacts,
      positions: floats("positions"),
      orientations: this.#array(number, "orientations") as Int16Array,
      speeds: floats("speeds"),
      headings: has("headings") ? (this.#array(number, "headings") as Int16Array) : null,
      temperatures: has("temperatures") ? floats("temperatures") : null,
      films: has("films") ? floats("films") : null,
      spins: floats("spins"),
      wallPlaces: floats("wall_places"),
      contactPoints: floats("contact_points"),
      contactForces: floats("contact_forces"),
    };
  }

  /** The number of the list that holds for a frame; equal numbers, equal bodies. */
  listOf(number: number): number {
    return this.#place(number).list;
  }

  list(number: number): BodyList {
    const known = this.#lists.get(number);
    if (known !== undefined) return known;
    const list = {
      ids: (this.#array(number, "ids") as Uint32Array).slice(),
      kinds: (this.#array(number, "kinds") as Uint16Array).slice(),
      scales: (this.#array(number, "scales") as Float32Array).slice(),
    };
    // Runs with streams may have as many lists as frames.
    if (this.#lists.size >= 8) this.#lists.delete(this.#lists.keys().next().value!);
    this.#lists.set(number, list);
    return list;
  }

  /** The frames around a time. */
  momentAt(time: number): Moment {
    const last = this.length - 1;
    const after = firstAfter(this.#times, time);
    if (after === 0) return { a: 0, b: 0, mix: 0 };
    if (after > last) return { a: last, b: last, mix: 0 };
    const [from, to] = [this.#times[after - 1]!, this.#times[after]!];
    return { a: after - 1, b: after, mix: (time - from) / (to - from) };
  }

  #take(bytes: Uint8Array, head: FrameHead): void {
    const at = this.#next;
    const content = bytes.subarray(at + FRAME_HEAD, at + FRAME_HEAD + head.length);
    const whole = xxh32(content) === head.checksum && this.#fits(head);
    const later = this.length === 0 || head.time > this.end;
    if (!whole || !later) {
      const what = whole ? "is not later than the one before it" : "is damaged";
      this.problems.push(`trajectory.tumble: the frame of step ${head.step}, at byte ${at}, ${what}; it is left out.`);
      // Frames that count on its list cannot be told apart from others.
      if (head.lists) this.#list = null;
      return;
    }
    if (head.lists) this.#list = this.#places.length;
    if (this.#list === null || (!head.lists && this.#places[this.#list]?.head.bodies !== head.bodies)) {
      this.problems.push(`trajectory.tumble: the list of bodies for step ${head.step} is missing; it is left out.`);
      return;
    }
    this.#places.push({ at, head, list: this.#list });
    this.#times.push(head.time);
    if (head.lists) this.#noteKinds(this.#places.length - 1);
  }

  #noteKinds(number: number): void {
    const note = (seen: Occurring, kind: number) => {
      if (!seen.has(kind)) seen.set(kind, seen.size);
    };
    const kinds = this.#array(number, "kinds") as Uint16Array;
    for (let at = 0; at < kinds.length; at += 2) {
      note(this.templates, kinds[at]!);
      note(this.materials, kinds[at + 1]!);
    }
  }

  #fits(head: FrameHead): boolean {
    const needed = FRAME_LEAST - FRAME_HEAD + arrayBytes(this.#header!, head);
    return needed <= head.length && head.length - needed < 8 && Number.isFinite(head.time);
  }

  #place(number: number): Place {
    const place = this.#places[number];
    if (place === undefined) throw new RangeError(`there is no frame ${number}`);
    return place;
  }

  #array(number: number, name: string) {
    const { at, head } = this.#place(number);
    let begin = at + FRAME_LEAST;
    for (const array of this.#header!.arrays) {
      const count = rowsOf(array.of, head) * array.components;
      if (array.name === name) return viewOf(array.type, this.bytes.buffer, begin, count);
      begin += count * BYTES_OF[array.type];
    }
    throw new RangeError(`frames have no array ${name}`);
  }
}

/** For each row of one list, the row of another that has the same body, or −1. */
export function matchRows(from: BodyList, to: BodyList): Int32Array {
  const rows = new Map<number, number>();
  to.ids.forEach((id, row) => rows.set(id, row));
  return Int32Array.from(from.ids, (id) => rows.get(id) ?? -1);
}

function firstAfter(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

function viewOf(type: ArrayLayout["type"], buffer: ArrayBuffer, begin: number, count: number) {
  switch (type) {
    case "u16":
      return new Uint16Array(buffer, begin, count);
    case "i16":
      return new Int16Array(buffer, begin, count);
    case "u32":
      return new Uint32Array(buffer, begin, count);
    case "f32":
      return new Float32Array(buffer, begin, count);
  }
}
