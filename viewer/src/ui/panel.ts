// The state of the body that was picked.

import { CUBIC_MILLIMETRES } from "../colouring";
import { piecesOf, type Header, type Template } from "../data/format";
import type { Instant, Vector } from "../interpolation";
import { massOf, rotationalEnergy } from "../mechanics";
import { type Counts, manyPieces, plain, quantity, scaleFor } from "../numbers";
import { element, iconButton, press } from "./dom";
import { ICONS } from "./icons";

export interface PanelActions {
  follow(): void;
  trace(): void;
  close(): void;
}

export class BodyPanel {
  readonly root: HTMLElement;
  readonly #title = element("h2");
  readonly #rows = element("dl");
  readonly #follow: HTMLButtonElement;
  readonly #trace: HTMLButtonElement;

  constructor(actions: PanelActions) {
    const button = (words: string, title: string, run: () => void) =>
      element("button", { type: "button", title, click: run }, words);
    this.#follow = button("Follow", "Keep the body in view (G)", actions.follow);
    this.#trace = button("Path", "Show where it goes (P)", actions.trace);
    this.root = element(
      "section",
      { class: "body panel", "aria-label": "The picked body", hidden: true },
      element("header", {}, this.#title, iconButton(ICONS.close, "Let go of it (Esc)", actions.close)),
      this.#rows,
      element("footer", {}, this.#follow, this.#trace),
    );
  }

  hide(): void {
    this.root.hidden = true;
  }

  /** A row of −1: the body is not there at this time. */
  show(id: number, row: number, instant: Instant, header: Header, following: boolean, traced: boolean): void {
    this.root.hidden = false;
    this.#title.textContent = `Body ${id}`;
    press(this.#follow, following);
    press(this.#trace, traced);
    const rows: [string, string][] = row < 0 ? [["State", "not there at this time"]] : stateOf(row, instant, header);
    this.#rows.replaceChildren(...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
  }
}

function stateOf(row: number, instant: Instant, header: Header): [string, string][] {
  const { list } = instant;
  const template = header.templates[list.kinds[2 * row]!];
  const [speed, spin] = [instant.scalar("speeds", row), instant.scalar("spins", row)];
  const velocity = instant.velocity(row);
  const [temperature, film] = [instant.temperature(row), instant.film(row)];
  const mass = massOf(header, list, row);
  const rotational = rotationalEnergy(header, instant, row);
  const rows: [string, string | null][] = [
    ["Shape", [template?.name ?? "?", ...(template === undefined ? [] : manyPieces(countsOf(template)))].join(", ")],
    ["Scale", list.scales[row] === 1 ? null : plain(list.scales[row]!, 4)],
    ["Material", header.materials[list.kinds[2 * row + 1]!] ?? "?"],
    ["Position", vector(instant.position(row), "m")],
    [
      velocity?.mean === true ? "Velocity, mean to next frame" : "Velocity",
      velocity === null ? null : vector(velocity.vector, "m/s"),
    ],
    ["Speed", quantity(speed, "m/s", 4)],
    ["Spin", quantity(spin, "rad/s", 4)],
    ["Temperature", temperature === null ? null : `${plain(temperature, 5)} K`],
    ["Liquid film", film === null ? null : quantity(film * CUBIC_MILLIMETRES, "mm³", 4)],
    ["Mass", mass === null ? null : mass >= 1 ? `${plain(mass, 4)} kg` : quantity(mass * 1000, "g", 4)],
    [
      mass === null ? "Energy/mass" : "Energy of flight",
      mass === null ? quantity(0.5 * speed ** 2, "J/kg") : quantity(0.5 * mass * speed ** 2, "J"),
    ],
    ["Energy of rotation", rotational === null ? null : `≈ ${quantity(rotational, "J")}`],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null);
}

function countsOf(template: Template): Counts {
  const { spheres, capsules, ellipsoids, polyhedra } = piecesOf(template);
  return { spheres: spheres.length, capsules: capsules.length, ellipsoids: ellipsoids.length, polyhedra: polyhedra.length };
}

/** Three numbers with one unit, that of the greatest. */
function vector(parts: Vector, unit: string): string {
  const { factor, prefix } = scaleFor(Math.max(...parts.map(Math.abs)), unit);
  return `${parts.map((part) => (part / factor).toFixed(1).replace("-", "−")).join(", ")}\u202f${prefix}${unit}`;
}
