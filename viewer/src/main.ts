// Starts the viewer: finds the data, builds the page, and connects the two.

import { actionsOf } from "./actions";
import { apiOf, type Api } from "./api";
import { Feed } from "./data/live";
import { openSource, type Source } from "./data/source";
import { Layout, type LayoutActions } from "./ui/layout";
import { listenToKeys } from "./ui/shortcuts";
import { Viewer } from "./viewer";

declare global {
  interface Window {
    tumble: Api;
  }
}

/** A press that moves less than this far is a click, CSS pixels. */
const STILL = 6;

start(document.getElementById("app")!);

function start(app: HTMLElement): void {
  // Parts of the page act on the viewer, which is made after them.
  let viewer: Viewer | null = null;
  let complete = false;
  const layout = new Layout(app, layoutActions(() => viewer!));
  const { messages } = layout;
  window.tumble = apiOf(messages.errors, null, () => false);
  addEventListener("error", ({ message }) => messages.warn(`Something went wrong in the page: ${message}`));
  messages.loading(0);
  if (document.createElement("canvas").getContext("webgl2") === null) {
    messages.fail(
      "No 3D graphics here",
      "This page needs WebGL 2, which this browser does not have or has switched off.\n" +
        "Switch on hardware acceleration in its settings, or use a current Chromium, Firefox or Safari.",
    );
    return;
  }
  let source: Source;
  try {
    source = openSource();
  } catch (error) {
    messages.fail("This film cannot be shown", (error as Error).message);
    return;
  }
  const feed = new Feed(source, {
    progress: (part) => {
      if (viewer?.isOpen !== true) messages.loading(part);
    },
    frames: () => {
      layout.reveal();
      viewer!.frames();
    },
    table: (name, text) => viewer!.table(name, text),
    fields: (fields) => viewer!.offerFields(fields),
    gravity: (gravity) => viewer!.gravity(gravity),
    status: (status, summary) => viewer!.status(status, summary),
    complete: () => {
      complete = true;
      viewer!.complete();
    },
    warn: (message) => messages.warn(message),
    fail: (title, message) => messages.fail(title, message),
  });
  viewer = new Viewer(layout, feed.trajectory, feed.field);
  const actions = actionsOf(viewer);
  layout.offer(actions);
  listenToKeys(actions);
  listenToClicks(viewer);
  listenToLoss(viewer);
  window.tumble = apiOf(messages.errors, viewer, () => complete && viewer!.stage.instant !== null);
  void feed.run();
}

function layoutActions(viewer: () => Viewer): LayoutActions {
  const change = (run: (viewer: Viewer) => void) => {
    run(viewer());
    viewer().redraw();
  };
  return {
    timeline: {
      toggle: () => viewer().toggle(),
      step: (frames) => viewer().step(frames),
      seek: (time) => viewer().seek(time),
      speed: (speed) => change(({ playback }) => (playback.speed = speed)),
      loop: () => change(({ playback }) => (playback.loop = !playback.loop)),
    },
    legend: {
      colouring: (name) => viewer().colourBy(name),
      mode: (mode) => viewer().setRange(mode),
      fixed: (low, high) => viewer().setRange("fixed", { low, high }),
    },
    field: {
      field: (name) => change(({ fields }) => fields.choose(name)),
      quantity: (name) => change(({ fields }) => fields.of(name)),
      part: (part) => change(({ fields }) => (fields.part = part)),
      mode: (mode) => change(({ fields }) => fields.range(mode)),
      fixed: (low, high) => change(({ fields }) => fields.range("fixed", { low, high })),
      across: (axis) => change(({ fields }) => fields.across(axis)),
      layer: (layer) => change(({ fields }) => (fields.layer = layer)),
      opacity: (opacity) => change(({ fields }) => (fields.opacity = opacity)),
      close: () => change(({ fields }) => (fields.shown = false)),
    },
    panel: {
      follow: () => viewer().follow(),
      trace: () => change((viewer) => (viewer.traced = !viewer.traced)),
      close: () => viewer().pick(null),
    },
    view: {
      look: (axis, sign) => viewer().lookFrom(axis, sign),
      orthographic: (on) => change(({ stage }) => (stage.eye.orthographic = on)),
      gauge: (on) => change(({ layout }) => (layout.gauge.shown = on)),
      cut: (axis) => change(({ stage }) => stage.cutBy(axis)),
      cutAt: (part) => change(({ stage }) => (stage.cut.at = part)),
      flip: () => change(({ stage }) => (stage.cut.flipped = !stage.cut.flipped)),
      wall: (number, shown) => change(({ stage }) => (stage.walls[number]!.shown = shown)),
      opacity: (number, opacity) => change(({ stage }) => (stage.walls[number]!.opacity = opacity)),
      close: () => change(({ layout }) => (layout.view.root.hidden = true)),
    },
    seek: (time) => viewer().seek(time),
  };
}

/** Graphics cards are taken away from pages at times, as when a computer wakes up. */
function listenToLoss(viewer: Viewer): void {
  const { canvas } = viewer.stage;
  canvas.addEventListener("webglcontextlost", () => {
    viewer.messages.warn("The browser has taken the graphics card away from this page. Reload it if it does not come back.");
  });
  canvas.addEventListener("webglcontextrestored", () => viewer.redraw());
}

/** A click picks the body below it, or lets go; a drag is for the camera. */
function listenToClicks(viewer: Viewer): void {
  const { canvas } = viewer.stage;
  let pressed: { x: number; y: number; id: number } | null = null;
  canvas.addEventListener("pointerdown", ({ clientX: x, clientY: y, pointerId: id, isPrimary, button }) => {
    // A second finger makes it a pinch.
    pressed = isPrimary && button === 0 ? { x, y, id } : null;
  });
  canvas.addEventListener("pointerup", ({ clientX: x, clientY: y, pointerId: id }) => {
    if (pressed?.id !== id || Math.hypot(x - pressed.x, y - pressed.y) > STILL) return;
    pressed = null;
    const corner = canvas.getBoundingClientRect();
    const row = viewer.stage.pick(x - corner.left, y - corner.top);
    viewer.pick(row < 0 ? null : viewer.stage.instant!.list.ids[row]!);
  });
}
