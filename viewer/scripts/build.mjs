// Makes dist/index.html: one file with script and style inside, the same bytes every time.
// With --check nothing is written; it fails if the file in the repository is not what the sources make.

import { build } from "esbuild";
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "dist", "index.html");
/** `tumble view --export` puts the data of a film in its place. */
const MARKER = "<!--tumble-data-->";

const page = await bundle();
if (process.argv.includes("--check")) {
  const committed = await readFile(target, "utf8").catch(() => "");
  if (committed !== page) {
    console.error("viewer/dist/index.html is not what the sources make: run `npm run build` in viewer/ and commit it.");
    process.exit(1);
  }
  console.log("dist/index.html is up to date");
} else {
  await mkdir(join(root, "dist"), { recursive: true });
  await writeFile(target, page);
  console.log(`dist/index.html: ${Math.round(page.length / 1024)} KiB`);
}

async function bundle() {
  const options = { bundle: true, minify: true, write: false, charset: "utf8", logLevel: "warning" };
  const [script, style, frame, licence] = await Promise.all([
    build({
      ...options,
      absWorkingDir: root,
      entryPoints: ["src/main.ts"],
      format: "iife",
      target: "es2022",
      legalComments: "none",
    }).then(text),
    build({ ...options, absWorkingDir: root, entryPoints: ["src/style.css"], target: "es2022" }).then(text),
    readFile(join(root, "src", "index.html"), "utf8"),
    readFile(join(root, "node_modules", "three", "LICENSE"), "utf8"),
  ]);
  const notice = `/*! The page contains three.js:\n${licence.trim()}\n*/\n`;
  // Functions, since `$` means something in a replacement text.
  const page = frame
    .replace("/*style*/", () => style.trim())
    .replace("/*script*/", () => notice + harmless(script.trim()));
  if (page.split(MARKER).length !== 2) throw new Error(`the page must have ${MARKER} once`);
  return page;
}

function text(result) {
  return result.outputFiles[0].text;
}

/** A script inside a page ends at the first end tag, and comments of HTML change how it is read. */
function harmless(script) {
  return script.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--");
}
