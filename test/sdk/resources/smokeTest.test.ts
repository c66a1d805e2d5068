import * as pulumi from "@pulumi/pulumi";
import { Deployment, Rollout, SmokeTest } from "../../../sdk/index";
import * as testing from "../../../sdk/testing/index";

const question = {
  assistantId: "echo",
  messages: [{ role: "user", content: "hello" }],
  expect: { contains: "hello" },
};

beforeEach(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({
      id: `${name}-id`,
      state: { ...inputs, url: "https://chat.example", revisionGeneration: 3 },
    }),
    call: () => ({}),
  }),
);

const declareChat = () => new Deployment("chat", { name: "chat", source: "external_docker" });

test("a smoke test of a deployment asks its question at the deployment's address, and asks again for each new revision", async () => {
  const { deploymentUrl, triggers } = new SmokeTest("greeting", { ...question, deployment: declareChat() });
  expect(await testing.valueOf(deploymentUrl)).toBe("https://chat.example");
  expect(await testing.valueOf(triggers)).toEqual({ deployment: "chat-id:3" });
});

test.each([
  ["deploymentUrl", { deploymentUrl: "https://other.example" }],
  ["triggers", { triggers: { model: "a" } }],
  ["deploymentUrl and triggers", { deploymentUrl: "https://other.example", triggers: {} }],
])("the argument deployment together with %s is refused, and the error says which to keep", (both, args) => {
  const declare = () =>
    new SmokeTest("greeting", { ...question, deployment: declareChat(), ...args } as never);
  expect(declare).toThrow(
    `SmokeTest "greeting": deployment: is set beside ${both}. Set only deployment for a deployment of this program`,
  );
  expect(declare).toThrow("only the others for any other address");
});

test("a smoke test is refused if its argument `deployment` is not a Deployment of the program", () => {
  expect(() => new SmokeTest("greeting", { ...question, deployment: "chat" } as never)).toThrow(
    'SmokeTest "greeting": deployment: allowed: a Deployment resource of this program',
  );
});

test("a smoke test of a deployment whose rollout nobody awaits is refused, unless the test depends on another resource", () => {
  const rollout = { wait: false };
  const chat = new Deployment("chat", { name: "chat", source: "external_docker", rollout });
  const declare = (options?: pulumi.CustomResourceOptions) =>
    new SmokeTest("greeting", { ...question, deployment: chat }, options);
  expect(declare).toThrow("has rollout.wait false, so the test would ask its old revision. Set the option");
  expect(() => declare({ dependsOn: new Rollout("all", { deployments: [chat] }) })).not.toThrow();
});
