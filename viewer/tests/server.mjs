// Serves a page and a folder of results as `tumble view` does, for tests without the program.

import { createServer } from "node:http";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const PAGE = new URL("../dist/index.html", import.meta.url);
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; " +
  "media-src blob:; connect-src 'self'; worker-src blob:";

/** `live()` tells whether a run is going on. Returns the address and how to end it. */
export async function serve(folder, live = () => false) {
  const file = (name) => readFile(join(folder, name)).catch(() => null);
  // Coarse-grained fields as the page is told of them, and their numbers by address.
  const made = async () => JSON.parse((await file("fields.json")) ?? '{"fields": [], "numbers": {}}');
  const server = createServer(async (request, response) => {
    const reply = (status, type, body, headers = {}) => {
      response.writeHead(status, { "Content-Type": type, "Content-Security-Policy": POLICY, ...headers });
      response.end(body);
    };
    if (request.url === "/") return reply(200, "text/html; charset=utf-8", await readFile(PAGE));
    const name = request.url.replace("/data/", "");
    if (name === "status") {
      const [trajectory, summary] = await Promise.all(["trajectory.tumble", "summary.json"].map(file));
      const fieldTables = (await readdir(join(folder, "fields")).catch(() => [])).map((name) => `fields/${name}`);
      const names = [...(await readdir(folder)), ...fieldTables].filter((name) => name.endsWith(".csv")).sort();
      const tables = await Promise.all(names.map(async (name) => ({ name, bytes: (await file(name)).length })));
      const ended = summary === null || live() ? null : JSON.parse(summary).ended.how;
      const problem = trajectory === null && !live() ? `There is no trajectory.tumble in ${folder}.` : null;
      const trajectory_bytes = trajectory?.length ?? 0;
      const fields = (await made()).fields.map(({ name, times }) => ({ name, frames: times.length }));
      const status = { title: "Test", live: live(), trajectory_bytes, tables, fields, ended, step: null, problem };
      return reply(200, "application/json", JSON.stringify(status));
    }
    if (name === "fields") return reply(200, "application/json", JSON.stringify({ fields: (await made()).fields, problems: [] }));
    const numbers = (await made()).numbers[name];
    if (numbers !== undefined) return reply(200, "application/octet-stream", Buffer.from(Float32Array.from(numbers).buffer));
    const data = await file(name === "trajectory" ? "trajectory.tumble" : name);
    if (data === null) return reply(404, "application/json", JSON.stringify({ error: `There is no ${name}.` }));
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? NaN);
    if (from >= data.length) return reply(416, "text/plain", "");
    const range = { "Content-Range": `bytes ${from}-${data.length - 1}/${data.length}` };
    const [status, body] = Number.isNaN(from) ? [200, data] : [206, data.subarray(from)];
    return reply(status, "application/octet-stream", body, status === 206 ? range : {});
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  return { url, end: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }) };
}
