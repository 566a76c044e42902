// The viewer's page in a real browser: see programs.mjs for who serves it.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { coloursIn, differs, look, PATIENCE, state, withPage as withPageIn } from "./pages.mjs";
import { exportFilm, launch, liveRun, shortRun, view, writer, writeResults } from "./programs.mjs";
import { serve } from "./server.mjs";

let browser, work, results, shown;

before(async () => {
  work = mkdtempSync(join(tmpdir(), "tumble-viewer-"));
  results = join(work, "results");
  shortRun(results);
  shown = await view(results);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await shown?.end();
  if (work !== undefined) rmSync(work, { recursive: true, force: true });
});

const withPage = (...rest) => withPageIn(browser, ...rest);

test("loads, and shows bodies, title, legend and plot", async () => {
  await withPage(shown.url, async (page) => {
    assert.ok((await state(page)).frames > 5);
    assert.deepEqual((await state(page)).errors, []);
    assert.match(await page.textContent(".counts"), /\d+ bodies · \d+ spheres/);
    assert.match(await page.textContent(".legend .marks"), /m\/s/);
    assert.ok((await page.locator(".drawing .curve").count()) >= 2);
    // More than background: many different colours are in the middle of the picture.
    assert.ok((await coloursIn(page)) > 50);
  });
});

test("plays: time goes on and the picture changes", async () => {
  await withPage(shown.url, async (page) => {
    const [start, picture] = [(await state(page)).time, await look(page)];
    await page.keyboard.press("Space");
    await page.waitForFunction((time) => window.tumble.time > time && window.tumble.playing, start);
    await differs(page, picture);
    await page.getByLabel("Pause (Space)").click();
    assert.equal((await state(page)).playing, false);
    assert.ok((await state(page)).fps > 0);
  });
});

test("scrubs and steps", async () => {
  await withPage(shown.url, async (page) => {
    const { frames } = await state(page);
    const picture = await look(page);
    const track = await page.locator(".scrubber").boundingBox();
    await page.mouse.click(track.x + track.width / 2, track.y + track.height / 2);
    await page.waitForFunction(() => window.tumble.time > 0);
    await differs(page, picture);
    await page.evaluate(() => window.tumble.seek(3));
    const third = (await state(page)).time;
    await page.keyboard.press("ArrowRight");
    assert.ok((await state(page)).time > third);
    await page.keyboard.press("ArrowLeft");
    assert.equal((await state(page)).time, third);
    await page.keyboard.press("End");
    await page.waitForFunction((last) => document.querySelector(".clock").textContent.includes(`frame ${last} of`), frames);
  });
});

test("picks the body that is clicked, shows its state and path, follows it and lets go", async () => {
  await withPage(shown.url, async (page) => {
    // Bodies in front hide others, so that not every place of a body shows that body.
    let picked = null;
    for (let id = 0; id < 60 && picked === null; id += 1) {
      const place = await page.evaluate((id) => window.tumble.place(id), id);
      if (place === null) continue;
      await page.mouse.click(...place);
      if ((await state(page)).picked === id) picked = id;
    }
    assert.notEqual(picked, null, "no click on a body picked it");
    await page.waitForFunction((id) => document.querySelector(".body h2").textContent === `Body ${id}`, picked);
    const panel = await page.textContent(".body");
    for (const word of ["Shape", "Material", "Position", "Speed", "Spin"]) assert.ok(panel.includes(word), word);
    await page.keyboard.press("g");
    await page.evaluate(() => window.tumble.seek(window.tumble.frames - 1));
    // Who follows a body has it in the middle.
    const middle = await page.locator(".stage > canvas").first().boundingBox();
    await page.waitForFunction(
      ([id, x, y]) => {
        const place = window.tumble.place(id);
        return place !== null && Math.hypot(place[0] - x, place[1] - y) < 3;
      },
      [picked, middle.x + middle.width / 2, middle.y + middle.height / 2],
    );
    await page.keyboard.press("Escape");
    assert.equal((await state(page)).picked, null);
    await page.waitForSelector(".body", { state: "hidden" });
  });
});

test("changes colouring: pixels, legend and range", async () => {
  await withPage(shown.url, async (page) => {
    await page.evaluate(() => window.tumble.seek(5));
    const [picture, legend] = [await look(page), await page.textContent(".legend .scale")];
    await page.getByLabel("Colour by").selectOption("template");
    await differs(page, picture);
    assert.notEqual(await page.textContent(".legend .scale"), legend);
    assert.equal((await state(page)).colouring, "template");
    for (const [key, name] of ["speed", "spin", "energy", "material", "template", "id"].entries()) {
      await page.keyboard.press(String(key + 1));
      await page.waitForFunction((name) => window.tumble.colouring === name, name);
    }
    await page.keyboard.press("1");
    await page.getByLabel("Range of the colours").selectOption("fixed");
    await page.getByLabel("Highest value").fill("1000");
    await page.getByLabel("Highest value").press("Enter");
    await page.waitForFunction(() => document.querySelector(".legend .marks").textContent.includes("1.00\u202fkm/s"));
  });
});

test("shows contact forces, hides walls, changes light and dark", async () => {
  await withPage(shown.url, async (page) => {
    await page.evaluate(() => window.tumble.seek(window.tumble.frames - 1));
    for (const key of ["c", "w", "h", "t"]) {
      const picture = await look(page);
      await page.keyboard.press(key);
      await differs(page, picture);
    }
    assert.match(await page.textContent(".forces"), /Contact force.*N/);
    const picture = await look(page);
    await page.getByLabel("Contact forces (C)").click();
    await differs(page, picture);
  });
});

test("orbits by dragging, and shows everything again", async () => {
  await withPage(shown.url, async (page) => {
    const picture = await look(page);
    const { x, y, width, height } = await page.locator(".stage > canvas").first().boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 120, y + height / 2 - 30, { steps: 4 });
    await page.mouse.up();
    const turned = await differs(page, picture);
    assert.equal((await state(page)).picked, null, "a drag picks nothing");
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.wheel(0, -600);
    await differs(page, turned);
    await page.keyboard.press("f");
    assert.deepEqual((await state(page)).errors, []);
  });
});

test("has curves of what walls feel, as the run wrote them", async () => {
  await withPage(shown.url, async (page) => {
    for (const label of ["Force (walls)", "Torque z (walls)", "Power (walls)"]) {
      await page.getByLabel("What is plotted").selectOption({ label });
      assert.equal(await page.locator(".drawing .curve").count(), 1);
      assert.match(await page.textContent(".curves"), /^box/);
    }
  });
});

test("a press on the energy plot seeks", async () => {
  await withPage(shown.url, async (page) => {
    const plot = await page.locator(".drawing").boundingBox();
    await page.mouse.click(plot.x + plot.width * 0.75, plot.y + plot.height / 2);
    await page.waitForFunction(() => window.tumble.time > 0);
    const late = (await state(page)).time;
    await page.mouse.click(plot.x + plot.width * 0.25, plot.y + plot.height / 2);
    await page.waitForFunction((late) => window.tumble.time < late && window.tumble.time > 0, late);
    await page.keyboard.press("e");
    await page.waitForSelector(".plot", { state: "hidden" });
  });
});

test("help opens and closes, and lists the keys", async () => {
  await withPage(shown.url, async (page) => {
    await page.keyboard.press("?");
    await page.waitForSelector(".help[open]");
    assert.match(await page.textContent(".help"), /Play or pause/);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".help", { state: "hidden" });
  });
});

test("saves a picture and a film", async () => {
  await withPage(shown.url, async (page) => {
    const [picture] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("s")]);
    assert.match(picture.suggestedFilename(), /\.png$/);
    assert.equal(readFileSync(await picture.path()).subarray(1, 4).toString(), "PNG");
    // The last is over before the recorder has begun.
    for (const speed of ["1", "1000"]) {
      await page.getByLabel("Speed, film time for real time").selectOption(speed);
      await page.keyboard.press("r");
      const [film] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Record" }).click(),
      ]);
      assert.match(film.suggestedFilename(), /\.(webm|mp4)$/);
      const bytes = readFileSync(await film.path());
      assert.ok(bytes.length > 1000, `${bytes.length} bytes at speed ${speed}`);
      const size = await page.evaluate(sizeOfFilm, bytes.toString("base64"));
      assert.ok(size[0] > 100 && size[1] > 100, `a film of ${size} pixels at speed ${speed}`);
      await page.waitForSelector(".film", { state: "hidden" });
    }
  });
});

test("fits a phone, and a touch picks", async () => {
  const phone = { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true };
  await withPage(shown.url, async (page) => {
    const sizes = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.equal(sizes[0], 375, "the page is wider than the screen");
    assert.equal(sizes[1], 375);
    for (const name of [".scrubber", ".main", ".legend", ".toolbar"]) {
      const box = await page.locator(name).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 375.5 && box.y + box.height <= 667.5, `${name} is not on the screen`);
    }
    const { x, y, width, height } = await page.locator(".stage > canvas").first().boundingBox();
    assert.ok(height > 250, "the scene is too small");
    for (let part = 0.4; part < 0.6 && (await state(page)).picked === null; part += 0.02) {
      await page.touchscreen.tap(x + width * part, y + height * part);
    }
    assert.notEqual((await state(page)).picked, null);
  }, phone);
});

test("an exported film is one file that needs nothing else", async () => {
  const film = join(work, "film.html");
  exportFilm(results, film);
  await withPage(pathToFileURL(film).href, async (page) => {
    assert.deepEqual((await state(page)).errors, []);
    assert.ok((await state(page)).frames > 5);
    assert.ok((await page.locator(".drawing .curve").count()) >= 2);
    assert.ok((await page.getByLabel("What is plotted").locator("option").allTextContents()).includes("Force (walls)"));
    const picture = await look(page);
    await page.evaluate(() => window.tumble.seek(5));
    await differs(page, picture);
  });
});

test("shows polyhedra, cuts them open, and picks them", async () => {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [1, 2, 4].map((bit) => (n & bit ? 0.3 : -0.3)));
  const faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
  const templates = [{ name: "die", spheres: corners.map((corner) => [...corner, 0.1]), polyhedra: [faces] }];
  const places = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z])));
  const bodies = (angle) =>
    places.map((place, id) => ({ id, template: 0, place, speed: id, turn: [Math.cos(angle), 0, 0, Math.sin(angle)], scale: 1 + 0.01 * id }));
  const frames = [0, 1, 2].map((step) => writer.frame({ step, time: 0.1 * step, bodies: bodies(0.2 * step), lists: step === 0 }));
  const folder = join(work, "dice");
  writeResults(folder, writer.join(writer.header({ templates }), ...frames));
  const server = await serve(folder);
  await withPage(server.url, async (page) => {
    assert.deepEqual((await state(page)).errors, []);
    assert.match(await page.textContent(".counts"), /27 bodies · 27 polyhedra/);
    assert.ok((await coloursIn(page)) > 50);
    const picture = await look(page);
    await page.evaluate(() => window.tumble.seek(2));
    const turned = await differs(page, picture);
    await page.keyboard.press("b");
    await differs(page, turned);
    await page.keyboard.press("b");
    await page.keyboard.press("b");
    await page.keyboard.press("b");
    await page.keyboard.press("b");
    let picked = null;
    for (let id = 26; id >= 0 && picked === null; id -= 1) {
      const place = await page.evaluate((id) => window.tumble.place(id), id);
      if (place !== null) await page.mouse.click(...place);
      if ((await state(page)).picked === id) picked = id;
    }
    assert.notEqual(picked, null, "no click on a body picked it");
    await page.waitForFunction(() => document.querySelector(".body").textContent.includes("die, 1 polyhedron"));
  });
  await server.end();
});

test("says what is wrong with the data, and where", async () => {
  const good = writer.lattice(3, 6);
  const cases = [
    ["missing", null, /No trajectory to show.*trajectory\.tumble/s],
    ["other", Buffer.from("not a trajectory at all, but some text"), /cannot be read.*TUMBLETR/s],
    ["header", flipped(good, 40), /header.*damaged/s],
    ["short", good.subarray(0, 100), /cut off in its header/],
    ["empty", writer.header(), /no whole frame/],
  ];
  for (const [name, bytes, message] of cases) {
    const folder = join(work, name);
    mkdirSync(folder, { recursive: true });
    if (bytes !== null) writeFileSync(join(folder, "trajectory.tumble"), bytes);
    const server = await serve(folder);
    await withPage(server.url, async (page) => {
      await page.waitForSelector(".card.bad");
      assert.match(await page.textContent(".card"), message, name);
      assert.equal(await page.locator(".stage > canvas").first().isVisible(), false, "a blank scene is shown");
    }, { broken: true });
    await server.end();
  }
});

test("shows what is left of a cut or damaged trajectory, with a note", async () => {
  const good = writer.lattice(3, 6);
  const cases = [
    ["cut", good.subarray(0, good.length - 10), /cut off/, 5],
    ["damaged", flipped(good, good.length - 400), /step 500, at byte \d+, is damaged/, 5],
  ];
  for (const [name, bytes, message, frames] of cases) {
    writeResults(join(work, name), bytes);
    const server = await serve(join(work, name));
    await withPage(server.url, async (page) => {
      await page.waitForSelector(".note.warning");
      assert.match(await page.textContent(".notes"), message, name);
      assert.equal((await state(page)).frames, frames);
      assert.ok((await coloursIn(page)) > 50);
    });
    await server.end();
  }
});

test("without WebGL 2 there is a message", async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => (HTMLCanvasElement.prototype.getContext = () => null));
  await page.goto(shown.url);
  await page.waitForSelector(".card.bad", { timeout: PATIENCE });
  assert.match(await page.textContent(".card"), /WebGL 2/);
  await page.close();
});

test("a run that is going on is followed", async () => {
  const run = await liveRun(join(work, "live"));
  await withPage(run.url, async (page) => {
    await page.waitForSelector(".live:not([hidden])");
    const { frames, time } = await state(page);
    run.goOn();
    await page.waitForFunction(([frames, time]) => window.tumble.frames > frames && window.tumble.time > time, [frames, time]);
    run.stop();
    await page.waitForSelector(".live", { state: "hidden" });
    assert.deepEqual((await state(page)).errors, []);
  });
  await run.end();
});

function flipped(bytes, at) {
  const copy = Uint8Array.from(bytes);
  copy[at] ^= 1;
  return copy;
}

/** Width and height of a film, once its first picture can be shown; runs in the page. */
async function sizeOfFilm(base64) {
  const video = document.createElement("video");
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  video.src = URL.createObjectURL(new Blob([bytes]));
  await new Promise((resolve, reject) => {
    video.addEventListener("loadeddata", resolve);
    video.addEventListener("error", () => reject(new Error(video.error.message)));
  });
  return [video.videoWidth, video.videoHeight];
}
