// The section `startup`: the time to load each module in a fresh process, to check and diff a full body once, and to
// start the plugin's process, compared with the start of a Node process that does nothing.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { pinnedNode, root } from "../steps.mjs";
import { markdownTable, spreadOf, spreadWords } from "./figures.mjs";

const requires = (...modules) => modules.map((name) => `require(${JSON.stringify(name)}); `).join("");
const load = (before, ...modules) =>
  `${before}const started = performance.now(); ${requires(...modules)}console.log(performance.now() - started);`;
const dist = (file) => path.join(root, "dist", file);
const pulumiFirst = requires("@pulumi/pulumi");

const MEASURED = {
  "provider entry, with zod": load(pulumiFirst, dist("provider/index.js")),
  "undici, with the first request": load(pulumiFirst, "undici"),
  "the program's import, beyond @pulumi/pulumi": load(pulumiFirst, dist("sdk/index.js")),
  "@pulumi/pulumi itself": load("", "@pulumi/pulumi"),
  "check + diff of a full body": requires(path.join(root, "tools/bench/programs/checking.js")),
};

/** Programs that are timed in turns until their first line of output. */
const STARTED = {
  "Node itself, from its start to a first line": ["-e", "console.log(0)"],
  "the plugin, from its start to its port": [dist("plugin/pulumi-resource-deployment-control")],
};

export async function measureStartup({ runs }) {
  const loaded = Object.entries(MEASURED).map(([what, code]) => [
    what,
    Array.from({ length: runs }, () => Number(printedBy(code))),
  ]);
  const started = Object.keys(STARTED).map((what) => [what, []]);
  for (let run = 1; run <= runs; run += 1)
    for (const [what, figures] of started) figures.push(await millisecondsToFirstLine(STARTED[what]));
  return [...loaded, ...started].map(([what, figures]) => ({ what, runs, milliseconds: spreadOf(figures) }));
}

async function millisecondsToFirstLine(args) {
  const before = performance.now();
  const child = spawn(pinnedNode, args, { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const milliseconds = performance.now() - before;
  child.kill();
  await once(child, "close");
  return milliseconds;
}

function printedBy(code) {
  return execFileSync(pinnedNode, ["-e", code], { cwd: root, encoding: "utf8" });
}

export function startupTable(rows) {
  return markdownTable(
    ["in a fresh process", "time"],
    rows.map(({ what, milliseconds }) => [what, spreadWords(milliseconds, "ms")]),
  );
}
