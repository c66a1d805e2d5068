/**
 * The functions for a test's assertions: each refusal causes one error, and `planOf` plans an edit without an engine.
 */
import * as pulumi from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs, getRevisions } from "../../../sdk/index";
import { mocks, planOf, refusalOf, valueOf } from "../../../sdk/testing/index";
import { chatWithToken as chat } from "../../support/programArguments";

const bad: DeploymentArgs = { ...chat, source: "external_dockr" as never };

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeAll(() => process.on("unhandledRejection", note));
afterAll(() => process.off("unhandledRejection", note));
beforeEach(() => pulumi.runtime.setMocks(mocks()));
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled.splice(0)).toEqual([]);
});

test("valueOf returns the value of an output, even of a secret one", async () => {
  const deployment = new Deployment("chat", chat);
  expect(await valueOf(deployment.rolloutState)).toBe("deployed");
  expect(await valueOf(deployment.secrets)).toEqual({ TOKEN: "token-secret-value" });
  expect(await valueOf("plain")).toBe("plain");
});

test("valueOf rejects once, with the plan's words, if the resource is refused", async () => {
  const { id } = new Deployment("chat", bad);
  await expect(valueOf(id)).rejects.toThrow(/^deployment "chat": source: got "external_dockr"/);
});

test("valueOf rejects for a value that a preview does not know", async () => {
  await pulumi.runtime.setMocks(mocks(), "app", "dev", true);
  await expect(valueOf(new Deployment("chat", chat).id)).rejects.toThrow("unknown in a preview");
});

test("refusalOf returns the message that refuses a resource or look-up, and rejects if nothing is refused", async () => {
  expect(await refusalOf(() => new Deployment("chat", bad))).toMatch(/source: got "external_dockr"/);
  const deploymentId = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
  expect(await refusalOf(() => getRevisions({ deploymentId }))).toContain("the mocks have no deployment");
  const functions = { ...chat, name: (() => "chat") as never };
  expect(await refusalOf(() => new Deployment("chat", functions))).toContain("got a function");
  await expect(refusalOf(() => new Deployment("chat", chat))).rejects.toThrow("nothing was refused");
});

test.each<[string, Partial<DeploymentArgs>, object]>([
  [
    "in place",
    { sourceConfig: { resourceSpec: { minScale: 2 } } },
    {
      verdict: "in-place",
      reasons: [{ path: "sourceConfig.resourceSpec.minScale", effect: "in-place", before: 1, after: 2 }],
      line: "updates in place, no new revision (sourceConfig.resourceSpec.minScale 1 -> 2)",
    },
  ],
  [
    "a new revision",
    { sourceRevisionConfig: { imageUri: "registry.example/chat:2" } },
    { verdict: "new-revision", line: expect.stringMatching(/^creates a new revision \(source/) },
  ],
  [
    "a replacement",
    { name: "other" },
    { verdict: "replace", reasons: [{ path: "name", effect: "replace" }] },
  ],
  [
    "another secret",
    { secrets: { TOKEN: pulumi.secret("another-secret-value") } },
    {
      verdict: "may-create-revision",
      reasons: [{ path: "secrets.TOKEN", before: "[secret]", after: "[secret]" }],
    },
  ],
  ["nothing", {}, { verdict: "unchanged", reasons: [], line: "" }],
])("planOf answers as the preview would: %s", async (_, edit, planned) => {
  const plan = await planOf(chat, { ...chat, ...edit });
  expect(plan).toMatchObject(planned);
  expect(JSON.stringify(plan)).not.toContain("secret-value");
});

test("planOf hides values that the program marks secret, and rejects if the preview would refuse the arguments", async () => {
  const image = (tag: string) => ({
    sourceRevisionConfig: { imageUri: pulumi.secret(`registry.example/chat:${tag}`) },
  });
  const plan = await planOf({ ...chat, ...image("hidden-1") }, { ...chat, ...image("hidden-2") });
  expect(plan.verdict).toBe("new-revision");
  expect(JSON.stringify(plan)).not.toContain("hidden-");
  await expect(planOf(chat, bad)).rejects.toThrow(/source: got "external_dockr"/);
  const edited = { ...chat, ...image("2"), newRevisions: "forbid" as const };
  await expect(planOf(chat, edited)).rejects.toThrow(/newRevisions is "forbid"/);
});
