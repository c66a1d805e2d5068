/** Checks the guide to an update: a real update must call the ten functions that the guide names, in the same order. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type * as providing from "../support/providerRun";
import type * as calling from "../support/resourceCalls";

const ROOT = path.join(__dirname, "..", "..");
const page = readFileSync(path.join(ROOT, "docs/guides/an-update.md"), "utf8");
const steps = [...page.matchAll(/^\d+\. \[`(\w+)`\]\(\.\.\/\.\.\/(provider\/[\w/]+)\.ts\)/gm)].map(
  ([, name = "", file = ""]) => ({ name, file: path.join(ROOT, file) }),
);

const called: string[] = [];
for (const file of new Set(steps.map((step) => step.file))) {
  jest.doMock(file, () => {
    const actual = jest.requireActual(file);
    const traced = steps
      .filter((step) => step.file === file)
      .map(({ name }) => [
        name,
        (...args: unknown[]) => {
          called.push(name);
          return actual[name](...args);
        },
      ]);
    return { ...actual, ...Object.fromEntries(traced) };
  });
}

// These modules are loaded after the mocks, so that they call the traced functions.
const { createDeployment, deployment, updateDeployment } =
  require("../support/resourceCalls") as typeof calling;
const { chat, provided } = require("../support/providerRun") as typeof providing;

test("an update calls the ten functions that the guide names, in the guide's order", async () => {
  const { session } = await provided();
  const { id, outputs } = await createDeployment(session, chat);
  called.length = 0;
  const news = { ...chat, sourceRevisionConfig: { repoRef: "next" } };
  await deployment.diff(session, id, outputs, news, true);
  await updateDeployment(session, id, outputs, news);
  expect(steps).toHaveLength(10);
  expect([...new Set(called)]).toEqual(steps.map(({ name }) => name));
});
