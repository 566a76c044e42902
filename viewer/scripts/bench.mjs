// What a picture of 100 000 spheres costs: `npm run bench`.
//
// A made-up run of 33 333 rods of three spheres and a ball is played in a real browser, and every picture is counted:
// milliseconds of the page's own thread (its script with the commands it gives to the graphics card, and style and
// layout), draw calls, triangles, bytes sent. The page is given a clock of 60 pictures per second, so that it works as
// it would on a machine that is fast enough. What the graphics card does with the commands is not in the numbers, and
// since software stands in for it here, it is spared the work: instances are counted and not drawn.
//
// `npm run bench -- --card` is for a machine with a graphics card: everything is drawn by it, by the real clock. It
// prints how many pictures came in a second, the longest wait for one, and what one takes with the card's part, which
// is seen by reading a pixel back.
//
// SPHERES, WIDTH and HEIGHT in the environment change the scene; PICTURE=file.png saves what is seen; ANGLE names the
// way to the card (vulkan, gl, metal, d3d11).

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, SOFTWARE, writer, writeResults } from "../tests/programs.mjs";
import { serve } from "../tests/server.mjs";

const number = (name, otherwise) => Number(process.env[name] ?? otherwise);
const spheres = number("SPHERES", 100_000);
const viewport = { width: number("WIDTH", 1280), height: number("HEIGHT", 800) };
const card = process.argv.includes("--card");
const CARD = [`--use-angle=${process.env.ANGLE ?? "vulkan"}`, "--enable-features=Vulkan", "--disable-vulkan-surface", "--ignore-gpu-blocklist", "--enable-gpu"];
/** Pictures that are counted, after some that prepare everything. */
const [FIRST, COUNTED] = card ? [60, 600] : [10, 120];

const work = mkdtempSync(join(tmpdir(), "tumble-viewer-bench-"));
let server, browser;
try {
  writeResults(work, writer.rods(spheres, 21));
  server = await serve(work);
  browser = await launch(card ? CARD : SOFTWARE);
  if (card) {
    await play({ draws: true }, printRate);
    await play({ draws: true, waits: true }, printCosts);
  } else {
    await play({ clock: 60 }, printCosts);
  }
} finally {
  await browser?.close();
  await server?.end();
  rmSync(work, { recursive: true, force: true });
}

/** Plays the run and prints what was counted. */
async function play(how, print) {
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(120_000);
  await page.addInitScript(countEverything, how);
  await page.goto(server.url);
  await page.waitForFunction(() => window.tumble.ready);
  await page.getByLabel("Speed, film time for real time").selectOption("1");
  const counts = await page.textContent(".counts");
  await page.keyboard.press("Space");
  await page.waitForFunction((pictures) => window.pictures.length > pictures, FIRST + COUNTED, { polling: 500 });
  await page.keyboard.press("Space");
  const pictures = (await page.evaluate(() => window.pictures)).slice(FIRST, FIRST + COUNTED);
  console.log(`${counts}, ${viewport.width} × ${viewport.height} pixels, ${pictures.length} pictures, ${await renderer(page)}`);
  print(pictures);
  if (process.env.PICTURE !== undefined) {
    await page.evaluate(() => {
      window.draws = true;
      window.tumble.seek(7);
    });
    await page.screenshot({ path: process.env.PICTURE, timeout: 600_000 });
  }
  await page.close();
}

/** What draws. */
function renderer(page) {
  return page.evaluate(() => {
    const context = document.createElement("canvas").getContext("webgl2");
    return context.getParameter(context.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER);
  });
}

/** How many pictures came in a second. */
function printRate(pictures) {
  const waits = pictures.slice(1).map(({ moment }, i) => moment - pictures[i].moment);
  const seconds = waits.reduce((sum, wait) => sum + wait, 0) / 1000;
  const late = waits.filter((wait) => wait > 1.5 * (1000 / 60)).length;
  console.log(
    `${(waits.length / seconds).toFixed(2)} pictures per second for ${seconds.toFixed(1)} s; ` +
      `the longest wait for one was ${Math.max(...waits).toFixed(1)} ms, ${late} of ${waits.length} were late`,
  );
}

function printCosts(pictures) {
  const kinds = [
    ["with a new frame", pictures.filter(({ bytes }) => bytes > 0)],
    ["between two frames", pictures.filter(({ bytes }) => bytes === 0)],
  ];
  console.log(`${"".padEnd(20)}pictures   ms (median, 95 %)   layout ms   draw calls   triangles   bytes sent`);
  for (const [name, some] of kinds) {
    const of = (key, part) => quantile(some.map((picture) => picture[key]), part);
    const milliseconds = `${of("milliseconds", 0.5).toFixed(2)}, ${of("milliseconds", 0.95).toFixed(2)}`;
    const numbers = [of("layout", 0.5).toFixed(2), of("calls", 0.5), of("triangles", 0.5), of("bytes", 0.5)];
    const widths = [12, 13, 12, 13];
    const columns = numbers.map((value, i) => value.toLocaleString("en").replaceAll(",", " ").padStart(widths[i]));
    console.log(name.padEnd(20) + String(some.length).padStart(8) + milliseconds.padStart(20) + columns.join(""));
  }
  console.log("60 pictures per second leave 16.67 ms for each.");
}

function quantile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? NaN;
}

/** Runs in the page before anything else: counts what is done in each callback of an animation frame. */
function countEverything({ draws = false, waits = false, clock }) {
  window.pictures = [];
  window.draws = draws;
  let present = null;
  let last = null;
  const context = WebGL2RenderingContext.prototype;
  const around = (name, count) => {
    const original = context[name];
    context[name] = function (...words) {
      last = this;
      if (present !== null) count(present, words);
      if (name.endsWith("Instanced") && !window.draws) words[words.length - 1] = 0;
      return original.apply(this, words);
    };
  };
  const drawn = (picture, mode, corners, copies) => {
    picture.calls += 1;
    // Triangles are the one mode this page uses that has three corners each.
    if (mode === context.TRIANGLES) picture.triangles += (corners / 3) * copies;
  };
  around("drawArrays", (picture, [mode, , corners]) => drawn(picture, mode, corners, 1));
  around("drawElements", (picture, [mode, corners]) => drawn(picture, mode, corners, 1));
  around("drawArraysInstanced", (picture, [mode, , corners, copies]) => drawn(picture, mode, corners, copies));
  around("drawElementsInstanced", (picture, [mode, corners, , , copies]) => drawn(picture, mode, corners, copies));
  const sent = (picture, words) => {
    const data = words.find((word) => ArrayBuffer.isView(word));
    picture.bytes += data?.byteLength ?? 0;
  };
  for (const name of ["bufferData", "bufferSubData", "texImage2D", "texSubImage2D"]) around(name, sent);

  const ask = window.requestAnimationFrame.bind(window);
  let [ticks, due] = [0, null];
  window.requestAnimationFrame = (callback) =>
    ask((now) => {
      // All callbacks of one real moment have one moment of the made-up clock.
      if (due !== now) [due, ticks] = [now, ticks + 1];
      present = { moment: now, milliseconds: 0, layout: 0, calls: 0, triangles: 0, bytes: 0 };
      const [picture, begin] = [present, performance.now()];
      callback(clock === undefined ? now : (ticks * 1000) / clock);
      present = null;
      if (picture.calls === 0) return;
      // A pixel can be read once the card has finished.
      if (waits) last.readPixels(0, 0, 1, 1, last.RGBA, last.UNSIGNED_BYTE, new Uint8Array(4));
      picture.milliseconds = performance.now() - begin;
      // What the browser would do next is done now, to be timed.
      const laid = performance.now();
      void document.body.offsetHeight;
      picture.layout = performance.now() - laid;
      window.pictures.push(picture);
    });
}
