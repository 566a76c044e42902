// The energies over time, with the time that is shown; a press seeks.

import { kindColour } from "../colour";
import { rowAt, type Energy } from "../data/energy";
import { quantity, scaleFor, ticks } from "../numbers";
import { element, svg } from "./dom";

const MARGIN = { left: 58, right: 24, top: 8, bottom: 20 };

export class Plot {
  readonly root: HTMLElement;
  readonly #drawing = svg("svg", { class: "drawing", role: "img", "aria-label": "Energies over time" });
  readonly #legend = element("ul", { class: "curves" });
  readonly #hidden = new Set<string>();
  readonly #seek: (time: number) => void;
  #energy: Energy | null = null;
  #cursor: SVGElement | null = null;
  #readings: { values: Float64Array; place: HTMLElement }[] = [];
  #span: [number, number] = [0, 1];
  #time = 0;

  constructor(seek: (time: number) => void) {
    this.#seek = seek;
    this.root = element("section", { class: "plot", "aria-label": "Energies", hidden: true }, this.#legend);
    this.root.append(this.#drawing);
    const at = (event: PointerEvent) => {
      const frame = this.#drawing.getBoundingClientRect();
      const part = (event.clientX - frame.left - MARGIN.left) / (frame.width - MARGIN.left - MARGIN.right);
      this.#seek(this.#span[0] + (this.#span[1] - this.#span[0]) * Math.min(Math.max(part, 0), 1));
    };
    this.#drawing.addEventListener("pointerdown", (event) => {
      this.#drawing.setPointerCapture(event.pointerId);
      at(event);
    });
    this.#drawing.addEventListener("pointermove", (event) => {
      if (event.buttons !== 0) at(event);
    });
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  get hasData(): boolean {
    return this.#energy !== null && this.#energy.times.length > 1;
  }

  set(energy: Energy, span: [number, number]): void {
    this.#energy = energy;
    this.#span = span;
    this.draw();
  }

  /** Moves the cursor. */
  show(time: number): void {
    this.#time = time;
    if (this.#energy === null || this.root.hidden || this.#cursor === null) return;
    this.#cursor.setAttribute("transform", `translate(${this.#x(time).toFixed(1)} 0)`);
    const row = rowAt(this.#energy.times, time);
    for (const { values, place } of this.#readings) place.textContent = quantity(values[row] ?? NaN, "J");
  }

  draw(): void {
    const energy = this.#energy;
    const { width, height } = this.#size();
    if (energy === null || this.root.hidden || width < 50 || height < 40) return;
    const shown = energy.curves.filter(({ name }) => !this.#hidden.has(name));
    const { low, high } = extent(shown.map(({ values }) => values));
    const y = (value: number) => MARGIN.top + ((high - value) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
    this.#cursor = svg("line", { class: "cursor", y1: MARGIN.top - 4, y2: height - MARGIN.bottom });
    const curves = energy.curves.map(({ name, values }, number) => {
      if (this.#hidden.has(name)) return svg("g");
      const columns = Math.max(Math.floor(width - MARGIN.left - MARGIN.right), 1);
      const rows = thinned(values, columns);
      const points = rows.map((row) => `${this.#x(energy.times[row]!).toFixed(1)},${y(values[row]!).toFixed(1)}`);
      return svg("polyline", { points: points.join(" "), style: `stroke: ${colourOf(number, name)}` });
    });
    this.#drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#drawing.replaceChildren(...this.#axes(low, high, y, width, height), ...curves, this.#cursor);
    this.#drawLegend(energy);
    this.show(this.#time);
  }

  #axes(low: number, high: number, y: (value: number) => number, width: number, height: number): SVGElement[] {
    const { factor, prefix } = scaleFor(Math.max(Math.abs(low), Math.abs(high)), "J");
    const values = ticks(low / factor, high / factor, Math.max((height - 30) / 24, 2));
    const time = scaleFor(this.#span[1], "s");
    const times = ticks(this.#span[0] / time.factor, this.#span[1] / time.factor, width / 90);
    const label = (x: number, at: number, anchor: string, text: string) => {
      const made = svg("text", { x, y: at, "text-anchor": anchor });
      made.textContent = text.replace("-", "−");
      return made;
    };
    return [
      ...values.values.flatMap((value) => {
        const at = y(value * factor);
        return [
          svg("line", { class: "grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: at, y2: at }),
          label(MARGIN.left - 6, at + 3.5, "end", `${value.toFixed(values.decimals)} ${prefix}J`),
        ];
      }),
      ...times.values.map((value) =>
        label(this.#x(value * time.factor), height - 5, "middle", `${value.toFixed(times.decimals)} ${time.prefix}s`),
      ),
    ];
  }

  #drawLegend(energy: Energy): void {
    this.#readings = [];
    const entries = energy.curves.map(({ name, values }, number) => {
      const place = element("output");
      this.#readings.push({ values, place });
      const button = element(
        "button",
        { type: "button", "aria-pressed": String(!this.#hidden.has(name)), title: `Show or hide: ${name}` },
        element("i", { style: `background: ${colourOf(number, name)}` }),
        name,
        place,
      );
      button.addEventListener("click", () => {
        if (!this.#hidden.delete(name)) this.#hidden.add(name);
        this.draw();
      });
      return element("li", {}, button);
    });
    this.#legend.replaceChildren(...entries);
  }

  #x(time: number): number {
    const [start, end] = this.#span;
    const part = end > start ? (time - start) / (end - start) : 0;
    return MARGIN.left + part * (this.#size().width - MARGIN.left - MARGIN.right);
  }

  #size(): { width: number; height: number } {
    return { width: this.#drawing.clientWidth, height: this.#drawing.clientHeight };
  }
}

/** From the least to the greatest, zero included, and a little room. */
export function extent(curves: Float64Array[]): { low: number; high: number } {
  let [low, high] = [0, 0];
  for (const values of curves) {
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (low === high) return { low: 0, high: 1 };
  const room = (high - low) * 0.04;
  return { low: low < 0 ? low - room : 0, high: high > 0 ? high + room : 0 };
}

/** Rows enough for so many columns of pixels: the least and the greatest of each, so that no peak is lost. */
export function thinned(values: Float64Array, columns: number): number[] {
  const size = Math.max(Math.floor(values.length / columns), 1);
  if (size <= 2) return Array.from(values, (_, row) => row);
  const rows: number[] = [];
  for (let start = 0; start < values.length; start += size) {
    let [least, most] = [start, start];
    for (let row = start; row < Math.min(start + size, values.length); row += 1) {
      if (values[row]! < values[least]!) least = row;
      if (values[row]! > values[most]!) most = row;
    }
    rows.push(...(least === most ? [least] : [Math.min(least, most), Math.max(least, most)]));
  }
  return rows;
}

function colourOf(number: number, name: string): string {
  // The sum of the others has the ink of the page.
  return name === "Mechanical" ? "var(--ink)" : kindColour(number);
}
