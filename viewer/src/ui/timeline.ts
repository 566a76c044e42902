// Play, step, scrub, speed.

import type { Playback } from "../playback";
import { SPEEDS, speedLabel } from "../playback";
import { quantity } from "../numbers";
import { element, iconButton, press, relabel } from "./dom";
import { ICONS } from "./icons";

export interface TimelineActions {
  toggle(): void;
  step(frames: number): void;
  seek(time: number): void;
  speed(speed: number): void;
  loop(): void;
}

export class Timeline {
  readonly root: HTMLElement;
  readonly #play: HTMLButtonElement;
  readonly #loop: HTMLButtonElement;
  readonly #scrubber: HTMLInputElement;
  readonly #clock = element("output", { class: "clock", "aria-live": "off" });
  readonly #speed: HTMLSelectElement;

  constructor(actions: TimelineActions) {
    this.#play = iconButton(ICONS.play, "Play (Space)", actions.toggle);
    this.#play.classList.add("main");
    this.#loop = iconButton(ICONS.loop, "Begin again at the end (L)", actions.loop);
    this.#scrubber = element("input", {
      type: "range",
      class: "scrubber",
      min: "0",
      max: "1",
      step: "any",
      "aria-label": "Time",
      input: () => actions.seek(Number(this.#scrubber.value)),
    });
    this.#speed = element(
      "select",
      {
        "aria-label": "Speed, film time for real time",
        title: "Speed ([ and ])",
        change: () => actions.speed(Number(this.#speed.value)),
      },
      ...SPEEDS.map((speed) => element("option", { value: String(speed) }, speedLabel(speed))),
    );
    this.root = element(
      "div",
      { class: "timeline" },
      element(
        "div",
        { class: "buttons" },
        iconButton(ICONS.back, "One frame back (←)", () => actions.step(-1)),
        this.#play,
        iconButton(ICONS.forward, "One frame on (→)", () => actions.step(1)),
      ),
      this.#scrubber,
      this.#clock,
      element("div", { class: "buttons" }, this.#speed, this.#loop),
    );
  }

  show(playback: Playback, frame: number, frames: number): void {
    const { start, end, time, playing, speed, loop } = playback;
    if (playing) relabel(this.#play, ICONS.pause, "Pause (Space)");
    else relabel(this.#play, ICONS.play, "Play (Space)");
    press(this.#loop, loop);
    this.#scrubber.min = String(start);
    this.#scrubber.max = String(end);
    this.#scrubber.value = String(time);
    const part = end > start ? (time - start) / (end - start) : 0;
    this.#scrubber.style.setProperty("--part", String(part));
    this.#scrubber.setAttribute("aria-valuetext", `${quantity(time, "s", 4)}, frame ${frame + 1} of ${frames}`);
    this.#clock.replaceChildren(
      element("b", {}, clock(time, end)),
      element("span", {}, `frame ${frame + 1} of ${frames}`),
    );
    if (Number(this.#speed.value) !== speed) this.#speed.value = String(speed);
  }
}

/** Time in a unit and with decimals that stay the same during a run, so that nothing jumps about. */
export function clock(time: number, end: number): string {
  const [factor, unit] = end >= 1 ? [1, "s"] : end >= 1e-3 ? [1e3, "ms"] : [1e6, "µs"];
  const digits = Math.max(3 - Math.floor(Math.log10(Math.max(end * factor, 1))), 0);
  return `${(time * factor).toFixed(digits)}\u202f${unit}`;
}
