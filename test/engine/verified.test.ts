/**
 * Verifies revisions through the real engine, and checks the state, the plan and the service after a right reply and
 * after a wrong reply.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../sdk/emulator/index";
import type { DeploymentArgs } from "../../sdk/index";
import { errorsOf, exported, leaksIn, placesOf } from "../support/engine/errorText";
import { Deployment, isPlugin, Rollout } from "../support/engine/form";
import { chat, lines, revisionCount } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";
import { type ProvingRuntime, provingRuntime } from "../support/provingRuntime";

const KEY = "key-of-the-deployment";
const QUESTION = "a-question-that-is-secret";

async function verified() {
  const { emulator, stack } = await testStack();
  const runtime = await provingRuntime(emulator);
  const declares = (image: string, onFailure: "fail" | "restore", more: Partial<DeploymentArgs> = {}) => {
    return () => new Deployment("chat", asking(emulator, runtime, image, onFailure, more));
  };
  await stack.up(() => new Deployment("chat", chat({ sourceRevisionConfig: { imageUri: "right-1" } })));
  return { emulator, runtime, stack, declares };
}

function asking(
  emulator: Emulator,
  runtime: ProvingRuntime,
  image: string,
  onFailure: "fail" | "restore",
  more: Partial<DeploymentArgs>,
): DeploymentArgs {
  const verify = {
    deploymentUrl: `${runtime.url}/runtime/${emulator.deployments()[0]?.id}`,
    assistantId: "echo",
    messages: [{ role: "user", content: pulumi.secret(`hello ${QUESTION}`) }],
    expect: { contains: "hello" },
    apiKey: KEY,
  };
  const sourceRevisionConfig = { imageUri: image };
  return chat({ sourceRevisionConfig, rollout: { onFailure, verify }, ...more });
}

const serving = (emulator: Emulator): string => {
  const [deployment] = emulator.deployments();
  const revision = deployment?.revisions.find(({ id }) => id === deployment.active_revision_id);
  return JSON.stringify(revision?.source_revision_config);
};

test("a wrong reply makes `pulumi up` fail, later plans show the failure even after a refresh, and nothing shows the question's secret", async () => {
  const { emulator, stack, declares } = await verified();
  const wrong = await stack.up(declares("wrong-2", "fail"));
  expect(errorsOf(wrong).join("\n")).toContain("failed verification: asked");
  expect(errorsOf(wrong).join("\n")).toContain('but got "nonsense"');
  await stack.refresh();
  const plan = await stack.preview(declares("wrong-2", "fail"));
  expect(lines(plan).join("\n")).toMatch(
    /creates a new revision \(makes it again: revision \S+ ended VERIFY_FAILED/,
  );
  const right = await stack.up(declares("right-3", "fail"));
  expect([right.error, serving(emulator), revisionCount(emulator)]).toEqual([
    undefined,
    expect.stringContaining("right-3"),
    3,
  ]);
  expect((await stack.up(declares("right-3", "fail"))).steps).toEqual({});
  const places = { ...placesOf(stack, wrong, plan, right), export: exported(stack) };
  expect(leaksIn(places, [KEY, QUESTION])).toEqual([]);
});

test("after a wrong reply, the last good revision is restored with its secrets, and the next plan shows the change", async () => {
  const { emulator, stack, declares } = await verified();
  await stack.up(declares("right-2", "restore"));
  const secrets = { OPENAI_API_KEY: "sk-second-secret-value", NEW: "brand-new-secret-value" };
  const wrong = await stack.up(declares("wrong-3", "restore", { secrets }));
  expect(errorsOf(wrong).join("\n")).toContain("were restored: deployed as revision");
  expect([serving(emulator), revisionCount(emulator)]).toEqual([expect.stringContaining("right-2"), 4]);
  expect(emulator.deployments()[0]?.secrets).toEqual([
    { name: "OPENAI_API_KEY", value: "sk-first-secret-value" },
    { name: "TOKEN", value: "token-first-secret-value" },
  ]);
  const plan = await stack.preview(declares("wrong-3", "restore", { secrets }));
  expect(lines(plan).join("\n")).toMatch(
    /creates a new revision .*imageUri right-2 -> wrong-3.*secret NEW added.*secret OPENAI_API_KEY changed/,
  );
  expect((await stack.up(declares("right-2", "restore"))).error).toBeUndefined();
  expect(revisionCount(emulator)).toBe(4);
  const places = { ...placesOf(stack, wrong, plan), export: exported(stack) };
  expect(leaksIn(places, [KEY, QUESTION, ...Object.values(secrets)])).toEqual([]);
});

test("a Rollout sends the verification questions of its deployments, and the state stores no secret from the questions in plaintext", async () => {
  const { emulator, runtime, stack } = await verified();
  const program = (image: string) => () => {
    const { rollout, ...args } = asking(emulator, runtime, image, "fail", {}) as Required<DeploymentArgs>;
    const { verify } = rollout as { verify: object };
    const deployment = new Deployment("chat", { ...args, rollout: { wait: false, verify } as never });
    const verifications = isPlugin ? { verify: { chat: verify as never } } : {};
    const { statuses } = new Rollout("all", { deployments: [deployment], ...verifications });
    return { statuses };
  };
  const wrong = await stack.up(program("wrong-2"));
  expect(errorsOf(wrong).join("\n")).toContain('rollout "all": 1 of 1 failed');
  expect(errorsOf(wrong).join("\n")).toContain('but got "nonsense"');
  const right = await stack.up(program("right-3"));
  expect([right.error, right.outputs.statuses]).toEqual([undefined, { chat: "DEPLOYED" }]);
  expect((await stack.up(program("right-3"))).steps).toEqual({});
  const places = { ...placesOf(stack, wrong, right), export: exported(stack) };
  expect(leaksIn(places, [KEY, QUESTION])).toEqual([]);
});
