// How the scene is looked at: sides, perspective, cut, walls, curves, colours; each in a real browser, with runs that are
// made up so that it is known what must be seen.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { differs, look, state, withPage as withPageIn } from "./pages.mjs";
import { launch, writer, writeResults } from "./programs.mjs";
import { serve } from "./server.mjs";

let browser, work;
const servers = [];

before(async () => {
  work = mkdtempSync(join(tmpdir(), "tumble-viewer-view-"));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  for (const server of servers) await server.end();
  if (work !== undefined) rmSync(work, { recursive: true, force: true });
});

/** Shows a trajectory, with tables beside it. */
async function withRun(name, trajectory, body, { tables = {}, ...options } = {}) {
  const folder = join(work, name);
  writeResults(folder, trajectory);
  for (const [table, text] of Object.entries(tables)) writeFileSync(join(folder, table), text);
  const server = await serve(folder);
  servers.push(server);
  await withPageIn(browser, server.url, body, options);
}

const place = (page, id) => page.evaluate((id) => window.tumble.place(id), id);
const wall = (changes) => ({ name: "wall", material: 0, moves: false, pivot: [0, 0, 0], points: [], triangles: [], ...changes });
const square = (size, z) => [[-size, -size, z], [size, -size, z], [size, size, z], [-size, size, z]];
const TWO = [[0, 1, 2], [0, 2, 3]];

/** Frames of the same bodies, a second apart. */
function run(changes, ...instants) {
  const frames = instants.map((instant, i) => writer.frame({ step: i, time: i, lists: i === 0, ...instant }));
  return writer.join(writer.header(changes), ...frames);
}

/** Balls on the axes: at the origin, and at 0.5 on x, y and z. */
const CROSS = [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]].map((place, id) => ({ id, place }));

test("looks along axes, from both sides, without perspective", async () => {
  await withRun("axes", run({}, { bodies: CROSS }), async (page) => {
    await page.keyboard.press("o");
    // Which bodies lie behind each other, and which of two is to the right, or above.
    const cases = [
      ["x", [0, 1], [2, 0], [3, 0]],
      ["x", [0, 1], [0, 2], [3, 0]],
      ["y", [0, 2], [1, 0], [3, 0]],
      ["y", [0, 2], [0, 1], [3, 0]],
      ["z", [0, 3], [1, 0], [2, 0]],
      ["z", [0, 3], [1, 0], [0, 2]],
    ];
    for (const [key, behind, right, above] of cases) {
      await page.keyboard.press(key);
      await look(page);
      const places = await Promise.all([0, 1, 2, 3].map((id) => place(page, id)));
      const of = ([a, b], axis) => places[a][axis] - places[b][axis];
      const words = `${key}: ${JSON.stringify(places)}`;
      assert.ok(Math.hypot(of(behind, 0), of(behind, 1)) < 0.1, words);
      assert.ok(of(right, 0) > 50 && of(above, 1) < -50, words);
      assert.ok(Math.abs(of(right, 0) / of(above, 1) + 1) < 0.01, `lengths are the same along both: ${words}`);
    }
    await page.keyboard.press("v");
    await page.getByLabel("Look from −y").click();
    await look(page);
    const [origin, onY] = [await place(page, 0), await place(page, 2)];
    assert.ok(Math.hypot(origin[0] - onY[0], origin[1] - onY[1]) < 0.1);
    // With perspective, what is nearer to the eye than the middle of the picture is farther from the middle.
    await page.getByLabel("Without perspective").click();
    await look(page);
    const [near, far] = [await place(page, 0), await place(page, 2)];
    assert.ok(Math.hypot(near[0] - far[0], near[1] - far[1]) > 2);
  });
});

test("axes and a scale bar that is right, on the page and in pictures", async () => {
  await withRun("scale", run({}, { bodies: CROSS }), async (page) => {
    const gauge = page.locator(".gauge");
    assert.match(await gauge.getAttribute("aria-label"), /scale bar of ≈ \d+\u202fmm/);
    for (const key of ["o", "y"]) await page.keyboard.press(key);
    await look(page);
    assert.match(await gauge.getAttribute("aria-label"), /scale bar of \d+\u202fmm/);
    const [origin, onX] = [await place(page, 0), await place(page, 1)];
    const { pixel } = await state(page);
    assert.ok(Math.abs((onX[0] - origin[0]) * pixel - 0.5) < 1e-3, `${pixel} m for a pixel`);
    const painted = () => gauge.evaluate((canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((x) => x > 0));
    assert.ok(await painted());
    const size = async () => {
      const [picture] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("s")]);
      return readFileSync(await picture.path()).length;
    };
    const withGauge = await size();
    await page.keyboard.press("a");
    await page.waitForSelector(".gauge", { state: "hidden" });
    assert.ok((await size()) < withGauge, "it is in the picture too");
  });
});

test("a cut opens the scene, can be moved and flipped, and what is gone is not picked", async () => {
  await withRun("cut", writer.lattice(3, 3), async (page) => {
    for (const key of ["o", "y"]) await page.keyboard.press(key);
    const whole = await look(page);
    // In the front there is body 9, and behind it 12 and 15.
    const there = await place(page, 9);
    await page.mouse.click(...there);
    assert.equal((await state(page)).picked, 9);
    await page.keyboard.press("Escape");
    await page.getByLabel("View: sides, cut, walls (V)").click();
    await page.getByLabel("Cut the scene open").selectOption("y");
    const cut = await differs(page, whole);
    assert.match(await page.textContent(".cut output"), /y = /);
    await page.mouse.click(...there);
    assert.notEqual((await state(page)).picked, 9);
    assert.ok([12, 15].includes((await state(page)).picked), `picked ${(await state(page)).picked}`);
    await page.keyboard.press("Escape");
    // The keys of a slider are its own: time stands still.
    const slider = page.getByLabel("Where it is cut");
    await slider.focus();
    for (let i = 0; i < 30; i += 1) await page.keyboard.press("ArrowRight");
    await differs(page, cut);
    assert.equal((await state(page)).time, 0);
    assert.equal(Number(await slider.inputValue()).toFixed(2), "0.80");
    await page.getByRole("button", { name: "Other side" }).click();
    await look(page);
    await page.mouse.click(...there);
    assert.equal((await state(page)).picked, 9);
    await page.keyboard.press("Escape");
    await page.getByLabel("Cut the scene open").selectOption("");
    await page.getByLabel("Close (V)").click();
    assert.ok((await look(page)).equals(whole), "all is there again");
  });
});

test("each wall is hidden, shown and made opaque by itself", async () => {
  const points = square(0.4, 0.8);
  const walls = [wall({ name: "low", points: square(0.4, -0.2), triangles: TWO }), wall({ name: "lid", points, triangles: TWO })];
  await withRun("walls", run({ walls }, { bodies: CROSS }), async (page) => {
    await page.keyboard.press("z");
    await page.keyboard.press("v");
    const first = await look(page);
    const lid = page.getByLabel("lid", { exact: true });
    await lid.uncheck();
    const without = await differs(page, first);
    assert.ok(await page.getByLabel("Opacity of lid").isDisabled());
    await lid.check();
    await page.getByLabel("Opacity of lid").fill("1");
    const opaque = await differs(page, without);
    assert.ok(opaque.length < first.length / 2, "nothing is seen through it");
    await page.keyboard.press("w");
    await differs(page, opaque);
  });
});

test("a driven wall is drawn where it is", async () => {
  const plate = wall({ moves: true, points: square(0.3, 0), triangles: TWO, pivot: [0, 0, 0] });
  const still = [0, 0, 0, 1, 0, 0, 0];
  const instants = [still, still, [0, 0, 0.5, 1, 0, 0, 0]].map((place) => ({ bodies: CROSS, walls: [place] }));
  await withRun("driven", run({ walls: [plate] }, ...instants), async (page) => {
    const first = await look(page);
    await page.evaluate(() => window.tumble.seek(1));
    assert.ok((await look(page)).equals(first));
    await page.evaluate(() => window.tumble.seek(2));
    await differs(page, first);
  });
});

test("an endless belt stays under the bodies, and is where it is across", async () => {
  const belt = wall({ moves: true, points: square(500, -0.1), triangles: TWO, endless: [[1, 0, 0], [0, 1, 0]] });
  const places = [[0, 0, 0], [100, -30, 0], [100, -30, -0.2]].map((place) => [[...place, 1, 0, 0, 0]]);
  const instants = places.map((walls) => ({ bodies: CROSS, walls }));
  await withRun("belt", run({ walls: [belt] }, ...instants), async (page) => {
    const first = await look(page);
    await page.evaluate(() => window.tumble.seek(1));
    assert.ok((await look(page)).equals(first));
    await page.evaluate(() => window.tumble.seek(2));
    const lower = await differs(page, first);
    await page.keyboard.press("w");
    await differs(page, lower);
  });
});

test("endless walls do not make the bodies small", async () => {
  const floor = wall({ points: square(500, -0.1), triangles: TWO, endless: [[1, 0, 0], [0, 1, 0]] });
  await withRun("floor", run({ walls: [floor] }, { bodies: CROSS }), async (page) => {
    const [a, b] = [await place(page, 0), await place(page, 1)];
    assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) > 150, `${a} and ${b} are next to each other`);
    // The floor is there, under the bodies.
    const picture = await look(page);
    await page.keyboard.press("w");
    await differs(page, picture);
  });
});

test("frames the whole run, or the bodies where they are now", async () => {
  const at = (z) => ({ bodies: CROSS.map(({ id, place: [x, y] }) => ({ id, place: [x, y, z] })) });
  await withRun("falling", run({}, at(4), at(0)), async (page) => {
    const apart = async () => {
      const [a, b] = [await place(page, 0), await place(page, 1)];
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    };
    const whole = await apart();
    await page.evaluate(() => window.tumble.seek(1));
    await page.keyboard.press("f");
    await look(page);
    assert.ok((await apart()) > 2 * whole, `${await apart()} pixels instead of ${whole}`);
    const { x, y, width, height } = await page.locator(".stage > canvas").first().boundingBox();
    for (const id of [0, 1, 2, 3]) {
      const [px, py] = await place(page, id);
      assert.ok(px > x && px < x + width && py > y && py < y + height, `body ${id} is at ${px}, ${py}`);
    }
    await page.keyboard.press("Shift+F");
    await look(page);
    assert.ok((await apart()) < 1.5 * whole);
  });
});

test("plots what walls feel, and any other table over time", async () => {
  const rows = [0, 1, 2].flatMap((i) => [`${i},${i},floor,0,0,${-i},1,0,0,0`, `${i},${i},"lid, upper",3,4,0,0,${i},0,${2 * i}`]);
  const columns = ["force_x_N", "force_y_N", "force_z_N", "torque_x_Nm", "torque_y_Nm", "torque_z_Nm", "power_W"];
  const tables = {
    "walls.csv": `time_s,step,wall,${columns}\n${rows.join("\n")}\n`,
    "measures.csv": "time_s,step,mass_top_kg,porosity\n0,0,1,0.4\n2,2,3,0.41\n",
    "bodies.csv": "x_m,y_m\n1,2\n",
  };
  const bodies = { bodies: CROSS };
  await withRun("curves", run({}, bodies, bodies, bodies), async (page) => {
    const choice = page.getByLabel("What is plotted");
    const offered = await choice.locator("option").allTextContents();
    for (const name of ["Energy", "Force (walls)", "Torque z (walls)", "Power (walls)", "Mass top", "Porosity"]) {
      assert.ok(offered.includes(name), `${name} is not among ${offered}`);
    }
    await choice.selectOption({ label: "Force (walls)" });
    await page.keyboard.press("End");
    await page.evaluate(() => window.tumble.seek(2));
    await look(page);
    assert.equal(await page.locator(".drawing .curve").count(), 2);
    const legend = await page.textContent(".curves");
    assert.match(legend, /floor2\.00\u202fN.*lid, upper5\.00\u202fN/s);
    await page.getByRole("button", { name: /lid, upper/ }).click();
    assert.equal(await page.locator(".drawing .curve").count(), 1);
    await choice.selectOption({ label: "Porosity" });
    await look(page);
    assert.match(await page.textContent(".curves"), /Porosity0\.410/);
    assert.equal(await page.locator(".drawing").getAttribute("aria-label"), "Porosity over time");
  }, { tables });
});

test("a picked body tells its velocity, at the last frame too", async () => {
  const bodies = [{ id: 7, place: [0, 0, 0], speed: 5, towards: [0.6, 0, -0.8] }];
  await withRun("velocity", run({}, { bodies }), async (page) => {
    await page.mouse.click(...(await place(page, 7)));
    await page.waitForFunction(() => document.querySelector(".body h2").textContent === "Body 7");
    const rows = await page.locator(".body dd").allTextContents();
    assert.ok(rows.includes("3.0, 0.0, −4.0\u202fm/s"), rows.join("; "));
  });
});

test("the legend has the materials that occur, and says what range colours have", async () => {
  const materials = ["unused", "sand", "glue", "clay"];
  const resting = (speed) => CROSS.map((body, i) => ({ ...body, material: i < 2 ? 3 : 1, speed: speed * (i + 1) }));
  const instants = [1, 1, 1e-6].map((speed) => ({ bodies: resting(speed) }));
  await withRun("legend", run({ materials }, ...instants), async (page) => {
    assert.match(await page.textContent(".legend .from"), /whole run/);
    const moving = await look(page);
    await page.evaluate(() => window.tumble.seek(2));
    assert.ok((await look(page)).equals(moving), "at rest bodies are told apart as they were");
    assert.match(await page.textContent(".legend .from"), /this frame \(slow for this run\)/);
    assert.match(await page.textContent(".legend .marks"), /µm\/s/);
    await page.getByLabel("Range of the colours").selectOption("run");
    await differs(page, moving);
    await page.keyboard.press("4");
    await look(page);
    assert.deepEqual(await page.locator(".kinds li").allTextContents(), ["clay", "sand"]);
  });
});

test("is dark where the system is, and where the notebook around it is", async () => {
  const theme = (frame) => frame.evaluate(() => document.documentElement.dataset.theme);
  await withRun("dark", run({}, { bodies: CROSS }), async (page) => {
    assert.equal(await theme(page), "dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    // Only what is around it may say so.
    await page.evaluate(() => postMessage({ tumbleTheme: "puce" }, "*"));
    assert.equal(await theme(page), "light");
  }, { colorScheme: "dark" });
  // As `_repr_html_` of the Python package has it: a frame that can reach nothing, and a script beside it.
  const script = readFileSync(new URL("../../crates/python/python/tumble/_theme.js", import.meta.url), "utf8");
  const film = readFileSync(new URL("../dist/index.html", import.meta.url), "utf8");
  const data = { trajectory: Buffer.from(run({}, { bodies: CROSS })).toString("base64"), tables: {}, summary: null, title: "x" };
  const inside = film.replace("<!--tumble-data-->", () => `<script type="application/json" id="tumble-data">${JSON.stringify(data)}</script>`);
  const escaped = inside.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const frame = `<iframe data-tumble-view sandbox="allow-scripts allow-downloads" style="width:600px;height:400px" srcdoc="${escaped}"></iframe>`;
  const notebook = `<!doctype html><body style="background: #111"><div>${frame}<script>${script}</script></div></body>`;
  const page = await browser.newPage({ colorScheme: "light" });
  await page.setContent(notebook);
  const within = await page.waitForSelector("iframe").then((element) => element.contentFrame());
  await within.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await page.evaluate(() => (document.body.style.background = "#fff"));
  await within.waitForFunction(() => document.documentElement.dataset.theme === "light");
  await page.close();
});

test("on a phone the view has its panel, by touch", async () => {
  const phone = { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true };
  await withRun("phone", writer.lattice(3, 3), async (page) => {
    const picture = await look(page);
    await page.getByLabel("View: sides, cut, walls (V)").tap();
    const box = await page.locator(".view").boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 375 && box.y >= 0 && box.y + box.height <= 667, JSON.stringify(box));
    await page.getByLabel("Look from +x").tap();
    await page.getByLabel("Close (V)").tap();
    await page.waitForSelector(".view", { state: "hidden" });
    await differs(page, picture);
    const gauge = await page.locator(".gauge").boundingBox();
    const dock = await page.locator(".dock").boundingBox();
    assert.ok(gauge.y + gauge.height <= dock.y + 1);
  }, phone);
});
