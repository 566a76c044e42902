// The clock of the film.

const STEPS = [1, 2, 5];
const SLOWEST = -6;
const FASTEST = 3;

export const SPEEDS: readonly number[] = Array.from({ length: FASTEST - SLOWEST + 1 }, (_, power) =>
  STEPS.map((step) => Number(`${step}e${power + SLOWEST}`)),
).flat();

/** A run is over in about so many seconds, unless it can be shown as fast as it is. */
const PLEASANT = 10;

export class Playback {
  time = 0;
  playing = false;
  loop = true;
  #speed = 1;
  #chosen = false;
  #start = 0;
  #end = 0;
  #known = false;

  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  get atEnd(): boolean {
    return this.time >= this.#end;
  }

  /** Simulated seconds in a second of the viewer. */
  get speed(): number {
    return this.#speed;
  }

  /** Someone chose it. */
  set speed(speed: number) {
    [this.#speed, this.#chosen] = [speed, true];
  }

  /** Takes the speed that suits the length of the run, unless someone chose another. */
  suit(): void {
    if (!this.#chosen) this.#speed = pleasantSpeed(this.#end - this.#start);
  }

  /** How long the film is. A live run makes it longer; who watches its end stays there. */
  extend(start: number, end: number, follow: boolean): void {
    const stay = follow && this.atEnd && !this.playing && this.#known;
    [this.#start, this.#end, this.#known] = [start, end, true];
    this.time = stay ? end : this.#clamped(this.time);
  }

  seek(time: number): void {
    this.time = this.#clamped(time);
  }

  toggle(): void {
    if (!this.playing && this.atEnd) this.time = this.#start;
    this.playing = !this.playing;
  }

  /** Goes on by seconds of the viewer; tells whether the time has changed. */
  advance(seconds: number, live: boolean): boolean {
    if (!this.playing) return false;
    this.time += seconds * this.speed;
    if (this.time < this.#end) return true;
    if (this.loop && !live) {
      const length = this.#end - this.#start;
      this.time = length > 0 ? this.#start + ((this.time - this.#start) % length) : this.#start;
    } else {
      this.time = this.#end;
      this.playing = false;
    }
    return true;
  }

  faster(by: number): void {
    const at = SPEEDS.findIndex((speed) => speed >= this.speed * (1 - 1e-9));
    this.speed = SPEEDS[Math.min(Math.max(at + by, 0), SPEEDS.length - 1)]!;
  }

  #clamped(time: number): number {
    return Math.min(Math.max(time, this.#start), this.#end);
  }
}

/** As fast as it is, if that takes 2 to 30 seconds; else slower or faster. */
export function pleasantSpeed(duration: number): number {
  if (!(duration > 0) || (duration >= 2 && duration <= 3 * PLEASANT)) return 1;
  const ratio = Math.log(duration / PLEASANT);
  return SPEEDS.reduce((best, speed) =>
    Math.abs(Math.log(speed) - ratio) < Math.abs(Math.log(best) - ratio) ? speed : best,
  );
}

/** "×0.05": how film time compares with real time. */
export function speedLabel(speed: number): string {
  return `×${speed >= 1e-3 ? speed : speed.toExponential().replace("-", "−")}`;
}
