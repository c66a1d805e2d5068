import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import type { Call } from "../../../provider/call";
import { inputsFrom } from "../../../provider/deployment/arguments";
import { liveIn } from "../../../provider/deployment/live";
import { compared } from "../../../provider/deployment/observed";
import { createBody } from "../../../provider/deployment/request";
import { deploymentOutputs, refreshedState } from "../../../provider/deployment/state";
import { UnfinishedError } from "../../../provider/failure";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import type { Properties } from "../../../provider/schema/value";
import type { EmulatorOptions, Fault } from "../../../sdk/emulator";
import { allKeys, deploymentArguments, reordered } from "../../support/arbitraryArguments";
import { createdDeployment } from "../../support/createdDeployment";
import { heldRequests } from "../../support/embeddedService";
import { attemptFiles, journalFolder, until } from "../../support/interruptedRun";
import { chat, failureOf, type Provided, provided, URN } from "../../support/providerRun";
import { createDeployment, refreshed, updateDeployment } from "../../support/resourceCalls";
import { sharedClock } from "../../support/sharedClock";

const changed = { ...chat, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };
const polls = (fault: object): Fault => ({ ...fault, times: 500, match: { method: "GET" } }) as Fault;

/** Faults that begin after the service has answered the request. */
const FAULTS: { readonly [what: string]: Fault } = {
  "the service refuses every read": polls({ kind: "status", status: 500 }),
  "every answer is a proxy's HTML page": polls({ kind: "html" }),
  "the key is revoked": polls({ kind: "status", status: 401 }),
  "the connection breaks at every read": polls({ kind: "drop-before" }),
  "the revision fails": { kind: "revision", status: "DEPLOY_FAILED" },
};

function expectKept(error: UnfinishedError, { emulator }: Provided): void {
  expect(error).toBeInstanceOf(UnfinishedError);
  expect(error.id).toBe(emulator.deployments()[0]?.id);
  expect(error.words).not.toBe("");
  expect(JSON.parse(JSON.stringify(error.properties))).toEqual(error.properties);
  expect(error.properties).toMatchObject({ name: "chat", serviceUrl: emulator.url });
  expect(["unfinished", "failed"]).toContain(error.properties.rolloutState);
}

test.each(Object.keys(FAULTS))("after the POST, the deployment stays in the state if %s", async (what) => {
  const run = await provided({ revisionSeconds: 0.2 }, {}, sharedClock());
  await run.service.directory.named("chat");
  run.emulator.failNext(FAULTS[what] as Fault);
  expectKept(await failureOf<UnfinishedError>(createDeployment(run.session, chat)), run);
});

test.each(Object.keys(FAULTS))("after the PATCH, the deployment stays in the state if %s", async (what) => {
  const run = await provided();
  const { id, outputs } = await createDeployment(run.session, chat);
  const fault = FAULTS[what] as Fault;
  // Delays the answer to the PATCH until the faults of the later reads are set.
  run.emulator.failNext(
    fault.kind === "revision" ? fault : { kind: "delay", ms: 200, match: { method: "PATCH" } },
  );
  const update = failureOf<UnfinishedError>(updateDeployment(run.session, id, outputs, changed));
  await until(() => run.emulator.requests.some(({ method }) => method === "PATCH"));
  if (fault.kind !== "revision") run.emulator.failNext(fault);
  expectKept(await update, run);
  expect(run.emulator.deployments()[0]?.revisions).toHaveLength(2);
});

test("creations and updates succeed even if their messages cannot be delivered", async () => {
  const { session } = await provided({ revisionSeconds: 0.1 });
  const undelivered = () => Promise.reject(new Error("nobody listens"));
  Object.assign(session.reporter, { info: undelivered, warn: undelivered });
  const { id, outputs } = await createDeployment(session, chat);
  expect(outputs.rolloutState).toBe("deployed");
  expect(await updateDeployment(session, id, outputs, changed)).toMatchObject({ rolloutState: "deployed" });
});

test("if the journal's folder is lost during a request, the creation still returns the deployment", async () => {
  const journal = journalFolder();
  const { emulator, session, warnings } = await provided({}, { journal });
  const release = heldRequests();
  emulator.failNext({ kind: "delay", ms: 1, match: { method: "POST" } });
  const creating = createDeployment(session, chat);
  await until(() => emulator.requests.some(({ method }) => method === "POST"));
  const [file = ""] = attemptFiles(journal);
  rmSync(path.dirname(file), { recursive: true });
  writeFileSync(path.dirname(file), "a file where the folder was");
  release();
  expect(await creating).toMatchObject({ id: emulator.deployments()[0]?.id });
  expect(warnings().length).toBeLessThanOrEqual(1);
});

test("if the answer to a creation has an unexpected shape, the state still gets the deployment's id", async () => {
  const { emulator, session, service } = await provided();
  const odd: Properties = {
    id: "odd",
    name: 7,
    source_config: "text",
    secrets: { a: 1 },
    latest_revision_id: null,
  };
  jest.spyOn(service.endpoints, "createDeployment").mockResolvedValue(odd);
  const outcome = await createDeployment(session, { ...chat, rollout: { wait: false } }).catch(
    (error: UnfinishedError) => error,
  );
  expect(outcome.id).toBe("odd");
  expect(emulator.deployments()).toEqual([]);
});

// Values that the service fills in or rounds are not drift: a refresh keeps the recorded inputs.

const image = (resourceSpec: Properties) => ({
  __urn: URN,
  name: "image",
  source: "external_docker",
  sourceConfig: { resourceSpec },
  sourceRevisionConfig: { imageUri: "registry.example.test/a:1" },
  revisionGeneration: 1,
});
const created = (inputs: Properties, options: EmulatorOptions = {}) =>
  createdDeployment(inputs, { profile: "langsmith", ...options });

test.each<[string, Properties, EmulatorOptions, Properties]>([
  ["derives from a resource request", { cpu: 2 }, {}, { cpu_limit: 4, queue_cpu: 2 }],
  ["adds to an empty spec", {}, {}, { min_scale: 1 }],
  ["rounds", { cpu: 0.25, cpuLimit: 1.04 }, { finerCpu: "rounded" }, { cpu: 0.3, cpu_limit: 1 }],
])("values that the service %s are not drift", async (_, spec, options, stored) => {
  const inputs = image(spec);
  const run = await created(inputs, options);
  expect(run.stored()?.source_config.resource_spec).toMatchObject(stored);
  const { outputs, ...refreshOutcome } = await run.refresh();
  expect(refreshOutcome.inputs).toBeUndefined();
  expect(outputs).toMatchObject(inputs);
  expect((await run.plan(inputs, outputs)).changes).toBe(false);
});

test("a user's change to a derived limit is not drift, but a user's change to a managed resource request is drift", async () => {
  const inputs = image({ cpu: 2 });
  const { emulator, id, outputs: recorded, refresh, plan } = await created(inputs);
  emulator.change(id, { source_config: { resource_spec: { cpu_limit: 8 } } });
  expect((await plan(inputs, (await refresh()).outputs)).changes).toBe(false);
  emulator.change(id, { source_config: { resource_spec: { cpu: 4 } } });
  const { inputs: drifted, outputs = recorded } = await refresh();
  expect(drifted).toEqual({ ...image({ cpu: 4 }), __plan: refreshed("langsmith") });
  expect((await plan(inputs, outputs)).told.join()).toContain("creates a new revision");
});

const callUnder = (profile: Profile) =>
  ({ baseUrl: "https://control.example.test", profile, hidden: () => false }) as unknown as Call;

/** The service's answer to the body: the body's fields, further fields, and masked secrets. */
function resourceOf(body: Properties, extra: Properties): Properties {
  const grown = withExtra(body, extra) as Properties;
  const secrets = (body.secrets as { name: string }[]).map(({ name }) => ({ name, value: "***" }));
  return { ...(reordered(grown) as Properties), secrets, id: "1", latest_revision_id: "r1" };
}

/** Adds the members of `extra` to every object in the value, even in lists. */
function withExtra(value: unknown, extra: Properties): unknown {
  if (Array.isArray(value)) return value.map((element) => withExtra(element, extra));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withExtra(member, extra)]);
  return Object.fromEntries([...Object.entries(extra), ...members]);
}

const hidden = () => false;
const deployed = { status: "DEPLOYED", state: "deployed" } as const;
const extras = fc
  .dictionary(allKeys, fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxKeys: 2 })
  .map((extra) => Object.fromEntries(Object.entries(extra).map(([key, value]) => [`extra ${key}`, value])));

describe.each(Object.entries(PROFILES))("under the profile %s", (_name, profile) => {
  test.each(["the same revision", "another revision"])(
    "fields that the service adds are not drift in %s",
    (revision) => {
      fc.assert(
        fc.property(deploymentArguments(allKeys), extras, (args, extra) => {
          const news = inputsFrom(undefined, args, profile);
          const body = createBody(news, profile);
          const resource = resourceOf(body, extra);
          const post = { call: callUnder(profile), id: "1", state: {}, inputs: news, body };
          const state = deploymentOutputs(post, resource, deployed);
          expect(compared(news, {}, liveIn(resource, profile))).toEqual({ spelled: [], drift: [] });
          const later =
            revision === "another revision" ? { ...resource, latest_revision_id: "r2" } : resource;
          expect(refreshedState(state, liveIn(later, profile), hidden)).toEqual(state);
        }),
        { numRuns: 150 },
      );
    },
  );
});
