// Everything that can be done in the viewer by key or button.

import { makeFilm, takePicture } from "./export/export";
import type { Action } from "./ui/shortcuts";
import type { Viewer } from "./viewer";

export function actionsOf(viewer: Viewer): Action[] {
  const { stage, layout, playback } = viewer;
  const change = (run: () => void) => () => {
    run();
    viewer.redraw();
  };
  return [
    { keys: [" ", "k"], words: "Play or pause", run: () => viewer.toggle() },
    { keys: ["ArrowLeft", ","], words: "One frame back", run: () => viewer.step(-1) },
    { keys: ["ArrowRight", "."], words: "One frame on", run: () => viewer.step(1) },
    { keys: ["Shift+ArrowLeft"], words: "Ten frames back", run: () => viewer.step(-10) },
    { keys: ["Shift+ArrowRight"], words: "Ten frames on", run: () => viewer.step(10) },
    { keys: ["Home"], words: "To the beginning", run: () => viewer.seek(-Infinity) },
    { keys: ["End"], words: "To the end; there a live run is followed", run: () => viewer.seek(Infinity) },
    { keys: ["["], words: "Slower", run: change(() => playback.faster(-1)) },
    { keys: ["]"], words: "Faster", run: change(() => playback.faster(1)) },
    { keys: ["l"], words: "Begin again at the end, or stop", run: change(() => (playback.loop = !playback.loop)) },
    { keys: ["i"], words: "Smooth motion between frames, or not", run: change(() => (viewer.smooth = !viewer.smooth)) },
    {
      keys: ["1", "2", "3", "4", "5", "6", "7", "8"],
      words: "Colour by speed, spin, energy, material, shape, number, and what else bodies have: temperature, liquid film",
      run: (key) => viewer.colourByNumber(Number(key) - 1),
    },
    { keys: ["f"], words: "Show all bodies, where they are now", icon: "fit", run: () => viewer.fitNow() },
    { keys: ["Shift+f"], words: "Show where bodies are during the run", run: change(() => stage.fit(true, "run")) },
    {
      keys: ["v"],
      words: "View: sides, cut, walls",
      icon: "view",
      on: () => !layout.view.root.hidden,
      run: change(() => (layout.view.root.hidden = !layout.view.root.hidden)),
    },
    { keys: ["x", "y", "z"], words: "Look along an axis; again, from the other side", run: (key) => viewer.lookAlong(key) },
    {
      keys: ["o"],
      words: "Without perspective, or with",
      run: change(() => (stage.eye.orthographic = !stage.eye.orthographic)),
    },
    { keys: ["a"], words: "Axes and scale bar", run: change(() => (layout.gauge.shown = !layout.gauge.shown)) },
    { keys: ["b"], words: "Cut open, across the next axis, or not", run: () => viewer.cutNext() },
    { keys: ["Shift+b"], words: "Keep the other side of the cut", run: change(() => (stage.cut.flipped = !stage.cut.flipped)) },
    {
      keys: ["c"],
      words: "Contact forces",
      icon: "contacts",
      on: () => stage.contactsShown,
      run: change(() => (stage.contactsShown = !stage.contactsShown)),
    },
    {
      keys: ["d"],
      words: "Coarse-grained field",
      icon: "field",
      there: () => viewer.fields.heads.length > 0,
      on: () => viewer.fields.shown,
      run: change(() => {
        viewer.fields.shown = !viewer.fields.shown && viewer.fields.heads.length > 0;
      }),
    },
    {
      keys: ["j"],
      words: "Bonds that broke, and where",
      icon: "broken",
      there: () => viewer.broken() !== null,
      on: () => stage.broken.mesh.visible,
      run: change(() => (stage.broken.mesh.visible = !stage.broken.mesh.visible)),
    },
    {
      keys: ["w"],
      words: "Walls",
      icon: "walls",
      on: () => stage.wallsShown,
      run: change(() => (stage.wallsShown = !stage.wallsShown)),
    },
    {
      keys: ["e"],
      words: "Curves over time",
      icon: "plot",
      on: () => layout.plotWanted,
      run: change(() => {
        layout.showPlot(!layout.plotWanted);
        if (!layout.plot.hasData) viewer.messages.note("There is no table over time to plot, as energy.csv or walls.csv.");
      }),
    },
    {
      keys: ["h"],
      words: "Shadows",
      icon: "shadows",
      on: () => stage.shadows,
      run: change(() => (stage.shadows = !stage.shadows)),
    },
    { keys: ["u"], words: "Another axis up", run: () => viewer.turnUp() },
    { keys: ["g"], words: "Follow the picked body", run: () => viewer.follow() },
    { keys: ["p"], words: "Path of the picked body", run: change(() => (viewer.traced = !viewer.traced)) },
    { keys: ["Escape"], words: "Let go of the picked body", run: () => viewer.pick(null) },
    { keys: ["s"], words: "Save a picture", icon: "camera", run: () => takePicture(viewer) },
    { keys: ["r"], words: "Make a film", icon: "film", run: () => makeFilm(viewer) },
    { keys: ["t"], words: "Light or dark", icon: "theme", run: () => viewer.theme.toggle() },
    { keys: ["?"], words: "This help", icon: "help", run: () => layout.help?.toggle() },
  ];
}
