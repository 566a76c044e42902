// What can be done with a key: one list, from which shortcuts, the buttons beside the scene and the help are made.

import { element, iconButton, press } from "./dom";
import { ICONS } from "./icons";

export interface Action {
  /** As `KeyboardEvent.key` has them. */
  keys: string[];
  words: string;
  /** With the key that was pressed. */
  run(key: string): void;
  /** Has a button, with this picture. */
  icon?: keyof typeof ICONS;
  /** Whether there is something for it, if that is not so in every run; without, there is no button. */
  there?: () => boolean;
  /** Whether it is on, for buttons that switch. */
  on?: () => boolean;
}

const NAMES: Record<string, string> = {
  " ": "Space",
  ArrowLeft: "←",
  ArrowRight: "→",
  "Shift+ArrowLeft": "Shift ←",
  "Shift+ArrowRight": "Shift →",
  "Shift+b": "Shift B",
  "Shift+f": "Shift F",
  Escape: "Esc",
};

/** Runs actions when their keys are pressed, unless someone is typing. */
export function listenToKeys(actions: Action[]): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isOf(event.target as HTMLElement, event.key)) return;
    // An open dialog has keys of its own.
    if (event.key !== "?" && document.querySelector("dialog[open]") !== null) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const shifted = event.shiftKey && /^(Arrow|[a-z]$)/.test(key) ? `Shift+${key}` : key;
    const action = actions.find(({ keys }) => keys.includes(shifted)) ?? actions.find(({ keys }) => keys.includes(key));
    if (action === undefined) return;
    event.preventDefault();
    action.run(key);
  });
}

/** Whether the element that has the focus makes use of a key itself. */
function isOf(target: HTMLElement, key: string): boolean {
  if (target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLButtonElement) return key === " ";
  if (!(target instanceof HTMLInputElement)) return false;
  if (target.type === "checkbox") return key === " ";
  // The arrows of the timeline step from frame to frame.
  if (target.type === "range") return !target.classList.contains("scrubber") && /^(Arrow|Home|End|Page)/.test(key);
  return true;
}

export class Toolbar {
  readonly root = element("nav", { class: "toolbar panel", "aria-label": "View" });
  readonly #switches: { button: HTMLButtonElement; on: () => boolean; there: () => boolean }[] = [];

  constructor(actions: Action[]) {
    for (const { icon, words, keys, run, on, there = () => true } of actions) {
      if (icon === undefined) continue;
      const button = iconButton(ICONS[icon], `${words} (${nameOf(keys[0]!)})`, () => run(""));
      if (on !== undefined) this.#switches.push({ button, on, there });
      this.root.append(button);
    }
  }

  show(): void {
    for (const { button, on, there } of this.#switches) {
      press(button, on());
      button.hidden = !there();
    }
  }
}

/** All keys, over the page. */
export class Help {
  readonly root = element("dialog", { class: "help panel", "aria-label": "Help" });

  constructor(actions: Action[]) {
    const rows = actions.flatMap(({ keys, words }) => [
      element("dt", {}, ...keys.map((key) => element("kbd", {}, nameOf(key)))),
      element("dd", {}, words),
    ]);
    this.root.append(
      element(
        "header",
        {},
        element("h2", {}, "Keys"),
        iconButton(ICONS.close, "Close (Esc)", () => this.root.close()),
      ),
      element("dl", {}, ...rows),
      element(
        "p",
        {},
        "Drag to orbit, wheel or pinch to zoom, right button or two fingers to pan. Click a body to see its state.",
      ),
    );
    this.root.addEventListener("click", (event) => {
      if (event.target === this.root) this.root.close();
    });
  }

  toggle(): void {
    if (this.root.open) this.root.close();
    else this.root.showModal();
  }
}

function nameOf(key: string): string {
  return NAMES[key] ?? key.toUpperCase();
}
