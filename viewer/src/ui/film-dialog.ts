// Asks before a film is made, and shows how far it is.

import { quantity } from "../numbers";
import { element } from "./dom";

export class FilmDialog {
  readonly root = element("section", { class: "film panel", "aria-label": "Film", hidden: true });

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  /** Asks; `start` is called if the answer is yes. */
  ask(duration: number, width: number, height: number, start: () => void): void {
    const long = duration > 120 ? " Choose a higher speed for a shorter one." : "";
    this.#show(
      element("h2", {}, "Make a film"),
      element(
        "p",
        {},
        `The whole run at the speed chosen below, as it is seen now: ${quantity(duration, "s")}, ` +
          `${width} × ${height} pixels. It takes at least that long.${long}`,
      ),
      element(
        "footer",
        {},
        element("button", { type: "button", class: "primary", click: start }, "Record"),
        element("button", { type: "button", click: () => this.close() }, "Cancel"),
      ),
    );
  }

  /** Shows progress; returns what to call as it goes on. */
  progress(cancel: () => void): (part: number) => void {
    const bar = element("progress", { max: "1", value: "0", "aria-label": "How far the film is" });
    const percent = element("output", {}, "0 %");
    this.#show(
      element("h2", {}, "Recording"),
      element("div", { class: "row" }, bar, percent),
      element("footer", {}, element("button", { type: "button", click: cancel }, "Cancel")),
    );
    return (part) => {
      bar.value = part;
      percent.textContent = `${Math.round(part * 100)} %`;
    };
  }

  close(): void {
    this.root.hidden = true;
  }

  #show(...parts: Node[]): void {
    this.root.replaceChildren(...parts);
    this.root.hidden = false;
  }
}
