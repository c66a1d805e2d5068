// `npm start`: runs the quick start with the real Pulumi CLI against the embedded service, and leaves nothing behind
// except the files that it installed and built.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { ensureBuilt, ensureInstalled } from "../build/ensure.mjs";
import { fail, root, Stop } from "../steps.mjs";
import { findPulumi, hasPulumi, pulumiVersion } from "../toolchain/pulumi.mjs";
import { catchInterruptions, codeOfInterruption, Interrupted } from "./children.mjs";
import { bold, stackOf, summary } from "./shown-pulumi.mjs";

const began = Date.now();
const write = (...lines) => process.stdout.write(`${lines.join("\n")}\n`);
const apply = ["up", "--yes", "--skip-preview"];

async function story(service, stack) {
  heading(
    "1. Create",
    "A listener (a cluster) is taken over, two deployments are created on it; up waits until they run.",
  );
  await stack.show(apply, { only: summary });
  const created = revisionsOn(service);
  expectRevisions(created, { "quickstart-chat": 1, "quickstart-research": 1 });

  heading(
    "2. Change a field of sourceConfig: the plan promises that no revision is made",
    "More replicas of chat. That must not interrupt anybody's conversation, and the plan says beforehand that it does not.",
  );
  const scaled = await scaledUp(service, stack, created);
  expectRevisions(scaled, { "quickstart-chat": 1, "quickstart-research": 1 });

  heading(
    "3. Change a field of sourceRevisionConfig: the plan announces a new revision",
    "A new image for chat. What depends on the revision changes with it, here `announced`, and nothing else does.",
  );
  await stack.show(["config", "set", "quickstart:imageTag", "1.1.0"]);
  await stack.show(["preview"], { only: summary });

  heading("4. Review it: the same plan as a report", "In a pull request it is a comment, in CI a gate.");
  await stack.showReport();

  heading("5. Apply it: the plan was right", "up compares what the service did with what the plan said.");
  await stack.show(apply, { only: summary });
  expectRevisions(revisionsOn(service, scaled), { "quickstart-chat": 2, "quickstart-research": 1 });

  heading(
    "6. Destroy",
    "The service has no call for deleting: the deployments stay, and Pulumi says where instead of pretending.",
  );
  await stack.show(["destroy", "--yes", "--skip-preview"], { only: summary });
}

async function storyOnLangSmith(service, stack) {
  heading(
    "7. The same program on LangSmith",
    "There a change of scale makes a revision too, and the plan says so; destroy deletes.",
  );
  await stack.show(apply, { only: summary });
  const created = revisionsOn(service);
  const scaled = await scaledUp(service, stack, created);
  expectRevisions(scaled, { "quickstart-chat": 2, "quickstart-research": 1 });
  await stack.show(["destroy", "--yes", "--skip-preview"], { only: summary });
  if (service.deployments().length > 0) throw new Stop("destroy has left deployments on the service");
}

/** Plans and applies more replicas of chat. Returns the service's counts of revisions. */
async function scaledUp(service, stack, before) {
  await stack.show(["config", "set", "quickstart:minScale", "2"]);
  await stack.show(["preview"], { only: summary });
  await stack.show(apply, { only: summary });
  return revisionsOn(service, before);
}

function heading(title, why) {
  write(bold(`━━ ${title}`), `   ${why}`, "");
}

/**
 * Shows the service's counts of revisions next to the counts in `before`. The counts prove that the plan was right.
 */
function revisionsOn(service, before = {}) {
  const counts = service
    .deployments()
    .map(({ name, revisions }) => [name, revisions.length])
    .sort();
  const shown = counts.map(
    ([name, count]) => `${name} ${name in before ? `${before[name]} -> ` : ""}${count}`,
  );
  write(bold(`The service counts its revisions: ${shown.join(", ")}`), "");
  return Object.fromEntries(counts);
}

function expectRevisions(counts, expected) {
  const wrong = Object.entries(expected).find(([name, count]) => counts[name] !== count);
  if (wrong)
    throw new Stop(`the plan was wrong: ${wrong[0]} has ${counts[wrong[0]]} revisions, not ${wrong[1]}`);
}

/** Runs `story`, a part of the quick start, in a folder of `home`, against a new service with this profile. */
async function tell(home, profile, story) {
  const key = randomBytes(12).toString("hex");
  // `ensureBuilt` builds this module, so the module is loaded late.
  const { startEmulator } = createRequire(import.meta.url)("../../dist/sdk/emulator/index.js");
  const service = await startEmulator({
    profile,
    apiKey: key,
    hosting: "self-hosted",
    revisionSeconds: 2,
    revisionStatuses: ["CREATING", "DEPLOYING", "DEPLOYED"],
    listeners: ["quickstart-cluster"],
  });
  try {
    const stack = await stackOf(path.join(root, "examples", "quickstart"), path.join(home, profile));
    await stack.keep("deployment-control:baseUrl", service.url);
    await stack.keep("deployment-control:profile", profile);
    await stack.keep("deployment-control:apiKey", key, { secret: true });
    write(
      `The quick start (examples/quickstart) with Pulumi ${findPulumi().version}, for real, against a service embedded here: ${service.url}`,
      "",
    );
    await story(service, stack);
  } finally {
    await service.close();
  }
}

let home;
try {
  if (!hasPulumi())
    write(
      `There is no Pulumi CLI ${pulumiVersion} or later on the PATH, so this first run gets one for the checkout alone: a`,
      "download takes 1 minute, a build with Go 3 to 6 minutes, or seconds if Go has built it before. Each later run takes less than a minute.",
    );
  ensureInstalled();
  ensureBuilt();
  findPulumi();
  catchInterruptions();
  home = fs.mkdtempSync(path.join(os.tmpdir(), "deployment-control-start-"));
  await tell(home, "contract", story);
  await tell(home, "langsmith", storyOnLangSmith);
} catch (error) {
  fail(error);
  if (error instanceof Interrupted) process.exitCode = codeOfInterruption();
} finally {
  if (home) fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
const seconds = ((Date.now() - began) / 1000).toFixed(0);
if (!process.exitCode) {
  write(
    `Done in ${seconds} s. The service is stopped and the temporary folder with Pulumi's state deleted.`,
    "node_modules, dist and .cache (with the Pulumi CLI, if this run downloaded it) stay in the checkout for the next run; delete them",
    "if you do not need them. npm, and Go if it built the CLI, keep what they downloaded in their own caches.",
    "To try it by hand, with every property in the plan (`pulumi preview --diff`): examples/quickstart/README.md",
  );
}
