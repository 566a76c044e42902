// The script of reports in a real browser: theme, plots that are read off and dimmed, copying.
//
// The report is that of a run, made by the program if there is one (see programs.mjs), and else the gallery of
// `cargo run -p tumble-report --example gallery -- FOLDER`, whose folder REPORT names. Without either it is passed over.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { withPage as withPageIn } from "./pages.mjs";
import { launch, PROGRAM, shortRun } from "./programs.mjs";

const skip = PROGRAM === undefined && process.env.REPORT === undefined;
let browser, work, url;

before(async () => {
  if (skip) return;
  work = mkdtempSync(join(tmpdir(), "tumble-report-"));
  const folder = process.env.REPORT ?? join(work, "results");
  if (process.env.REPORT === undefined) shortRun(folder);
  const file = join(folder, "report.html");
  assert.ok(existsSync(file), `there is no ${file}`);
  url = pathToFileURL(file).href;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  if (work !== undefined) rmSync(work, { recursive: true, force: true });
});

const withPage = (body, options) => withPageIn(browser, url, body, options);
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const brightness = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);

test("is light or dark as the system is, and as the button says", { skip }, async () => {
  for (const colorScheme of ["light", "dark"]) {
    await withPage(async (page) => {
      const [other, first] = [colorScheme === "light" ? "Dark" : "Light", brightness(await background(page))];
      assert.ok(colorScheme === "light" ? first > 600 : first < 200, `${colorScheme}: ${first}`);
      assert.equal(await page.textContent(".theme"), other, "the button names what it leads to");
      await page.click(".theme");
      const second = brightness(await background(page));
      assert.ok(colorScheme === "light" ? second < 200 : second > 600, `${other}: ${second}`);
      await page.reload();
      assert.equal(brightness(await background(page)), second, "it is remembered");
    }, { colorScheme });
  }
});

test("points of curves are read off", { skip }, async () => {
  await withPage(async (page) => {
    const [name, point] = await pointOfCurve(page);
    assert.equal(await page.locator(".tip").isVisible(), false);
    await page.mouse.move(...point);
    await page.waitForSelector(".tip", { state: "visible" });
    assert.equal(await page.textContent(".tip b"), name);
    assert.match(await page.textContent(".tip"), /\d/);
    assert.equal(await page.locator("svg.plot .ring").count(), 1);
    await page.mouse.move(1, 1);
    await page.waitForSelector(".tip", { state: "hidden" });
    assert.equal(await page.locator("svg.plot .ring").count(), 0);
  });
});

test("names in the legend dim all other curves", { skip }, async () => {
  await withPage(async (page) => {
    const figure = page.locator("figure.chart:has(.legend button)").first();
    const button = figure.locator(".legend button").first();
    const key = await button.getAttribute("data-key");
    const opacities = async () => {
      await faded(page);
      return figure.locator(".series").evaluateAll((all) => all.map((series) => [series.dataset.key, getComputedStyle(series).opacity]));
    };
    assert.ok((await opacities()).every(([, opacity]) => opacity === "1"));
    await button.click();
    assert.equal(await button.getAttribute("aria-pressed"), "true");
    const dimmed = await opacities();
    assert.ok(dimmed.some(([own]) => own === key) && dimmed.some(([own]) => own !== key));
    for (const [own, opacity] of dimmed) assert.equal(Number(opacity) === 1, own === key, `${own}: ${opacity}`);
    await button.click();
    assert.ok((await opacities()).every(([, opacity]) => opacity === "1"));
  });
});

test("what is folded is printed", { skip }, async () => {
  await withPage(async (page) => {
    const folded = () => page.locator("details:not([open])").count();
    const before = await folded();
    assert.ok(before > 0);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await folded(), 0);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await folded(), before);
  });
});

/** A curve, and a place in the window that shows a point of it and of no other. */
function pointOfCurve(page) {
  return page.evaluate(() => {
    const path = document.querySelector("svg.plot .series path.line");
    const svg = path.closest("svg");
    svg.scrollIntoView({ block: "center", behavior: "instant" });
    const points = [...path.getAttribute("d").matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)];
    const [, x, y] = points[Math.floor(points.length / 2)];
    const place = new DOMPoint(Number(x), Number(y)).matrixTransform(svg.getScreenCTM());
    // Where curves cross, the page may name either: take the one on top of which nothing else is.
    const others = [...svg.querySelectorAll(".series")].filter((series) => series !== path.closest(".series"));
    for (const other of others) other.remove();
    return [path.closest(".series").dataset.name, [place.x, place.y]];
  });
}

/** Waits for the end of all transitions; asking for them starts those that are due, however slow the machine is. */
function faded(page) {
  return page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)).then(() => {}));
}
