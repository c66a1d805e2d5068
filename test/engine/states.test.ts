import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { version } from "../../package.json";
import type { Properties } from "../../provider/fields/value";
import { CURRENT_SCHEMA, SCHEMA } from "../../provider/host/schema";
import { Deployment, Listener, Rollout, SmokeTest, TokenMetadata } from "../../sdk";
import { blemishesOf, errorsOf, exported } from "../support/engine/errorText";
import { service, stackOn, type TestStack, testStack } from "../support/engine/stack";

/** The folder of the states that released versions recorded, each with the data that the service had at that time. */
const STATES = path.join(__dirname, "..", "states");
const ADDRESS = "http://address-of-the-service.invalid";
const stateFile = (recording: string) => path.join(STATES, `${recording}.json`);
const dataFile = (recording: string) => path.join(STATES, `${recording}.service.json`);

/** The name of this version's recording. Each release and each new version of the schema needs a recording. */
const CURRENT = `${version}-schema-${CURRENT_SCHEMA}`;

/**
 * The program of the first recording. The program must not change, so that the plan can change only if the product
 * changes.
 */
function first(): { image: Deployment; repository: Deployment } {
  const cluster = new Listener("cluster", {
    computeType: "k8s",
    computeId: "cluster-1",
    computeConfig: { k8sNamespaces: ["a", "b"] },
  });
  const image = new Deployment("image", {
    name: "image",
    source: "external_docker",
    sourceConfig: {
      listenerId: cluster.id,
      resourceSpec: { minScale: 1, maxScale: 3, cpu: 1.5, labels: { team: "a" } },
    },
    sourceRevisionConfig: { imageUri: "registry.example/image:1" },
    secrets: { TOKEN: "token-value", KEY: pulumi.secret("key-value") },
    secretReferences: { REFERENCE: { secretName: "n", secretKey: "k" } },
    revisionTriggers: { t: "1" },
    rollout: { timeoutSeconds: 60 },
  });
  const repository = new Deployment("repository", {
    name: "repository",
    source: "repohost",
    sourceConfig: { integrationId: "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21", buildOnPush: true },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
    secrets: {},
  });
  return { image, repository };
}

/** The program of the later recordings, with a resource of every kind. */
function whole(address: string): void {
  const { image, repository } = first();
  new Rollout("all", { deployments: [image, repository] });
  new TokenMetadata("label", { tokenId: "token-1", providerAccountLabel: "ci" });
  new SmokeTest("greeting", {
    deploymentUrl: pulumi.interpolate`${address}/runtime/${image.id}`,
    assistantId: "echo",
    messages: [{ role: "user", content: "hello there" }],
    expect: { contains: "hello" },
    triggers: { revision: image.revisionKey },
  });
}

const programOf = (recording: string, address: string) => () =>
  void (recording === "0.1.0" ? first() : whole(address));

async function record(recording: string): Promise<void> {
  const emulator = await service({ data: dataFile(recording), listeners: ["cluster-1"] });
  emulator.addToken({ id: "token-1" });
  const stack = await stackOn(emulator);
  expect((await stack.up(programOf(recording, emulator.url))).error).toBeUndefined();
  writeFileSync(stateFile(recording), exported(stack).replaceAll(emulator.url, ADDRESS));
}

test("the repository has a recording of this version's state", async () => {
  const isKept = existsSync(stateFile(CURRENT));
  if (!isKept) await record(CURRENT);
  // If the recording is new, review it, and commit it with the change that made it necessary.
  expect({ CURRENT, isKept }).toEqual({ CURRENT, isKept: true });
});

const recordings = readdirSync(STATES).flatMap(
  (file) => file.match(/^(\d+\.\d+\.\d+(?:-schema-\d+)?)\.json$/)?.[1] ?? [],
);

interface Replayed {
  readonly stack: TestStack;
  readonly program: () => void;
}

/** A stack with the recorded state, edited by `change`, and a service with the recorded data. */
async function replayed(recording: string, change = (state: string) => state): Promise<Replayed> {
  const folder = mkdtempSync(path.join(tmpdir(), "states-"));
  folders.push(folder);
  const data = path.join(folder, "data.json");
  copyFileSync(dataFile(recording), data);
  const { emulator, stack } = await testStack({ data });
  const recorded = readFileSync(stateFile(recording), "utf8").replaceAll(ADDRESS, emulator.url);
  await stack.stack.importStack(JSON.parse(change(recorded)));
  return { stack, program: programOf(recording, emulator.url) };
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const withMembers = (members: { [name: string]: unknown }) => (state: string) =>
  JSON.stringify(JSON.parse(state), (name, value) => (name in members ? members[name] : value));

/** Removes the hidden members that may be missing from states of earlier versions. */
const older = withMembers({ __reported: undefined, __revision: undefined });

const isOurs = ({ type }: { type: string }): boolean => type.includes("dynamic/");

/** The recorded inputs and outputs of our resources. */
async function recordedIn(stack: TestStack): Promise<{ inputs: object; outputs: Properties }[]> {
  const { deployment } = await stack.stack.exportStack();
  return (deployment.resources ?? [])
    .filter(isOurs)
    .map(({ inputs, outputs }: { inputs: object; outputs: Properties }) => ({ inputs, outputs }));
}

/** The schema versions of the resources in the state. */
const schemasIn = async (stack: TestStack): Promise<Set<unknown>> =>
  new Set((await recordedIn(stack)).map(({ outputs }) => outputs[SCHEMA]));

test.each(
  recordings.flatMap((recording) => [
    [recording, "as it was", undefined] as const,
    [recording, "without hidden outputs", older] as const,
  ]),
)(
  "with the state of version %s, %s, plan and up change nothing and send nothing, even after a refresh",
  async (recording, _how, change) => {
    const { stack, program } = await replayed(recording, change);
    const plan = await stack.preview(program);
    expect([plan.error, plan.steps, plan.requests]).toEqual([undefined, {}, []]);
    const up = await stack.up(program);
    expect([up.error, up.steps, up.requests]).toEqual([undefined, {}, []]);

    const refresh = await stack.refresh();
    expect(refresh.error).toBeUndefined();
    expect(refresh.text).toContain(`${(await recordedIn(stack)).length + 1} unchanged`);
    expect(await schemasIn(stack)).toEqual(new Set([CURRENT_SCHEMA]));
    const again = await stack.preview(program);
    expect([again.error, again.steps, again.requests]).toEqual([undefined, {}, []]);
    const later = await stack.up(program);
    expect([later.error, later.steps, later.requests]).toEqual([undefined, {}, []]);
  },
);

test("every command refuses the state of a newer version, and nothing is sent or written", async () => {
  const { stack, program } = await replayed(CURRENT, withMembers({ [SCHEMA]: CURRENT_SCHEMA + 1 }));
  const before = await recordedIn(stack);
  for (const run of [
    await stack.preview(program),
    await stack.up(program),
    await stack.refresh(),
    await stack.destroy(),
  ]) {
    expect(errorsOf(run).join("\n")).toContain(
      `its state has the schema version ${CURRENT_SCHEMA + 1}, but the installed package knows only versions up to ${CURRENT_SCHEMA}`,
    );
    expect(blemishesOf(run)).toEqual([]);
    expect(run.requests).toEqual([]);
  }
  expect(await recordedIn(stack)).toEqual(before);
  expect(await schemasIn(stack)).toEqual(new Set([CURRENT_SCHEMA + 1]));
});
