// Starts what browser tests need: a browser, the program, servers, a run that is going on.
//
// With TUMBLE=path of the program, results and pages are its own; else they are made up, and a small server shows
// them. CHROMIUM=path names another browser than the usual ones.

import { build } from "esbuild";
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

/** The program, if there is one. */
export const PROGRAM = process.env.TUMBLE;

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const SCENE = fileURLToPath(new URL("../../scenes/settling.toml", import.meta.url));
const PAGE = new URL("../dist/index.html", import.meta.url);

/** The trajectories and energies that tests make up; TypeScript, since unit tests use it too. */
export const writer = await loadWriter();

/** Options of a browser that draws in software. */
export const SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** A real browser. */
export function launch(graphics = SOFTWARE) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? BROWSERS.find(existsSync),
    args: [
      "--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", ...graphics,
    ],
  });
}

/** Runs the program to its end. */
export function tumble(...words) {
  execFileSync(PROGRAM, words, { stdio: ["ignore", "ignore", "inherit"] });
}

/** A folder with results of a short run. */
export function shortRun(folder) {
  if (PROGRAM !== undefined) tumble("run", SCENE, "--set", "run.duration=0.2 s", "--out", folder);
  else writeResults(folder, writer.lattice(3, 21, "A test of the viewer"));
}

/** A folder of results with this trajectory. */
export function writeResults(folder, trajectory) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "trajectory.tumble"), trajectory);
  writeFileSync(join(folder, "energy.csv"), writer.energies(21));
  writeFileSync(join(folder, "walls.csv"), writer.wallLoads(21));
  writeFileSync(join(folder, "scene.toml"), "version = 1\ngravity = [0.0, 0.0, -9.81]\n");
}

/** Writes a folder of results as one file. */
export function exportFilm(folder, file) {
  if (PROGRAM !== undefined) return tumble("view", "--export", file, folder);
  const read = (name) => readFileSync(join(folder, name));
  const names = readdirSync(folder).filter((name) => name.endsWith(".csv"));
  const tables = Object.fromEntries(names.map((name) => [name, read(name).toString()]));
  const fields = existsSync(join(folder, "fields.json")) ? fieldsOfFilm(JSON.parse(read("fields.json"))) : [];
  const data = { trajectory: read("trajectory.tumble").toString("base64"), tables, fields, summary: null, title: "Film" };
  const element = `<script type="application/json" id="tumble-data">${JSON.stringify(data)}</script>`;
  writeFileSync(file, readFileSync(PAGE, "utf8").replace("<!--tumble-data-->", () => element));
}

/** Fields as the program puts them into films: of each frame the numbers by the names of quantities. */
function fieldsOfFilm({ fields, numbers }) {
  const text = (address) => Buffer.from(Float32Array.from(numbers[address]).buffer).toString("base64");
  return fields.map((field) => {
    const frame = (_, number) =>
      Object.fromEntries(field.quantities.map(({ name }) => [name, text(`fields/${field.name}/${number}/${name}`)]));
    return { field, left_out: 0, frames: field.times.map(frame) };
  });
}

/** Serves a folder; gives the address, and what ends it. */
export async function view(folder) {
  if (PROGRAM === undefined) return serve(folder);
  const server = spawn(PROGRAM, ["view", "--no-open", "--port", "0", folder], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const piece of server.stdout) {
    text += piece;
    const url = /http:\/\/\S+\//.exec(text)?.[0];
    if (url !== undefined) return { url, end: () => ended(server) };
  }
  throw new Error(`tumble view did not say where: ${text}`);
}

/** A run that is going on and is served: it goes on when told, and stops when told. */
export function liveRun(folder) {
  return PROGRAM === undefined ? pretendedRun(folder) : realRun(folder);
}

/** A file to which frames are added while the server says that a run is going on. */
async function pretendedRun(folder) {
  const all = writer.lattice(3, 20);
  const part = Math.floor(all.length / 2);
  writeResults(folder, all.subarray(0, part));
  let live = true;
  const server = await serve(folder, () => live);
  return {
    ...server,
    goOn: () => appendFileSync(join(folder, "trajectory.tumble"), all.subarray(part)),
    stop: () => (live = false),
  };
}

/** A long run of the program, ended when it has been seen. */
async function realRun(folder) {
  const settings = ["run.duration=60 s", "output.trajectory.every=5 ms"].flatMap((setting) => ["--set", setting]);
  const run = spawn(PROGRAM, ["run", SCENE, ...settings, "--threads", "1", "--out", folder], { stdio: "ignore" });
  while (!existsSync(join(folder, "trajectory.tumble"))) await new Promise((resolve) => setTimeout(resolve, 50));
  const server = await view(folder);
  const end = async () => {
    await ended(run);
    await server.end();
  };
  return { url: server.url, goOn: () => {}, stop: () => run.kill("SIGTERM"), end };
}

function ended(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

async function loadWriter() {
  const path = fileURLToPath(new URL("writer.ts", import.meta.url));
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
