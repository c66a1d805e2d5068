/** Tests which of a script's arguments reach the service, and which are refused before any request is sent. */
import { BadRequestError, type ControlClient } from "../../../provider/client";
import { failureOf, json, type Served, serving } from "../../support/httpServer";
import { controlClient } from "../../support/runtimeClient";

const SECRET = "sk-live-0123456789";

async function clientOf(): Promise<{ client: ControlClient; service: Served }> {
  const service = await serving((_, response) => json(response, { id: "one" }));
  return { client: controlClient({ baseUrl: service.url }), service };
}

async function updated(change: object): Promise<unknown> {
  const { client, service } = await clientOf();
  await client.updateDeployment("one", change as never);
  return JSON.parse(service.seen[0]?.body ?? "");
}

async function refusalOf(use: (client: ControlClient) => Promise<unknown>): Promise<string> {
  const { client, service } = await clientOf();
  const error = await failureOf(use(client));
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error.message).not.toContain(SECRET);
  expect(service.seen).toEqual([]);
  return error.message;
}

test("an update without fields sends an empty body", async () => {
  expect(await updated({})).toEqual({});
  expect(await updated({ sourceConfig: undefined, secrets: undefined })).toEqual({});
});

test("secrets and secret references are sent as whole lists, in the order of their names", async () => {
  expect(
    await updated({
      secrets: { B: "two", A: "one" },
      secretReferences: { C: { secretName: "c", secretKey: "key" } },
    }),
  ).toEqual({
    secrets: [
      { name: "A", value: "one" },
      { name: "B", value: "two" },
    ],
    secret_references: [{ name: "C", secret_name: "c", secret_key: "key" }],
  });
});

test("a null clears a section, a field or a label, at any depth", async () => {
  expect(
    await updated({
      sourceRevisionConfig: null,
      secrets: null,
      sourceConfig: {
        customUrl: null,
        resourceSpec: { cpu: null, memoryMb: 512, labels: { team: null, a: "b" } },
      },
    }),
  ).toEqual({
    source_revision_config: null,
    secrets: null,
    source_config: {
      custom_url: null,
      resource_spec: { cpu: null, memory_mb: 512, labels: { team: null, a: "b" } },
    },
  });
});

test.each<[string, object, string]>([
  ["an unknown field that is null", { sourceConfg: null }, "sourceConfg: is not an argument"],
  [
    "an unknown field within a section",
    { sourceConfig: { toString: null } },
    "sourceConfig.toString: is not an",
  ],
  ["a list for a section", { sourceConfig: ["a"] }, 'sourceConfig: got ["a"] (a list)'],
  [
    "a wrong value next to a null",
    { sourceConfig: { buildOnPush: "x", customUrl: null } },
    "sourceConfig.buildOnPush",
  ],
  [
    "a bad label",
    { sourceConfig: { resourceSpec: { labels: { team: 7 } } } },
    "sourceConfig.resourceSpec.labels.team: got 7",
  ],
  ["a list for the secrets", { secrets: [SECRET] }, "secrets: got a list (secret, so not shown)"],
  ["a string for the secrets", { secrets: SECRET }, "secrets: got a string (secret, so not shown)"],
  ["a null for one secret", { secrets: { A: null } }, "secrets.A: has no value; allowed: a string"],
])("an update with %s is refused before anything is sent", async (_, change, words) => {
  expect(await refusalOf((client) => client.updateDeployment("one", change as never))).toContain(words);
});

test("a creation accepts no null, because a new deployment has nothing to clear", async () => {
  const creation = { name: "chat", source: "repohost", sourceConfig: { customUrl: null } };
  expect(await refusalOf((client) => client.createDeployment(creation as never))).toContain(
    "sourceConfig.customUrl: has no value",
  );
  expect(await refusalOf((client) => client.createDeployment({ name: "chat" } as never))).toContain(
    "source: is missing",
  );
});
