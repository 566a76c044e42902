// Curves over time, with the time that is shown; a press seeks. Fields along a line are curves over places, which follow the time.

import type { Chart, Curve } from "../charts";
import { kindColour } from "../colour";
import { rowAt } from "../data/table";
import { frameAt } from "../data/fields";
import { count, quantity, scaleFor, ticks } from "../numbers";
import { element, svg } from "./dom";

const MARGIN = { left: 66, right: 24, top: 8, bottom: 20 };
/** More curves than this are not shown until they are asked for. */
const MOST = 8;

export class Plot {
  readonly root: HTMLElement;
  readonly #drawing = svg("svg", { class: "drawing", role: "img" });
  readonly #choice = element("select", { "aria-label": "What is plotted", change: () => this.#choose() });
  readonly #legend = element("ul", { class: "curves" });
  /** What is hidden, or shown, against what is usual: by chart and curve. */
  readonly #toggled = new Set<string>();
  readonly #seek: (time: number) => void;
  #charts: Chart[] = [];
  #chosen = "";
  #cursor: SVGElement | null = null;
  #readings: { curve: Curve; place: HTMLElement }[] = [];
  #span: [number, number] = [0, 1];
  #time = 0;
  /** Of a profile, the frame that was drawn. */
  #frame: number | null = null;

  constructor(seek: (time: number) => void) {
    this.#seek = seek;
    this.root = element("section", { class: "plot", "aria-label": "Curves over time", hidden: true });
    this.root.append(element("div", { class: "choice" }, this.#choice, this.#legend), this.#drawing);
    const at = (event: PointerEvent) => {
      if (this.#chart?.profile !== undefined) return;
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
    return this.#charts.length > 0;
  }

  /** Takes the charts of a table in the place of what it knew of it. */
  set(table: string, charts: Chart[]): void {
    const others = this.#charts.filter((chart) => chart.table !== table);
    const all = [...others, ...charts.filter(({ curves }) => curves.some(({ times }) => times.length > 1))];
    // Energies first, then by the names of tables.
    const place = (chart: Chart) => (chart.table === "energy" ? "" : chart.table);
    this.#charts = all.sort((a, b) => (place(a) < place(b) ? -1 : Number(place(a) > place(b))));
    const options = this.#charts.map(({ id, label }) => element("option", { value: id }, label));
    const same = [...this.#choice.options].map(({ value }) => value).join("\n") === this.#charts.map(({ id }) => id).join("\n");
    if (!same) this.#choice.replaceChildren(...options);
    this.#choice.value = this.#chart?.id ?? "";
    this.draw();
  }

  /** From when to when. */
  set span(span: [number, number]) {
    this.#span = span;
    this.draw();
  }

  /** Moves the cursor. */
  show(time: number): void {
    this.#time = time;
    const chart = this.#chart;
    if (chart === undefined || this.root.hidden || this.#cursor === null) return;
    if (chart.profile !== undefined) {
      if (this.#frameOf(chart) !== this.#frame) this.draw();
      return;
    }
    this.#cursor.setAttribute("transform", `translate(${this.#x(time).toFixed(1)} 0)`);
    for (const { curve, place } of this.#readings) {
      const value = curve.values[rowAt(curve.times, time)] ?? NaN;
      place.textContent = Number.isFinite(value) ? this.#reading(value, curve, chart) : "–";
    }
  }

  draw(): void {
    const chart = this.#chart;
    const { width, height } = this.#size();
    if (chart === undefined || this.root.hidden || width < 50 || height < 40) return;
    const shown = chart.curves.filter((curve) => this.#isShown(chart, curve));
    const { low, high } = extent(shown.map(({ values }) => values), chart.zero);
    const y = (value: number) => MARGIN.top + ((high - value) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
    this.#cursor = svg("line", { class: "cursor", y1: MARGIN.top - 4, y2: height - MARGIN.bottom });
    this.#frame = this.#frameOf(chart);
    const columns = Math.max(Math.floor(width - MARGIN.left - MARGIN.right), 1);
    const curves = shown.map((curve) => {
      const style = `stroke: ${colourOf(curve, chart.curves.indexOf(curve))}`;
      return svg("path", { class: "curve", d: this.#path(curve, columns, y), style });
    });
    this.#drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const cursor = chart.profile === undefined ? [this.#cursor] : [];
    this.#drawing.setAttribute("aria-label", chart.profile === undefined ? `${chart.label} over time` : chart.label);
    this.#drawing.replaceChildren(...this.#axes(chart, low, high, y, width, height), ...curves, ...cursor);
    this.#drawLegend(chart);
    this.show(this.#time);
  }

  get #chart(): Chart | undefined {
    return this.#charts.find(({ id }) => id === this.#chosen) ?? this.#charts[0];
  }

  #choose(): void {
    this.#chosen = this.#choice.value;
    this.draw();
  }

  #isShown(chart: Chart, curve: Curve): boolean {
    const usual = chart.curves.indexOf(curve) < MOST;
    return usual !== this.#toggled.has(`${chart.id}\n${curve.name}`);
  }

  /** With a gap where there is no number. */
  #path(curve: Curve, columns: number, y: (value: number) => number): string {
    let pen = "M";
    const { times, values } = this.#drawn(curve);
    const rows = curve.steps === true ? [...values.keys()] : thinned(values, columns);
    const points = rows.map((row) => {
      if (!Number.isFinite(values[row]!)) {
        pen = "M";
        return "";
      }
      const [x, level] = [this.#x(times[row]!).toFixed(1), y(values[row]!).toFixed(1)];
      const point = curve.steps === true && pen === "L" ? `H${x}V${level}` : `${pen}${x} ${level}`;
      pen = "L";
      return point;
    });
    const end = curve.steps === true && points.length > 0 ? [`H${this.#x(Infinity).toFixed(1)}`] : [];
    return [...points, ...end].join("");
  }

  /** Of a profile, what is to be seen at this time. */
  #drawn({ times, values }: Curve): { times: Float64Array; values: Float64Array } {
    if (this.#chart?.profile === undefined) return { times, values };
    const frame = this.#frame ?? -1;
    return { times, values: frame < 0 ? new Float64Array() : values.subarray(frame * times.length, (frame + 1) * times.length) };
  }

  /** The frame whose window has the time, as far as a table tells: that which ends next. */
  #frameOf({ profile }: Chart): number | null {
    if (profile === undefined) return null;
    const { times } = profile;
    const starts = [-Infinity, ...times].slice(0, times.length);
    return frameAt({ starts, times: [...times] }, this.#time);
  }

  #reading(value: number, curve: Curve, { unit }: Chart): string {
    return curve.steps === true ? count(value) : quantity(value, unit);
  }

  #axes(chart: Chart, low: number, high: number, y: (value: number) => number, width: number, height: number): SVGElement[] {
    const { unit } = chart;
    const of = chart.profile === undefined ? "s" : "m";
    const [start, end] = this.#ends;
    const { factor, prefix } = scaleFor(Math.max(Math.abs(low), Math.abs(high)), unit);
    const values = ticks(low / factor, high / factor, Math.max((height - 30) / 24, 2));
    const time = scaleFor(Math.max(Math.abs(start), Math.abs(end)), of);
    const times = ticks(start / time.factor, end / time.factor, width / 90);
    const label = (x: number, at: number, anchor: string, text: string) => {
      const made = svg("text", { x, y: at, "text-anchor": anchor });
      made.textContent = text.trim().replace("-", "−");
      return made;
    };
    return [
      ...values.values.flatMap((value) => {
        const at = y(value * factor);
        return [
          svg("line", { class: "grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: at, y2: at }),
          label(MARGIN.left - 6, at + 3.5, "end", `${value.toFixed(values.decimals)} ${prefix}${unit}`),
        ];
      }),
      ...times.values.map((value) =>
        label(this.#x(value * time.factor), height - 5, "middle", `${value.toFixed(times.decimals)} ${time.prefix}${of}`),
      ),
    ];
  }

  #drawLegend(chart: Chart): void {
    this.#readings = [];
    const entries = chart.curves.map((curve, number) => {
      const place = element("output");
      if (chart.profile === undefined) this.#readings.push({ curve, place });
      const { name } = curve;
      const button = element(
        "button",
        { type: "button", "aria-pressed": String(this.#isShown(chart, curve)), title: `Show or hide: ${name}` },
        element("i", { style: `background: ${colourOf(curve, number)}` }),
        name,
        chart.profile === undefined ? place : null,
      );
      button.addEventListener("click", () => {
        const key = `${chart.id}\n${name}`;
        if (!this.#toggled.delete(key)) this.#toggled.add(key);
        this.draw();
        // The button was made anew, and keeps the focus.
        this.#legend.querySelectorAll("button")[number]?.focus();
      });
      return element("li", {}, button);
    });
    const { profile } = chart;
    const frame = profile === undefined || this.#frame === null ? NaN : profile.times[this.#frame]!;
    if (profile !== undefined) entries.push(element("li", { class: "frame" }, Number.isNaN(frame) ? "no frame at this time" : `up to ${quantity(frame, "s")}`));
    this.#legend.replaceChildren(...entries);
  }

  /** From where to where curves go: in time, or on the line of a profile. */
  get #ends(): readonly [number, number] {
    const places = this.#chart?.profile?.places;
    return places === undefined ? this.#span : [places[0] ?? 0, places[places.length - 1] ?? 1];
  }

  #x(time: number): number {
    const [start, end] = this.#ends;
    if (!Number.isFinite(time)) time = time < 0 ? start : end;
    const part = end > start ? (time - start) / (end - start) : 0;
    return MARGIN.left + part * (this.#size().width - MARGIN.left - MARGIN.right);
  }

  #size(): { width: number; height: number } {
    return { width: this.#drawing.clientWidth, height: this.#drawing.clientHeight };
  }
}

/**
 * From the least to the greatest and a little room. Zero is included if it must be, or where that leaves the curves
 * most of the height.
 */
export function extent(curves: Float64Array[], zero = true): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const values of curves) {
    for (const value of values) {
      if (value < low && Number.isFinite(value)) low = value;
      if (value > high && Number.isFinite(value)) high = value;
    }
  }
  if (low > high) return { low: 0, high: 1 };
  const wide = high - low > 0.4 * Math.max(Math.abs(low), Math.abs(high));
  if (zero || wide || low === high) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
  if (low === high) return { low: 0, high: 1 };
  const room = (high - low) * 0.04;
  return { low: low === 0 ? 0 : low - room, high: high === 0 ? 0 : high + room };
}

/** Rows enough for so many columns of pixels: the least and the greatest of each, so that no peak is lost. */
export function thinned(values: Float64Array, columns: number): number[] {
  const size = Math.max(Math.floor(values.length / columns), 1);
  if (size <= 2) return Array.from(values, (_, row) => row);
  const rows: number[] = [];
  for (let start = 0; start < values.length; start += size) {
    let [least, most] = [start, start];
    for (let row = start; row < Math.min(start + size, values.length); row += 1) {
      // What is no number gives way to any other.
      if (values[row]! < values[least]! || Number.isNaN(values[least])) least = row;
      if (values[row]! > values[most]! || Number.isNaN(values[most])) most = row;
    }
    rows.push(...(least === most ? [least] : [Math.min(least, most), Math.max(least, most)]));
  }
  return rows;
}

function colourOf({ sum = false }: Curve, number: number): string {
  return sum ? "var(--ink)" : kindColour(number);
}
