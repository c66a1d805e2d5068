// The section `report`: how long `deployment-control plan` takes for a large stack, from a preview in a file.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pinnedNode, root } from "../steps.mjs";
import { markdownTable, spreadOf, spreadWords } from "./figures.mjs";

const DEPLOYMENTS = 1_000;
const MEASURING = `process.on("exit", () => process.stderr.write(String(process.resourceUsage().maxRSS))); require(${JSON.stringify(path.join(root, "dist/sdk/cli/main.js"))});`;

export function measureReport({ runs }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "deployment-control-report-"));
  try {
    const file = path.join(folder, "preview.json");
    fs.writeFileSync(file, largePreview());
    const figures = Array.from({ length: runs }, () => measured(file));
    return [
      {
        deployments: DEPLOYMENTS,
        runs,
        megabytes: Number((fs.statSync(file).size / 2 ** 20).toFixed(1)),
        seconds: spreadOf(figures.map(({ seconds }) => seconds)),
        peakMb: Math.round(Math.max(...figures.map(({ kilobytes }) => kilobytes)) / 1024),
      },
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The recorded plan of many deployments, repeated several times with other names. */
function largePreview() {
  const document = JSON.parse(fs.readFileSync(path.join(root, "test/goldens/previews/fleet.json"), "utf8"));
  const [stack, ...steps] = document.steps;
  const copies = Array.from({ length: Math.ceil(DEPLOYMENTS / steps.length) }, (_, copy) =>
    JSON.parse(JSON.stringify(steps).replaceAll("agent-", `agent-${copy}-`)),
  );
  const all = { ...document, steps: [stack, ...copies.flat().slice(0, DEPLOYMENTS)] };
  return JSON.stringify(all, null, 4);
}

function measured(file) {
  const started = performance.now();
  const args = ["-e", MEASURING, "main", "plan", "--format", "markdown", file];
  const { stderr } = spawnSync(pinnedNode, args, { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (!/^\d+$/.test(stderr)) throw new Error(`the report was not made: ${stderr}`);
  return { seconds: (performance.now() - started) / 1000, kilobytes: Number(stderr) };
}

export function reportTable(rows) {
  return markdownTable(
    ["", "preview", "wall", "peak memory"],
    rows.map(({ deployments, megabytes, seconds, peakMb }) => [
      `report of ${deployments.toLocaleString("en")} deployments`,
      `${megabytes} MB`,
      spreadWords(seconds),
      `${peakMb} MB`,
    ]),
  );
}
