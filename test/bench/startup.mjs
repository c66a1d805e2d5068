// The section `startup`: what loading takes, each in a fresh process, and what one check and diff of a full body take.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { pinnedNode, root } from "../toolchain/steps.mjs";
import { markdownTable, spreadOf, spreadWords } from "./figures.mjs";

const requires = (...modules) => modules.map((name) => `require(${JSON.stringify(name)}); `).join("");
const load = (before, ...modules) =>
  `${before}const started = performance.now(); ${requires(...modules)}console.log(performance.now() - started);`;
const dist = (file) => path.join(root, "dist", file);
const pulumiFirst = requires("@pulumi/pulumi");

const entry = ["provider/index.js", "provider/deployment/deployment.js"].map(dist);
const writing = ["create/create", "update/update", "destroy"].map((name) =>
  dist(`provider/deployment/${name}.js`),
);

const MEASURED = {
  "provider entry, with the first call of a Deployment": load(pulumiFirst, ...entry),
  "what writes, with the first write": load(pulumiFirst + requires(...entry), ...writing),
  "zod, with the first check": load(pulumiFirst, "zod"),
  "undici, with the first request": load(pulumiFirst, "undici"),
  "the program's import, beyond @pulumi/pulumi": load(pulumiFirst, dist("sdk/index.js")),
  "@pulumi/pulumi itself": load("", "@pulumi/pulumi"),
  "check + diff of a full body": requires(path.join(root, "test/bench/programs/checking.js")),
};

export function measureStartup({ runs }) {
  return Object.entries(MEASURED).map(([what, code]) => {
    const figures = Array.from({ length: runs }, () => Number(printedBy(code)));
    return { what, runs, milliseconds: spreadOf(figures) };
  });
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
