// What the page has to say: one card over the scene while there is nothing to show, and notes that can be closed.

import { element, iconButton } from "./dom";
import { ICONS } from "./icons";

/** Notes beyond this are only counted. */
const MOST = 4;

export class Messages {
  readonly card = element("div", { class: "card", role: "status", hidden: true });
  readonly notes = element("div", { class: "notes", role: "status" });
  /** Everything that went wrong, in order. */
  readonly errors: string[] = [];
  #more = 0;
  #broken = false;

  /** How far loading is, from 0 to 1. */
  loading(part: number): void {
    if (this.#broken) return;
    const percent = Math.round(part * 100);
    this.#show(
      element("h2", {}, "Reading the trajectory"),
      element("progress", { max: "100", value: String(percent), "aria-label": "How far reading is" }),
    );
  }

  waiting(): void {
    if (this.#broken) return;
    this.#show(element("h2", {}, "Waiting for the first frame"), element("p", {}, "The run has just begun."));
  }

  /** Nothing can be shown. */
  fail(title: string, message: string): void {
    this.errors.push(`${title}: ${message}`);
    this.#broken = true;
    this.card.classList.add("bad");
    this.#show(element("h2", {}, title), ...paragraphs(message));
  }

  /** There is something to show. */
  done(): void {
    if (!this.#broken) this.card.hidden = true;
  }

  /** Something is wrong with part of the data. */
  warn(message: string): void {
    this.errors.push(message);
    this.note(message, "warning");
  }

  note(message: string, kind: "warning" | "plain" = "plain"): void {
    if (this.notes.childElementCount >= MOST) {
      this.#more += 1;
      const last = this.notes.lastElementChild?.querySelector("p");
      last?.replaceChildren(`And ${this.#more + 1} more; the first are above.`);
      return;
    }
    const note = element("div", { class: `note ${kind}` }, ...paragraphs(message));
    note.append(iconButton(ICONS.close, "Close this note", () => note.remove()));
    this.notes.append(note);
    if (kind === "plain") setTimeout(() => note.remove(), 6000);
  }

  #show(...parts: Node[]): void {
    this.card.replaceChildren(...parts);
    this.card.hidden = false;
  }
}

/** Text where `code` is set as such. */
export function paragraphs(text: string): HTMLElement[] {
  return text.split("\n").map((line) => {
    const parts = line.split("`").map((part, i) => (i % 2 === 1 ? element("code", {}, part) : part));
    return element("p", {}, ...parts);
  });
}
