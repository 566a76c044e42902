// What a picture of 100 000 spheres costs the page: `npm run bench`.
//
// A made-up run of 33 333 rods of three spheres and a ball is played in a real browser, and every picture is counted:
// milliseconds of the page's own thread (its script with the commands it gives to the graphics card, and style and
// layout), draw calls, triangles, bytes sent. The page is given a clock of 60 pictures per second, so that it works as
// it would on a machine that is fast enough. What the graphics card does with the commands is not in the numbers, and
// since software stands in for it here, it is spared the work: instances are counted and not drawn.
// SPHERES, WIDTH and HEIGHT in the environment change the scene; PICTURE=file.png saves what is seen.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, writer, writeResults } from "../tests/programs.mjs";
import { serve } from "../tests/server.mjs";

const number = (name, otherwise) => Number(process.env[name] ?? otherwise);
const spheres = number("SPHERES", 100_000);
const viewport = { width: number("WIDTH", 1280), height: number("HEIGHT", 800) };
/** Pictures that are counted, after some that prepare everything. */
const [FIRST, COUNTED] = [10, 120];

const work = mkdtempSync(join(tmpdir(), "tumble-viewer-bench-"));
let server, browser;
try {
  writeResults(work, writer.rods(spheres, 21));
  server = await serve(work);
  browser = await launch();
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(120_000);
  await page.addInitScript(countEverything);
  await page.goto(server.url);
  await page.waitForFunction(() => window.tumble.ready);
  await page.getByLabel("Speed, film time for real time").selectOption("1");
  const counts = await page.textContent(".counts");
  await page.keyboard.press("Space");
  await page.waitForFunction((pictures) => window.pictures.length > pictures, FIRST + COUNTED, { polling: 500 });
  await page.keyboard.press("Space");
  const pictures = (await page.evaluate(() => window.pictures)).slice(FIRST, FIRST + COUNTED);
  print(counts, pictures);
  if (process.env.PICTURE !== undefined) {
    await page.evaluate(() => {
      window.draws = true;
      window.tumble.seek(7);
    });
    await page.screenshot({ path: process.env.PICTURE, timeout: 600_000 });
  }
} finally {
  await browser?.close();
  await server?.end();
  rmSync(work, { recursive: true, force: true });
}

function print(counts, pictures) {
  console.log(`${counts}, ${viewport.width} × ${viewport.height} pixels, ${pictures.length} pictures`);
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
function countEverything() {
  window.pictures = [];
  let present = null;
  const context = WebGL2RenderingContext.prototype;
  window.draws = false;
  const around = (name, count) => {
    const original = context[name];
    context[name] = function (...words) {
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
      present = { milliseconds: 0, layout: 0, calls: 0, triangles: 0, bytes: 0 };
      const [picture, begin] = [present, performance.now()];
      callback((ticks * 1000) / 60);
      picture.milliseconds = performance.now() - begin;
      present = null;
      if (picture.calls === 0) return;
      // What the browser would do next is done now, to be timed.
      const laid = performance.now();
      void document.body.offsetHeight;
      picture.layout = performance.now() - laid;
      window.pictures.push(picture);
    });
}
