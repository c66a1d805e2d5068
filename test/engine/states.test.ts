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
import { Deployment, Listener } from "../../sdk";
import { exported } from "./errorText";
import { closeAll, service, stackOn } from "./stack";

afterEach(() => closeAll());

/** What released versions have recorded, with the data of the service that they recorded it from. */
const STATES = path.join(__dirname, "..", "states");
const ADDRESS = "http://address-of-the-service.invalid";
const stateFile = (release: string) => path.join(STATES, `${release}.json`);
const dataFile = (release: string) => path.join(STATES, `${release}.service.json`);

/** The program of every release: what it uses stays as it is, so that whatever a plan shows is our doing. */
function program(): void {
  const cluster = new Listener("cluster", {
    computeType: "k8s",
    computeId: "cluster-1",
    computeConfig: { k8sNamespaces: ["a", "b"] },
  });
  new Deployment("image", {
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
  new Deployment("repository", {
    name: "repository",
    source: "repohost",
    sourceConfig: { integrationId: "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21", buildOnPush: true },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
    secrets: {},
  });
}

async function record(release: string): Promise<void> {
  const emulator = await service({ data: dataFile(release), listeners: ["cluster-1"] });
  const stack = await stackOn(emulator);
  expect((await stack.up(program)).error).toBeUndefined();
  writeFileSync(stateFile(release), exported(stack).replaceAll(emulator.url, ADDRESS));
}

test("the state that this version records is kept", async () => {
  const isKept = existsSync(stateFile(version));
  if (!isKept) await record(version);
  // A recording that has just been made is to be looked at, and committed with the release.
  expect({ version, isKept }).toEqual({ version, isKept: true });
});

const releases = readdirSync(STATES).flatMap((file) => file.match(/^(\d+\.\d+\.\d+)\.json$/)?.[1] ?? []);

/** Without the hidden members that a version before it may not have known. */
function older(state: string): string {
  const hidden = ["__reported", "__revision"];
  return JSON.stringify(JSON.parse(state), (name, value) => (hidden.includes(name) ? undefined : value));
}

test.each(
  releases.flatMap((release) => [
    [release, "as it was"] as const,
    [release, "without hidden outputs"] as const,
  ]),
)(
  "what version %s recorded, %s, is read with no change, no replacement and no request",
  async (release, how) => {
    const folder = mkdtempSync(path.join(tmpdir(), "states-"));
    const data = path.join(folder, "data.json");
    copyFileSync(dataFile(release), data);
    const emulator = await service({ data });
    const stack = await stackOn(emulator);
    const recorded = readFileSync(stateFile(release), "utf8").replaceAll(ADDRESS, emulator.url);
    await stack.stack.importStack(JSON.parse(how === "as it was" ? recorded : older(recorded)));
    const plan = await stack.preview(program);
    expect([plan.error, plan.steps, plan.requests]).toEqual([undefined, {}, []]);
    expect((await stack.refresh()).error).toBeUndefined();
    const up = await stack.up(program);
    expect([up.error, up.steps]).toEqual([undefined, {}]);
    expect(up.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  },
);
