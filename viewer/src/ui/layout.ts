// Where things are on the page.

import { BodyPanel, type PanelActions } from "./panel";
import { element } from "./dom";
import { FieldPanel, type FieldActions } from "./field-panel";
import { FilmDialog } from "./film-dialog";
import { Gauge } from "./gauge";
import { Legend, type LegendActions } from "./legend";
import { Messages } from "./messages";
import { Plot } from "./plot";
import { Help, Toolbar, type Action } from "./shortcuts";
import { Timeline, type TimelineActions } from "./timeline";
import { ViewPanel, type ViewActions } from "./view-panel";

export interface LayoutActions {
  timeline: TimelineActions;
  legend: LegendActions;
  field: FieldActions;
  panel: PanelActions;
  view: ViewActions;
  seek(time: number): void;
}

export class Layout {
  readonly canvas = element("canvas", { tabindex: "0", "aria-label": "The scene in 3D" });
  readonly stage = element("main", { class: "stage empty" });
  readonly messages = new Messages();
  readonly film = new FilmDialog();
  readonly gauge = new Gauge();
  readonly timeline: Timeline;
  readonly legend: Legend;
  readonly field: FieldPanel;
  readonly plot: Plot;
  readonly body: BodyPanel;
  readonly view: ViewPanel;
  toolbar: Toolbar | null = null;
  help: Help | null = null;
  /** Whether the plot is shown when there is one. */
  plotWanted = window.innerHeight >= 560 && window.innerWidth > 640;
  readonly #title = element("h1", {}, "Tumble");
  readonly #live = element("span", { class: "live", hidden: true }, "live");
  readonly #counts = element("p", { class: "counts" });
  readonly #dock: HTMLElement;

  constructor(app: HTMLElement, actions: LayoutActions) {
    this.timeline = new Timeline(actions.timeline);
    this.legend = new Legend(actions.legend);
    this.field = new FieldPanel(actions.field);
    this.plot = new Plot(actions.seek);
    this.body = new BodyPanel(actions.panel);
    this.view = new ViewPanel(actions.view);
    // The legend stands above the dock on a wide screen, and in it on a phone.
    const corner = element("div", { class: "corner" }, this.field.root, this.legend.root);
    this.#dock = element("footer", { class: "dock", hidden: true }, corner, this.plot.root, this.timeline.root);
    const head = element("header", { class: "title" }, element("div", {}, this.#title, this.#live), this.#counts);
    this.stage.append(
      this.canvas,
      this.gauge.root,
      element("div", { class: "left" }, head, this.body.root),
      this.film.root,
      this.messages.notes,
      this.messages.card,
    );
    app.replaceChildren(this.stage, this.#dock);
  }

  /** Buttons and help, once it is known what can be done. */
  offer(actions: Action[]): void {
    this.toolbar = new Toolbar(actions);
    this.help = new Help(actions);
    this.stage.append(this.toolbar.root, this.view.root, this.help.root);
  }

  /** Scene and controls are hidden while there is nothing to see: a canvas that was not drawn yet is black. */
  reveal(): void {
    this.#dock.hidden = false;
    this.stage.classList.remove("empty");
  }

  setTitle(title: string, live: boolean, method: string | null): void {
    this.#title.textContent = title;
    this.#title.title = method ?? title;
    this.#live.hidden = !live;
  }

  setCounts(text: string): void {
    if (this.#counts.textContent !== text) this.#counts.textContent = text;
  }

  showPlot(wanted: boolean): void {
    this.plotWanted = wanted;
    this.plot.root.hidden = !wanted || !this.plot.hasData;
    this.plot.draw();
  }
}
