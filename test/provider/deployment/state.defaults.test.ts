/** Values that the service fills in or rounds are not drift: a refresh keeps the recorded inputs. */

import { planUpdate } from "../../../provider/deployment/plan";
import type { Properties } from "../../../provider/fields/value";
import type { EmulatorOptions } from "../../../sdk/emulator";
import { provided, sessionOn, URN } from "../../support/providerRun";
import { createDeployment, readDeployment, updateDeployment } from "../../support/resourceCalls";

const image = (resourceSpec: Properties, sourceConfig: Properties = {}) => ({
  __urn: URN,
  name: "image",
  source: "external_docker",
  sourceConfig: { ...sourceConfig, resourceSpec },
  sourceRevisionConfig: { imageUri: "registry.example.test/a:1" },
  revisionGeneration: 1,
});

async function applied(inputs: Properties, options: EmulatorOptions = {}) {
  const creationRun = await provided({ profile: "langsmith", ...options });
  const { id, outputs } = await createDeployment(creationRun.session, inputs);
  return { ...creationRun, id, outputs };
}

/** The state after a refresh in another run, and the verdict of the next plan. */
async function refreshed({ emulator, id, outputs }: Awaited<ReturnType<typeof applied>>, inputs: Properties) {
  const { session, service } = sessionOn(emulator, { profile: "langsmith" });
  const refreshed = await readDeployment(session, id, outputs);
  const plan = planUpdate(refreshed.outputs as Properties, inputs, service.connection.profile);
  return { found: refreshed, verdict: plan.verdict };
}

test.each<[string, Properties]>([
  ["a request without its limit", { cpu: 2 }],
  ["memory alone", { memoryMb: 512, redisMemoryMb: 256 }],
  ["a scale alone", { minScale: 2 }],
  ["the database", { dbCpu: 1, dbMemoryMb: 2048 }],
  ["labels", { labels: { team: "a" } }],
  ["nothing", {}],
])("a spec with %s shows no drift of values that the service derives", async (_, spec) => {
  const inputs = image(spec);
  const outputs = await applied(inputs);
  const stored = outputs.emulator.deployments()[0]?.source_config.resource_spec;
  expect(Object.keys(stored as object).length).toBeGreaterThan(Object.keys(spec).length + 4);
  const { found, verdict } = await refreshed(outputs, inputs);
  expect(found.inputs).toBeUndefined();
  expect(found.outputs).toMatchObject(inputs);
  expect(verdict).toBe("unchanged");
});

test("a spec that the service rounds shows no drift either", async () => {
  const inputs = image({ cpu: 0.25, cpuLimit: 1.04 });
  const outputs = await applied(inputs, { finerCpu: "rounded" });
  const stored = outputs.emulator.deployments()[0]?.source_config.resource_spec;
  expect(stored).toMatchObject({ cpu: 0.3, cpu_limit: 1 });
  const { found, verdict } = await refreshed(outputs, inputs);
  expect(found.inputs).toBeUndefined();
  expect(found.outputs).toMatchObject(inputs);
  expect(verdict).toBe("unchanged");
});

test("a derived limit that a user changes is not drift, a managed request that a user changes is", async () => {
  const inputs = image({ cpu: 2 });
  const outputs = await applied(inputs);
  outputs.emulator.change(outputs.id, { source_config: { resource_spec: { cpu_limit: 8 } } });
  expect((await refreshed(outputs, inputs)).verdict).toBe("unchanged");
  outputs.emulator.change(outputs.id, { source_config: { resource_spec: { cpu: 4 } } });
  const { found, verdict } = await refreshed(outputs, inputs);
  expect(found.inputs).toEqual(image({ cpu: 4 }));
  expect(verdict).toBe("newRevision");
});

test("an update of another field sends no spec, and an update of the spec also sends the service's unmanaged values", async () => {
  const before = image({ cpu: 2 }, { customUrl: "https://a.example.test" });
  const recorded = await applied(before);
  recorded.emulator.requests.length = 0;
  const inPlace = image({ cpu: 2 }, { customUrl: "https://b.example.test" });
  const outputs = await updateDeployment(recorded.session, recorded.id, recorded.outputs, inPlace);
  const stored = recorded.emulator.deployments()[0]?.source_config.resource_spec as object;
  await updateDeployment(recorded.session, recorded.id, outputs, image({ cpu: 1 }, inPlace.sourceConfig));
  const bodies = recorded.emulator.requests.filter(({ method }) => method !== "GET").map(({ body }) => body);
  expect(bodies).toEqual([
    { source_config: { custom_url: "https://b.example.test" } },
    { source_config: { resource_spec: { ...stored, cpu: 1 } }, source_revision_config: expect.anything() },
  ]);
});
