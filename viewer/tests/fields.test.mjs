// Coarse-grained fields and broken bonds in a real browser, with runs that are made up so that it is known what must be seen.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { coloursIn, differs, look, state, withPage as withPageIn } from "./pages.mjs";
import { exportFilm, launch, writer, writeResults } from "./programs.mjs";
import { serve } from "./server.mjs";

let browser, work;
const servers = [];

before(async () => {
  work = mkdtempSync(join(tmpdir(), "tumble-viewer-fields-"));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  for (const server of servers) await server.end();
  if (work !== undefined) rmSync(work, { recursive: true, force: true });
});

/** A run of a second with these files beside it. */
function runWith(name, files) {
  const folder = join(work, name);
  writeResults(folder, writer.lattice(3, 21));
  mkdirSync(join(folder, "fields"));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

async function withRun(name, files, body, live = () => false) {
  const folder = runWith(name, files);
  const server = await serve(folder, live);
  servers.push(server);
  await withPageIn(browser, server.url, (page) => body(page, folder));
}

/** Fields with a number for each cell of each frame; windows of 0.2 s. */
function fields(name, cells, frames) {
  const quantities = [
    { name: "density", unit: "kg/m3", parts: [""], what: "mass of the bodies per volume" },
    { name: "velocity", unit: "m/s", parts: ["x", "y", "z"], what: "momentum by density" },
  ];
  const numbers = {};
  const count = cells[0] * cells[1] * cells[2];
  const times = Array.from({ length: frames }, (_, frame) => 0.2 * (frame + 1));
  times.forEach((_, frame) => {
    numbers[`fields/${name}/${frame}/density`] = Array.from({ length: count }, () => 1000);
    numbers[`fields/${name}/${frame}/velocity`] = Array.from({ length: 3 * count }, (_, i) => Math.sin(i + frame) * (frame + 1));
  });
  const sides = [0.8 / cells[0], 0.8 / cells[1], 0.8 / cells[2]];
  const head = { name, low: [-0.15, -0.15, -0.15], sides, cells, starts: times.map((time) => time - 0.2), times, quantities };
  return JSON.stringify({ fields: [head], numbers });
}

const shownFrame = (page) => page.waitForFunction(() => window.tumble.field !== null).then(() => state(page)).then(({ field }) => field.frame);

test("a field is a coloured plane that follows the time, of the quantity and range one chooses", async () => {
  await withRun("plane", { "fields.json": fields("cut", [10, 1, 8], 3) }, async (page) => {
    assert.equal((await state(page)).field, null);
    const before = await look(page);
    await page.keyboard.press("y");
    await page.getByLabel("Coarse-grained field (D)").click();
    assert.equal(await shownFrame(page), 0);
    await differs(page, before);
    assert.ok((await coloursIn(page)) > 100);
    const panel = page.locator(".field");
    assert.match(await panel.textContent(), /mean over 0\.000\u202fs to 0\.200\u202fs/);
    await panel.getByLabel("Which field").selectOption("velocity");
    await page.waitForFunction(() => window.tumble.field?.quantity === "velocity");
    assert.match(await panel.locator(".marks").textContent(), /m\/s/);
    await panel.getByLabel("Which component").selectOption("z");
    await page.waitForFunction(() => window.tumble.field?.part === 2);
    const { low, high } = (await state(page)).field;
    assert.ok(low === -high && high > 1, `${low} to ${high}`);
    const first = await look(page);
    await page.evaluate(() => window.tumble.seek(10));
    await page.waitForFunction(() => window.tumble.field?.frame === 2);
    await differs(page, first);
    await panel.getByLabel("Range of the field").selectOption("fixed");
    await panel.getByLabel("Field up to").fill("50");
    await panel.getByLabel("Field up to").press("Enter");
    await page.waitForFunction(() => window.tumble.field?.high === 50);
    // A picture has the bar of the field.
    const [picture] = await Promise.all([page.waitForEvent("download"), page.getByLabel("Save a picture (S)").click()]);
    assert.ok(picture.suggestedFilename().endsWith(".png"));
    await panel.getByLabel("Hide the field (D)").click();
    await page.waitForSelector(".field", { state: "hidden" });
    assert.equal((await state(page)).field, null);
  });
});

test("of a grid any plane across an axis is shown", async () => {
  await withRun("grid", { "fields.json": fields("grid", [6, 5, 4], 2) }, async (page) => {
    await page.keyboard.press("d");
    assert.equal(await shownFrame(page), 0);
    const panel = page.locator(".field");
    await panel.getByLabel("Which field").selectOption("velocity");
    await page.waitForFunction(() => window.tumble.field?.quantity === "velocity");
    assert.match(await panel.textContent(), /y = 250\u202fmm/);
    const before = await look(page);
    await panel.getByLabel("Across which axis the plane is").selectOption("across z");
    await differs(page, before);
    const layer = panel.getByLabel("Where the plane is");
    assert.equal(await layer.getAttribute("max"), "3");
    await layer.fill("0");
    await page.waitForFunction(() => /z = −50\.0\u202fmm/.test(document.querySelector(".field .slice output").textContent));
  });
});

test("a run without fields has no control for them, and fields along a line are curves", async () => {
  const column = ["time_s,step,x_m,y_m,z_m,density_kg/m3,pressure_Pa"];
  for (const time of [0.4, 0.8]) for (const z of [0, 0.1, 0.2]) column.push(`${time},1,0,0,${z},1000,${100 * z + time}`);
  await withRun("line", { "fields/height.csv": `${column.join("\n")}\n` }, async (page) => {
    assert.equal(await page.getByLabel("Coarse-grained field (D)").isVisible(), false);
    assert.equal(await page.getByLabel("Bonds that broke, and where (J)").isVisible(), false);
    await page.keyboard.press("d");
    assert.equal(await page.locator(".field").isVisible(), false);
    await page.getByLabel("What is plotted").selectOption({ label: "Pressure along z (height)" });
    const curve = () => page.locator(".drawing .curve").getAttribute("d");
    assert.match(await page.textContent(".curves"), /up to 400\u202fms/);
    assert.equal((await curve()).split(/[ML]/).length, 4, "three cells");
    const before = await curve();
    await page.evaluate(() => window.tumble.seek(10));
    await page.waitForFunction(() => document.querySelector(".curves").textContent.includes("up to 800"));
    assert.notEqual(await curve(), before);
    assert.match(await page.textContent(".drawing"), /100\u202fmm|100 mm/);
  });
});

test("a run that goes on brings new frames of its fields", async () => {
  let live = true;
  const run = async (page, folder) => {
    await page.keyboard.press("d");
    assert.equal(await shownFrame(page), 1);
    writeFileSync(join(folder, "fields.json"), fields("cut", [10, 1, 8], 3));
    await page.waitForFunction(() => window.tumble.field?.frame === 2);
    live = false;
  };
  await withRun("live", { "fields.json": fields("cut", [10, 1, 8], 2) }, run, () => live);
});

test("a film has the fields in it", async () => {
  const file = join(work, "film.html");
  if (process.env.TUMBLE !== undefined) return;
  exportFilm(runWith("film", { "fields.json": fields("cut", [10, 1, 8], 3) }), file);
  await withPageIn(browser, pathToFileURL(file).href, async (page) => {
    await page.keyboard.press("d");
    assert.equal(await shownFrame(page), 0);
    assert.match(await page.textContent(".field"), /some of the fields only/);
  });
});

test("bonds that broke are marked where and when, by mode, and counted in a curve", async () => {
  const row = (time, x, mode) => `${time},1,0,1,${x},0.25,0.25,${mode},1e-6`;
  const header = "time_s,step,body_a,body_b,x_m,y_m,z_m,mode,energy_J";
  const text = [header, row(0.1, 0.1, "shear"), row(0.5, 0.3, "tension"), row(0.5, 0.2, "shear")].join("\n");
  await withRun("bonds", { "bonds.csv": `${text}\n` }, async (page) => {
    const legend = page.locator(".legend");
    const said = (words) => page.waitForFunction((words) => document.body.textContent.includes(words), words);
    await said("shear 0");
    await page.evaluate(() => window.tumble.seek(10));
    await said("shear 2");
    assert.match(await legend.textContent(), /Broken bonds.*shear 2.*tension 1/);
    const marked = await look(page);
    await page.keyboard.press("j");
    await differs(page, marked);
    assert.equal(await page.getByText("Broken bonds", { exact: true }).and(page.locator("h3")).isVisible(), false);
    await page.getByLabel("What is plotted").selectOption("bonds");
    assert.match(await page.textContent(".curves"), /Shear2.*Tension1.*All3/);
  });
});
