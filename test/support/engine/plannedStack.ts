/** Runs a stack with the CLI, makes a report from the preview, and compares the update with the report. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { nameIn } from "../../../provider/schema/naming";
import type { Emulator } from "../../../sdk/emulator/index";
import { evaluate } from "../../../sdk/report/evaluate/evaluate";
import { type Gate, offencesIn } from "../../../sdk/report/evaluate/gates";
import { resultOf } from "../../../sdk/report/evaluate/result";
import type { Report, Result } from "../../../sdk/report/model";
import { eventsIn } from "../../../sdk/report/read/events";
import { previewIn } from "../../../sdk/report/read/preview";
import { isPlugin, PLUGINS } from "./form";

const WORK = path.join(__dirname, "..", "..", "..", ".cache", "planned");

/** The first lines of each program. `later` returns a value that is unknown until the apply. */
const START = `
const pulumi = require("@pulumi/pulumi");
const classOf = ${isPlugin ? 'require("../../../test/support/engine/generatedClass").generatedClass' : '(name) => require("pulumi-deployment-control")[name]'};
const [Deployment, Listener] = ["Deployment", "Listener"].map(classOf);
const again = process.env.ROUND === "1";
const fresh = new pulumi.Stash("fresh-" + process.env.ROUND, { input: process.env.ROUND });
const later = (value) => fresh.id.apply(() => value);
const ON = ["6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d10", "6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d11"];
const chat = (args) => ({
  name: "chat",
  source: "external_docker",
  sourceConfig: { listenerId: ON[0] },
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  ...args,
});
const moved = { sourceConfig: { listenerId: ON[again ? 1 : 0] } };
class Group extends pulumi.ComponentResource {
  constructor(name, options) {
    super("planned:index:Group", name, {}, options);
  }
}
`;

export interface Planned {
  readonly report: Report;
  /** Messages of the preview. */
  readonly said: readonly string[];
  readonly result: Result;
  readonly upFailed: boolean;
  readonly offences: (gate: Gate) => string;
}

/** Applies the program, sets `again`, and plans and applies the program a second time, with `upOptions`. */
export async function planned(
  emulator: Emulator,
  program: string,
  ...upOptions: readonly string[]
): Promise<Planned> {
  mkdirSync(path.join(WORK), { recursive: true });
  const folder = mkdtempSync(path.join(WORK, "stack-"));
  try {
    return await plannedIn(folder, emulator, program, upOptions);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function plannedIn(
  folder: string,
  emulator: Emulator,
  program: string,
  upOptions: readonly string[],
): Promise<Planned> {
  writeFileSync(path.join(folder, "index.js"), START + program);
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "planned", main: "index.js" }));
  const runtime = { name: "nodejs", options: { typescript: false } };
  writeFileSync(path.join(folder, "Pulumi.yaml"), JSON.stringify({ name: "planned", runtime, ...PLUGINS }));
  mkdirSync(path.join(folder, "state"));
  const run = async (round: number, ...args: readonly string[]) => {
    const env = {
      ...process.env,
      PULUMI_HOME: path.join(folder, "home"),
      PULUMI_BACKEND_URL: `file://${path.join(folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "planned",
      // The CLI has the option `--event-log` only if this variable is set.
      PULUMI_DEBUG_COMMANDS: "true",
      DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
      DEPLOYMENT_CONTROL_PROFILE: "langsmith",
      ROUND: `${round}`,
    };
    const allArgs = [...args, "--non-interactive", "--color", "never"];
    return promisify(execFile)("pulumi", allArgs, { cwd: folder, env, maxBuffer: 1e9 }).then(
      ({ stdout }) => ({ failed: false, text: stdout }),
      (failure) => ({ failed: true, text: failure.stdout as string, errors: failure.stderr as string }),
    );
  };
  await run(0, "stack", "init", "test");
  const first = await run(0, "up", "--yes", "--skip-preview");
  if (first.failed) throw new Error(first.text);
  const preview = previewIn((await run(1, "preview", "--json", "--show-sames")).text, "preview");
  const report = evaluate(preview);
  const log = path.join(folder, "events.json");
  const up = await run(1, "up", "--yes", "--skip-preview", "--event-log", log, ...upOptions);
  return {
    report,
    said: preview.diagnostics.map(({ urn = "", message = "" }) => `${nameIn(urn)}: ${message.trim()}`),
    result: resultOf(report, eventsIn(readFileSync(log, "utf8"), "events"), preview),
    upFailed: up.failed,
    offences: (gate) => offencesIn([report], { failOn: [gate], allow: [] }).join("\n"),
  };
}
