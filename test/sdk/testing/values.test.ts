/** Tests valueOf and refusalOf, which users call in their tests. Each refusal causes only one error. */
import * as pulumi from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs, getRevisions } from "../../../sdk/index";
import { mocks, refusalOf, valueOf } from "../../../sdk/testing/index";
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

test("valueOf returns the value of an output, even if the output is secret", async () => {
  const deployment = new Deployment("chat", chat);
  expect(await valueOf(deployment.rolloutState)).toBe("deployed");
  expect(await valueOf(deployment.secrets)).toEqual({ TOKEN: "token-secret-value" });
  expect(await valueOf("plain")).toBe("plain");
});

test("valueOf rejects once, with the plan's words, if the resource is refused", async () => {
  const { id } = new Deployment("chat", bad);
  await expect(valueOf(id)).rejects.toThrow(/^deployment "chat": source: got "external_dockr"/);
});

test("valueOf rejects if a preview does not know the value", async () => {
  await pulumi.runtime.setMocks(mocks(), "app", "dev", true);
  await expect(valueOf(new Deployment("chat", chat).id)).rejects.toThrow("unknown in a preview");
});

test("refusalOf returns the message that refuses a resource or look-up, and rejects if nothing is refused", async () => {
  expect(await refusalOf(() => new Deployment("chat", bad))).toMatch(/source: got "external_dockr"/);
  const deploymentId = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
  expect(await refusalOf(() => getRevisions({ deploymentId }))).toContain(
    `Deployment ${deploymentId} not found`,
  );
  const functions = { ...chat, name: (() => "chat") as never };
  expect(await refusalOf(() => new Deployment("chat", functions))).toContain("got a function");
  await expect(refusalOf(() => new Deployment("chat", chat))).rejects.toThrow("nothing was refused");
});
