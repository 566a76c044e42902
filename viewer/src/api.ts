// `window.tumble`: what the viewer shows, to read from the console and from tests.

import type { Viewer } from "./viewer";

export interface Api {
  /** Everything there is now has been read, and is shown. */
  readonly ready: boolean;
  readonly frames: number;
  /** s */
  readonly time: number;
  readonly playing: boolean;
  /** Number of the picked body. */
  readonly picked: number | null;
  readonly colouring: string | null;
  /** The coarse-grained field that is drawn, which component of it, of which of its frames, and the ends of its colours. */
  readonly field: { name: string; quantity: string; part: number | "size"; frame: number; low: number; high: number } | null;
  /** What a pixel of the page covers where one looks at, m. */
  readonly pixel: number;
  /** Pictures per second, over the last ones that were drawn. */
  readonly fps: number;
  /** What went wrong. */
  readonly errors: readonly string[];
  seek(frame: number): void;
  /** Where the body with a number is in the window, CSS pixels; null if it is not there. */
  place(id: number): [number, number] | null;
}

export function apiOf(errors: readonly string[], viewer: Viewer | null, ready: () => boolean): Api {
  return {
    get ready() {
      return ready();
    },
    get frames() {
      return viewer?.trajectory.length ?? 0;
    },
    get time() {
      return viewer?.playback.time ?? 0;
    },
    get playing() {
      return viewer?.playback.playing ?? false;
    },
    get picked() {
      return viewer?.picked ?? null;
    },
    get colouring() {
      return viewer?.colouring?.name ?? null;
    },
    get field() {
      const { fields } = viewer ?? {};
      const shown = fields?.at(viewer!.playback.time) ?? null;
      if (fields === undefined || shown === null) return null;
      const { low, high } = shown.range;
      return { name: fields.head!.name, quantity: fields.quantity!.name, part: fields.part, frame: shown.frame, low, high };
    },
    get pixel() {
      return viewer?.gauge().pixel ?? 0;
    },
    get fps() {
      return viewer?.fps ?? 0;
    },
    get errors() {
      return [...errors];
    },
    seek(frame: number) {
      viewer?.seekFrame(frame);
    },
    place(id: number) {
      const instant = viewer?.stage.instant;
      const row = instant?.rowOf(id) ?? -1;
      if (viewer === null || instant === null || instant === undefined || row < 0) return null;
      const [x, y] = viewer.stage.project(instant.position(row));
      const corner = viewer.stage.canvas.getBoundingClientRect();
      return [corner.left + x, corner.top + y];
    },
  };
}
