// Pages in the browser, and what is seen in them.
//
// Nothing waits for a fixed time: software rendering may take a second for a picture.

import assert from "node:assert/strict";

/** How long anything may take, ms. */
export const PATIENCE = 120_000;

/** Opens a page, checks that it gives no errors, and closes it. */
export async function withPage(browser, url, body, { broken = false, ...options } = {}) {
  const page = await browser.newPage({ viewport: { width: 900, height: 640 }, colorScheme: "light", ...options });
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !ofTheRenderer(message.text())) complaints.push(message.text());
  });
  page.on("request", (request) => {
    const there = request.url().startsWith(url) || /^(blob|data):/.test(request.url());
    if (!there) complaints.push(`asked for ${request.url()}`);
  });
  try {
    await page.goto(url);
    if (!broken) await page.waitForFunction(() => window.tumble?.ready ?? true);
    await body(page);
    if (!broken) assert.deepEqual(complaints, []);
  } finally {
    await page.close();
  }
}

/** Software rendering says that it is slow. */
function ofTheRenderer(text) {
  return /GPU stall|swiftshader|software WebGL/i.test(text);
}

/** What the viewer shows. */
export function state(page) {
  return page.evaluate(() => ({ ...window.tumble }));
}

/** The middle of the scene, where no panels are, once it does not change any more. */
export async function look(page) {
  const { x, y, width, height } = await page.locator(".stage > canvas").first().boundingBox();
  const clip = { x: x + width * 0.3, y: y + height * 0.2, width: width * 0.4, height: height * 0.5 };
  let last = await page.screenshot({ clip });
  for (;;) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const next = await page.screenshot({ clip });
    if ((await state(page)).playing || next.equals(last)) return next;
    last = next;
  }
}

/** Waits until the picture is another one. */
export async function differs(page, before) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const now = await look(page);
    if (!now.equals(before)) return now;
    assert.ok(Date.now() < end, "the picture does not change");
  }
}

/** How many colours the middle of the scene has. */
export async function coloursIn(page) {
  const png = (await look(page)).toString("base64");
  return page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size;
  }, png);
}
