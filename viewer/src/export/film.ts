// Films: the browser's own recorder takes pictures that are drawn one after the other, evenly in time.
//
// The recorder knows no time but the real one, so that a film of ten seconds takes ten seconds, or longer where
// drawing is slow.

const PICTURES_PER_SECOND = 30;
/** Recorders need a while to begin: the last picture of a short film stays until something is written, at most so often. */
const STAYS = 300;
/** Bits per second for each pixel of a picture. */
const BITS = 8;
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

export interface Film {
  /** Seconds, at the speed that was chosen. */
  duration: number;
  /** Draws the picture at a part of the film, from 0 to 1, onto the canvas that is recorded. */
  draw(part: number): void;
  progress(part: number): void;
}

/** Why no film can be made here, or null. */
export function filmProblem(canvas: HTMLCanvasElement): string | null {
  if (typeof MediaRecorder === "undefined" || canvas.captureStream === undefined) {
    return "This browser cannot record films (it has no MediaRecorder). Use a current Chromium, Firefox or Safari.";
  }
  return kindOf() === null ? "This browser has no encoder for WebM or MP4 films." : null;
}

/** Records a film; null if it was given up. */
export async function record(canvas: HTMLCanvasElement, film: Film, signal: AbortSignal): Promise<Blob | null> {
  const kind = kindOf()!;
  const stream = canvas.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const bits = canvas.width * canvas.height * BITS;
  const recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: Math.min(bits, 40e6) });
  const pieces: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => pieces.push(data));
  const over = new Promise<void>((resolve, reject) => {
    recorder.addEventListener("stop", () => resolve());
    recorder.addEventListener("error", () => reject(new Error("The recorder of the browser has failed.")));
  });
  const pictures = Math.max(Math.round(film.duration * PICTURES_PER_SECOND), 1);
  const isWritten = () => pieces.some(({ size }) => size > 0);
  recorder.start(500);
  let due = performance.now();
  const take = async (part: number) => {
    film.draw(part);
    track.requestFrame();
    film.progress(part);
    due = Math.max(due + 1000 / PICTURES_PER_SECOND, performance.now());
    // Browsers take the picture when they present the page.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
  };
  for (let picture = 0; picture <= pictures && !signal.aborted; picture += 1) await take(picture / pictures);
  for (let stay = 0; stay < STAYS && !isWritten() && !signal.aborted; stay += 1) {
    await take(1);
    if (recorder.state === "recording") recorder.requestData();
  }
  // One that has failed has stopped by itself.
  if (recorder.state !== "inactive") recorder.stop();
  await over;
  track.stop();
  if (signal.aborted) return null;
  if (!isWritten()) throw new Error("the recorder of the browser has written nothing.");
  return new Blob(pieces, { type: kind });
}

export function extensionOf(film: Blob): string {
  return film.type.startsWith("video/mp4") ? "mp4" : "webm";
}

function kindOf(): string | null {
  return KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null;
}
