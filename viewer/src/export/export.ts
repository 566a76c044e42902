// Pictures and films of what is seen, saved as files.

import { save } from "../ui/dom";
import { titleOf } from "../ui/field-panel";
import { clock } from "../ui/timeline";
import type { Viewer } from "../viewer";
import { extensionOf, filmProblem, record } from "./film";
import { compose, paint, type Caption } from "./picture";

export function takePicture(viewer: Viewer): void {
  if (!viewer.isOpen) return;
  viewer.draw();
  const canvas = document.createElement("canvas");
  compose(canvas, viewer.stage.canvas, captionOf(viewer));
  canvas.toBlob((blob) => {
    if (blob === null) viewer.messages.warn("The browser could not make a PNG file of the picture.");
    else save(blob, `${fileName(viewer)}.png`);
  }, "image/png");
}

export function makeFilm(viewer: Viewer): void {
  const { stage, playback, layout } = viewer;
  if (!viewer.isOpen || layout.film.isOpen) return;
  const problem = filmProblem(stage.canvas);
  if (problem !== null) {
    viewer.messages.note(problem, "warning");
    return;
  }
  const duration = (playback.end - playback.start) / playback.speed;
  const { width, height } = stage.canvas;
  layout.film.ask(duration, width, height, () => void recordFilm(viewer, duration));
}

async function recordFilm(viewer: Viewer, duration: number): Promise<void> {
  const { stage, playback, layout } = viewer;
  const canvas = document.createElement("canvas");
  viewer.draw();
  compose(canvas, stage.canvas, captionOf(viewer));
  const [cancelled, before] = [new AbortController(), playback.time];
  const progress = layout.film.progress(() => cancelled.abort());
  const { start, end } = playback;
  const draw = (part: number) => {
    playback.seek(start + (end - start) * part);
    viewer.draw();
    paint(canvas, stage.canvas, captionOf(viewer));
  };
  viewer.busy = true;
  playback.playing = false;
  try {
    const film = await record(canvas, { duration, draw, progress }, cancelled.signal);
    if (film !== null) save(film, `${fileName(viewer)}.${extensionOf(film)}`);
  } catch (error) {
    viewer.messages.warn(`No film was made: ${(error as Error).message}`);
  } finally {
    viewer.busy = false;
    layout.film.close();
    viewer.seek(before);
  }
}

function captionOf(viewer: Viewer): Caption {
  const { playback } = viewer;
  const { canvas } = viewer.stage;
  const field = viewer.fields.at(playback.time);
  return {
    title: viewer.title,
    time: clock(playback.time, playback.end),
    colouring: viewer.colouring!,
    range: viewer.range(),
    names: viewer.names(),
    field: field === null ? null : { label: titleOf(viewer.fields), unit: viewer.fields.unit, ...field },
    dark: viewer.theme.theme === "dark",
    gauge: viewer.layout.gauge.shown ? { state: viewer.gauge(), ratio: canvas.width / Math.max(canvas.clientWidth, 1) } : null,
  };
}

function fileName(viewer: Viewer): string {
  const title = viewer.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return title.replace(/^-|-$/g, "") || "tumble";
}
