/** Tests unmanaged members of a resource spec, mostly on a service whose updates replace the whole spec. */
import * as fc from "fast-check";
import { resourceSpecRows } from "../../../provider/schema/resourceSpec";
import type { Properties } from "../../../provider/schema/value";
import type { EmulatorOptions } from "../../../sdk/emulator";
import { createdDeployment } from "../../support/createdDeployment";
import { failureOf, URN } from "../../support/providerRun";
import { createDeployment, deployment } from "../../support/resourceCalls";

const scaled = (resourceSpec: Properties | undefined): Properties => ({
  __urn: URN,
  name: "chat",
  source: "external_docker",
  sourceConfig: { customUrl: "https://chat.example.test", ...(resourceSpec && { resourceSpec }) },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.0.0" },
  revisionGeneration: 1,
});

const QUIET = { profile: "langsmith", defaults: false } as const;

async function running(spec: Properties | undefined, options: EmulatorOptions = QUIET, settings = {}) {
  const created = await createdDeployment(scaled(spec), options, settings);
  const { emulator, id, stored } = created;
  const storedSpec = () => stored()?.source_config.resource_spec;
  const byHand = (members: Properties) => emulator.change(id, { source_config: { resource_spec: members } });
  return { ...created, stored: storedSpec, byHand };
}

const STRANGE = { x_new: { of: ["a", 1, null] }, y: "" };

test("an update keeps the unmanaged members, one GET reads them, and the plan's line names them", async () => {
  const { stored, byHand, refresh, plan, update, sent, warnings } = await running({ minScale: 1 });
  byHand({ queue_cpu: 2, labels: { team: "chat" }, ...STRANGE });
  const { outputs: state = {} } = await refresh();
  const news = scaled({ minScale: 2 });
  expect((await plan(news, state)).told.join()).toContain(
    "creates a new revision (sourceConfig.resourceSpec.minScale 1 -> 2); resourceSpec also keeps queueCpu 2, labels, x_new, y",
  );
  sent();
  await update(news, state);
  const [ahead, call] = ["GET /v2/deployments/ID", "POST /v2/deployments/ID/revisions"];
  // The last request is the read that ends the wait.
  expect(sent()).toEqual([ahead, call, "GET /v2/deployments"]);
  expect(stored()).toEqual({ min_scale: 2, queue_cpu: 2, labels: { team: "chat" }, ...STRANGE });
  expect(warnings()).toEqual([]);
});

test("an update keeps the keys that another tool added to a map, even if the program drops the map", async () => {
  const { stored, byHand, update } = await running({ minScale: 1, labels: { a: "1", b: "2" } });
  byHand({ labels: { team: "chat" } });
  const state = await update(scaled({ minScale: 1, labels: { a: "1" } }));
  expect(stored()).toEqual({ min_scale: 1, labels: { a: "1", team: "chat" } });
  await update(scaled({ minScale: 1 }), state);
  expect(stored()).toEqual({ min_scale: 1, labels: { team: "chat" } });
});

test("an update of one label refuses to undo another tool's change of a second label", async () => {
  const { stored, byHand, update, outputs } = await running({ labels: { a: "1", b: "1" } });
  byHand({ labels: { a: "1", b: "9" } });
  const { message } = await failureOf(update(scaled({ labels: { a: "2", b: "1" } })));
  expect(message).toContain(
    "settings that this plan did not compare: sourceConfig.resourceSpec.labels.b. Run",
  );
  expect(stored()).toEqual({ labels: { a: "1", b: "9" } });
  byHand({ labels: { b: null } });
  const dropped = { ...outputs, observed: { sourceConfig: { resourceSpec: { labels: { b: null } } } } };
  await update(scaled({ labels: { a: "3", b: "1" } }), dropped);
  byHand({ labels: { b: null } });
  const removed = await failureOf(update(scaled({ labels: { a: "2", b: "1" } })));
  expect(removed.message).toContain("did not compare: sourceConfig.resourceSpec.labels.b. Run");
});

test("the plan announces unmanaged members even if no answer has shown them yet", async () => {
  const { plan } = await running({ minScale: 1 });
  expect((await plan(scaled({ minScale: 2 }))).told.join()).toContain(
    "(sourceConfig.resourceSpec.minScale 1 -> 2); resourceSpec also keeps what else the service has",
  );
});

test("after an update of other fields, the state still has its record of the spec, although the answer has no spec", async () => {
  const { byHand, refresh, plan, update } = await running({ cpu: 1 });
  byHand({ queue_cpu: 2, ...STRANGE });
  const { outputs: state = {} } = await refresh();
  const image = { sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.1.0" } };
  const news = { ...scaled({ cpu: 1 }), ...image, rollout: { wait: false } };
  const after = await update(news, state);
  expect((await plan({ ...news, ...scaled({ cpu: 2 }), ...image }, after)).told.join()).toContain(
    "resourceSpec also keeps queueCpu 2, x_new, y",
  );
});

test("a service that merges the spec gets only the managed members", async () => {
  const { emulator, byHand, plan, update } = await running({ cpu: 1 }, { defaults: false });
  byHand({ queue_cpu: 2 });
  emulator.requests.length = 0;
  expect((await plan(scaled({ cpu: 2 }))).told.join()).not.toContain("also keeps");
  await update(scaled({ cpu: 2 }));
  expect(emulator.requests.map(({ method, body }) => [method, body])).toEqual([
    ["PATCH", { source_config: { custom_url: "https://chat.example.test", resource_spec: { cpu: 2 } } }],
  ]);
});

test("an adopted deployment keeps its unmanaged members, and the plan names them", async () => {
  const { id, stored, byHand, later } = await running({ cpu: 1 });
  byHand({ queue_cpu: 2, ...STRANGE });
  const run = later();
  const inputs = { ...scaled({ cpu: 2 }), adopt: id };
  await deployment.check(run.session, undefined, inputs);
  expect(run.told.join()).toContain("cpu 1 -> 2); resourceSpec also keeps queueCpu 2, x_new, y");
  await createDeployment(run.session, inputs);
  expect(stored()).toEqual({ cpu: 2, queue_cpu: 2, ...STRANGE });
});

test("an update repeats a limit that the service derived from a resource request, until that request exceeds the limit", async () => {
  const { stored, update } = await running({ cpu: 1 }, { profile: "langsmith" });
  expect(stored()).toMatchObject({ cpu: 1, cpu_limit: 2, queue_cpu: 1 });
  const two = await update(scaled({ cpu: 2 }));
  expect(stored()).toMatchObject({ cpu: 2, cpu_limit: 2, queue_cpu: 1 });
  const back = await update(scaled({ cpu: 1 }), two);
  await update(scaled({ cpu: 4 }), back);
  expect(stored()).toMatchObject({ cpu: 4, cpu_limit: 8, queue_cpu: 1, queue_cpu_limit: 2 });
});

test("an update sends nothing if the spec cannot be read", async () => {
  const { emulator, update, sent } = await running({ cpu: 1 }, QUIET, { maxRetries: "0" });
  emulator.failNext({ kind: "status", status: 500, match: { method: "GET" }, times: 9 });
  const failure = await failureOf(update(scaled({ cpu: 2 })));
  expect(failure.message).toContain("500");
  expect(sent().filter((each) => each.startsWith("PATCH"))).toEqual([]);
});

const NUMBERS = Object.entries(resourceSpecRows)
  .filter(([name, { kind }]) => ["integer", "number"].includes(kind.type) && !name.startsWith("redis"))
  .map(([name, { wire }]) => ({ name, wire: wire as string }));
const wiresOf = (names: readonly string[]) =>
  NUMBERS.filter(({ name }) => names.includes(name)).map(({ wire }) => wire);
const without = (properties: Properties, names: readonly string[]) =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));

const memberName = fc.constantFrom(...NUMBERS.map(({ name }) => name));

/**
 * The program's values are even. Values that are set by hand are odd and all different, so none of them equals a value
 * that the service would derive.
 */
const drawn = fc.record({
  managed: fc.dictionary(memberName, fc.constantFrom(2, 4, 6, 8), { maxKeys: 8, noNullPrototype: true }),
  byHand: fc
    .uniqueArray(memberName, { maxLength: 4 })
    .map((names) => Object.fromEntries(names.map((name, index) => [name, 2 * index + 1]))),
  strange: fc.dictionary(
    fc.stringMatching(/^x_[a-z]{1,3}$/),
    // Turns minus zero into zero, because JSON has no minus zero.
    fc
      .jsonValue()
      .map((value) => JSON.parse(JSON.stringify(value)))
      .filter((value) => value !== null),
    { maxKeys: 3, noNullPrototype: true },
  ),
});

test("300 random updates remove each member that the program removes, and lose no unmanaged member", async () => {
  const { outputs, stored, byHand, update } = await running({ minScale: 2 });
  let state = outputs;
  let [updates, kept] = [0, 0];
  const property = fc.asyncProperty(drawn, async ({ managed, byHand: hand, strange }) => {
    const before = Object.keys((state.sourceConfig as Properties).resourceSpec ?? {});
    const numbers = Object.entries(without(hand, before)).map(([name, value]) => [...wiresOf([name]), value]);
    const present = Object.keys(without(stored() as Properties, wiresOf(before)));
    byHand({ ...Object.fromEntries(present.map((wire) => [wire, null])), ...strange });
    byHand(Object.fromEntries(numbers));
    const unmanagedSpec = without(structuredClone(stored()) as Properties, wiresOf(before));
    const spec = Object.keys(managed).length > 0 ? managed : undefined;
    state = await update({ ...scaled(spec), rollout: { wait: false } }, state);
    const managedValues = Object.entries(managed).map(([name, value]) => [...wiresOf([name]), value]);
    expect(stored()).toEqual({ ...unmanagedSpec, ...Object.fromEntries(managedValues) });
    updates += 1;
    kept += Object.keys(unmanagedSpec).length;
  });
  await fc.assert(property, { numRuns: 300 });
  expect(kept).toBeGreaterThan(2 * updates);
});
