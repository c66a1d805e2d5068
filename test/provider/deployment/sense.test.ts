/** Warnings of a preview about values that contradict each other, although the service may accept them. */
import type { Properties } from "../../../provider/fields/value";
import { provided, sessionOn, URN } from "../../support/providerRun";
import { createDeployment, deployment } from "../../support/resourceCalls";

const scaled = (resourceSpec: Properties, source = "external_docker"): Properties => ({
  __urn: URN,
  name: "chat",
  source,
  sourceConfig: { resourceSpec },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat@sha256:1" },
});
const typed = (deploymentType: string): Properties => ({
  ...scaled({}, "internal_docker"),
  sourceConfig: { deploymentType },
});

async function warned(args: Properties, profile: "langsmith" | "contract" = "langsmith", secretPaths = {}) {
  const { session, told, warnings } = await provided({ profile });
  const { failures } = await deployment.check(session, undefined, { ...args, ...secretPaths });
  expect([failures, told.length]).toEqual([[], warnings().length]);
  return warnings().map((words) => words.slice(words.indexOf('"chat": ') + 8));
}

const SPEC = "sourceConfig.resourceSpec";
const OF = '(profile "langsmith")';

test.each<[Properties, string]>([
  [{ minScale: 3, maxScale: 2 }, `${SPEC}.minScale: got 3, over maxScale 2; allowed: at most maxScale ${OF}`],
  [
    { queueMinScale: 2, queueMaxScale: 1 },
    `${SPEC}.queueMinScale: got 2, over queueMaxScale 1; allowed: at most queueMaxScale ${OF}`,
  ],
  [{ cpu: 2, cpuLimit: 1 }, `${SPEC}.cpu: got 2, over cpuLimit 1; allowed: at most cpuLimit ${OF}`],
  [
    { redisMemoryMb: 2, redisMemoryLimitMb: 1 },
    `${SPEC}.redisMemoryMb: got 2, over redisMemoryLimitMb 1; allowed: at most redisMemoryLimitMb ${OF}`,
  ],
  [
    { minScale: 0 },
    `${SPEC}.minScale: got 0 with type prod; only deployments of type dev_zero or dev_free_zero scale to zero ${OF}`,
  ],
])("the spec %j gets a warning with the rule", async (spec, words) => {
  expect(await warned(scaled(spec))).toEqual([words]);
  expect(await warned(scaled(spec), "contract")).toEqual([]);
});

test.each(["maxScale", "minScale"])("if %s is a secret, the warning shows neither value", async (member) => {
  const spec = scaled({ minScale: 3, maxScale: 2 });
  const [words, ...others] = await warned(spec, "langsmith", { __secrets: [`${SPEC}.${member}`] });
  expect(others).toEqual([]);
  expect(words).toContain("minScale: got a value that is secret; allowed: at most maxScale");
});

test("a spec that obeys the rules gets no warning", async () => {
  expect(await warned(scaled({ minScale: 1, maxScale: 1, cpu: 1, cpuLimit: 1, memoryMb: 9 }))).toEqual([]);
});

test("a type that the profile does not know is sent with a warning, and a known type without a warning", async () => {
  expect(await warned(typed("dev_free_zero"))).toEqual([]);
  expect(await warned(typed("dev_next"))).toEqual([
    `sourceConfig.deploymentType: got "dev_next"; known: dev_free, dev, prod, dev_zero, dev_free_zero. Another one is sent as it is ${OF}`,
  ]);
  const { session, emulator } = await provided({ profile: "langsmith" });
  await createDeployment(session, typed("dev_next"));
  expect(emulator.deployments()[0]?.source_config.deployment_type).toBe("dev_next");
});

test("under the contract, check refuses an unknown type", async () => {
  const { session } = await provided();
  for (const type of ["dev_zero", "dev_next"]) {
    const { failures } = await deployment.check(session, undefined, typed(type));
    expect(JSON.stringify(failures)).toContain(`got \\"${type}\\" (a string); allowed: \\"dev_free\\"`);
  }
});

test("the plan of an update warns if minScale exceeds a maxScale that the service keeps", async () => {
  const { emulator, session } = await provided({ profile: "langsmith", defaults: false });
  const { id } = await createDeployment(session, scaled({ minScale: 1 }));
  emulator.change(id, { source_config: { resource_spec: { max_scale: 2 } } });
  const run = sessionOn(emulator, { profile: "langsmith" });
  const { outputs = {} } = await deployment.read(run.session, id, { ...scaled({ minScale: 1 }) });
  await deployment.diff(run.session, id, outputs, scaled({ minScale: 3 }), true);
  expect(run.warnings()).toEqual([
    expect.stringContaining(
      "minScale: got 3, over maxScale 2; allowed: at most maxScale, which the service has and keeps: give maxScale too",
    ),
  ]);
});
