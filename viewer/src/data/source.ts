// Where the data comes from: the program that serves this page, or the page itself if it is an exported film.

import { base64Bytes } from "./base64";
import type { FieldHead } from "./fields";

export interface Status {
  title: string;
  /** A run is writing this folder now. */
  live: boolean;
  trajectory_bytes: number;
  /** Tables over time, with their lengths. */
  tables: { name: string; bytes: number }[];
  /** Coarse-grained fields that have frames; older programs do not tell. */
  fields?: { name: string; frames: number }[];
  ended: "finished" | "interrupted" | "failed" | null;
  step: number | null;
  problem: string | null;
}

export interface Source {
  status(): Promise<Status>;
  /** Hands over the bytes of the trajectory from a place on, piece by piece, with how many there will be in all. */
  trajectory(from: number, take: (piece: Uint8Array, total: number) => void): Promise<void>;
  /** A file of the result folder; null if there is none. */
  text(name: string): Promise<string | null>;
  /** Which coarse-grained fields of planes and grids there are, and what is wrong with others. */
  fields(): Promise<{ fields: FieldHead[]; problems: string[] }>;
  /** The numbers of a quantity in a frame of fields. */
  field(name: string, frame: number, quantity: string): Promise<Float32Array>;
}

/** The server answered with something else than data. */
export class Unavailable extends Error {}

/** Films have their data in an element that the export puts into the page. */
export function openSource(): Source {
  const element = document.getElementById("tumble-data");
  return element === null ? new Server() : new Film(element.textContent ?? "");
}

class Server implements Source {
  async status(): Promise<Status> {
    return (await this.#get("status")).json() as Promise<Status>;
  }

  async trajectory(from: number, take: (piece: Uint8Array, total: number) => void): Promise<void> {
    const response = await this.#get("trajectory", from > 0 ? { Range: `bytes=${from}-` } : {});
    if (response.status === 416) return;
    // Without a part, all of it comes again.
    let skip = from > 0 && response.status !== 206 ? from : 0;
    const total = from - skip + Number(response.headers.get("Content-Length") ?? 0);
    const reader = response.body!.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const piece = value.subarray(Math.min(skip, value.byteLength));
      skip -= value.byteLength - piece.byteLength;
      if (piece.byteLength > 0) take(piece, total);
    }
  }

  async text(name: string): Promise<string | null> {
    const response = await fetch(`data/${name}`, { cache: "no-store" });
    return response.ok ? response.text() : null;
  }

  async fields(): Promise<{ fields: FieldHead[]; problems: string[] }> {
    return (await this.#get("fields")).json() as Promise<{ fields: FieldHead[]; problems: string[] }>;
  }

  async field(name: string, frame: number, quantity: string): Promise<Float32Array> {
    const response = await this.#get(`fields/${name}/${frame}/${quantity}`);
    return new Float32Array(await response.arrayBuffer());
  }

  async #get(name: string, headers: Record<string, string> = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`data/${name}`, { headers, cache: "no-store" });
    } catch {
      throw new Unavailable("`tumble view` does not answer. Was it ended? Start it again and reload this page.");
    }
    if (response.ok || response.status === 416) return response;
    const body = (await response.json().catch(() => null)) as { error?: string } | null;
    throw new Unavailable(body?.error ?? `The server answered ${response.status} for data/${name}.`);
  }
}

interface FilmData {
  trajectory: string;
  /** By name. */
  tables: Record<string, string>;
  summary: object | null;
  title: string;
  scene?: string | null;
  /** Of each frame, the numbers of quantities by their names. */
  fields?: { field: FieldHead; left_out: number; frames: Record<string, string>[] }[];
}

class Film implements Source {
  readonly #data: FilmData;

  constructor(text: string) {
    try {
      this.#data = JSON.parse(text) as FilmData;
    } catch {
      throw new Unavailable("The data inside this file is damaged or was cut off. Export the film again.");
    }
  }

  async status(): Promise<Status> {
    const { title, tables, trajectory } = this.#data;
    const lengths = Object.entries(tables).map(([name, text]) => ({ name, bytes: text.length }));
    const trajectory_bytes = Math.floor(trajectory.length * 0.75);
    const fields = (this.#data.fields ?? []).map(({ field, frames }) => ({ name: field.name, frames: frames.length }));
    return { title, live: false, trajectory_bytes, tables: lengths, fields, ended: null, step: null, problem: null };
  }

  async trajectory(_from: number, take: (piece: Uint8Array, total: number) => void): Promise<void> {
    const total = Math.floor(this.#data.trajectory.length * 0.75);
    for (const piece of base64Bytes(this.#data.trajectory)) {
      take(piece, total);
      await new Promise((resolve) => setTimeout(resolve));
    }
    this.#data.trajectory = "";
  }

  async text(name: string): Promise<string | null> {
    const { tables, summary, scene } = this.#data;
    if (name === "scene.toml") return scene ?? null;
    if (name === "summary.json") return summary === null ? null : JSON.stringify(summary);
    return tables[name] ?? null;
  }
  async fields(): Promise<{ fields: FieldHead[]; problems: string[] }> {
    const fields = (this.#data.fields ?? []).map(({ field, left_out }) => ({ ...field, leftOut: left_out, part: true }));
    return { fields, problems: [] };
  }

  async field(name: string, frame: number, quantity: string): Promise<Float32Array> {
    const found = this.#data.fields?.find(({ field }) => field.name === name);
    const text = found?.frames[frame]?.[quantity];
    if (text === undefined || text === "") throw new Unavailable(`This file has no ${quantity} of the fields ${name} at that time.`);
    const pieces = [...base64Bytes(text)];
    const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
    pieces.reduce((at, piece) => (bytes.set(piece, at), at + piece.byteLength), 0);
    return new Float32Array(bytes.buffer);
  }
}
