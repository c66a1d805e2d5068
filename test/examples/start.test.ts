/** Runs `npm start` twice: to the end, and until an interrupt. Neither run may leave a file or a process behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const START = path.join(__dirname, "..", "..", "tools", "start", "start.mjs");

interface Started {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly said: () => string;
  readonly code: Promise<number | null>;
  /** The files that `npm start` left behind in its temporary folder. */
  readonly leftovers: () => string[];
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function start(): Started {
  const TMPDIR = mkdtempSync(path.join(os.tmpdir(), "deployment-control-start-test-"));
  folders.push(TMPDIR);
  const child = spawn("node", [START], {
    env: { ...process.env, TMPDIR },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (words) => {
      text += words;
    });
  }
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, said: () => text, code, leftovers: () => readdirSync(TMPDIR) };
}

async function until(started: Started, words: string): Promise<void> {
  while (!started.said().includes(words)) {
    if (started.child.exitCode !== null) throw new Error(started.said());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Checks that the embedded service no longer answers at the printed address. */
async function expectNothingLeft(started: Started): Promise<void> {
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(started.said())?.[0] as string;
  await expect(fetch(url)).rejects.toThrow("fetch failed");
  expect(started.leftovers()).toEqual([]);
}

test("npm start shows two plans under each profile, and after each `pulumi up`, the service's revisions confirm the plan", async () => {
  const started = start();
  expect([await started.code, started.said()]).toEqual([0, expect.stringContaining("Done in")]);
  const story = [
    "quickstart-chat 1, quickstart-research 1",
    "updates in place, no new revision (sourceConfig.resourceSpec.minScale 1 -> 2)",
    "as planned, no new revision",
    "quickstart-chat 1 -> 1, quickstart-research 1 -> 1",
    "creates a new revision (sourceRevisionConfig.imageUri",
    "| npx --no-install deployment-control plan",
    "1 new revision, 1 unchanged",
    "new revision  generation 1 → 2",
    "as planned, a new revision",
    "quickstart-chat 1 -> 2, quickstart-research 1 -> 1",
    "leaves the deployment running",
    "on LangSmith",
    "creates a new revision (sourceConfig.resourceSpec.minScale 1 -> 2)",
    "deleted (id ",
  ];
  const places = story.map((words) => started.said().indexOf(words));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places).not.toContain(-1);
  for (const verdict of ["updates in place, no new revision (", "creates a new revision ("])
    expect(started.said().split("on LangSmith")[0]?.split(verdict)).toHaveLength(2);
  expect(started.said()).toMatch(/node_modules, dist and \.cache .* stay in the checkout/);
  await expectNothingLeft(started);
});

test("if npm start is interrupted during `pulumi up`, all processes of npm start end", async () => {
  const started = start();
  await until(started, "$ pulumi up");
  started.child.kill("SIGINT");
  expect(await started.code).toBe(130);
  await expectNothingLeft(started);
});
