/** Tests the plugin's lists of deployments and listeners, as Pulumi requests them. */
import type * as messages from "@pulumi/pulumi/proto/provider_pb";
import { started } from "../../../support/embeddedService";
import { Client, closeClients, provider, secret, UNKNOWN } from "../../../support/pluginClient";

afterEach(() => closeClients());

async function account(count: number) {
  const { emulator, client } = await provider();
  emulator.seed(count);
  return { emulator, client };
}

const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);

test("filters, even secret ones, are sent to the service and narrow the list; a list without entries has one empty page", async () => {
  const { emulator, client } = await account(3);
  const [third] = emulator.deployments();
  const listed = async (query: object) => (await client.list("Deployment", { query })).entries;
  expect(idsOf(await listed({ name: third?.name, status: "READY" }))).toEqual([third?.id]);
  expect(idsOf(await listed({ deploymentIds: [secret(third?.id)] }))).toEqual([third?.id]);
  expect(emulator.requests[0]?.query).toMatchObject({ name: third?.name, status: "READY" });
  expect(await listed({ name: "nothing" })).toEqual([]);
});

test.each<[string, object]>([
  ["an unknown status", { status: "READYX" }],
  ["an unknown filter", { nome: "chat" }],
  ["an id with a comma", { deploymentIds: ["a,b"] }],
  ["a value of another kind", { remoteReconciled: "yes" }],
  ["a connection that is not configured", { connection: "west" }],
])("%s is refused before any request is sent, with the message of getDeployments", async (_what, query) => {
  const { emulator, client } = await account(1);
  const tok = "deployment-control:index:getDeployments";
  const lookUpAnswer = await client.call("invoke", { tok, args: query });
  const [reason] = lookUpAnswer.getFailuresList().map((each: messages.CheckFailure) => each.getReason());
  await expect(client.list("Deployment", { query })).rejects.toMatchObject({
    message: reason.replace("getDeployments: ", "Deployment list: "),
  });
  expect(reason).toContain(Object.keys(query)[0]);
  expect(emulator.requests).toEqual([]);
});

test("a range among the filters, a token that the plugin did not make, and a type without a list are refused", async () => {
  const { emulator, client } = await account(1);
  await expect(client.list("Listener", { query: { name: "a" } })).rejects.toMatchObject({
    message: expect.stringContaining("Listener list: name: is not a filter of listeners"),
  });
  for (const type of ["Deployment", "Listener"])
    for (const query of [{ limit: 1 }, { offset: 1 }])
      await expect(client.list(type, { query })).rejects.toMatchObject({
        message: expect.stringContaining(`${type} list: ${Object.keys(query)[0]}: is not a filter of a list`),
      });
  const alike = Buffer.from('["2026",7,null]').toString("base64url");
  for (const token of ["nonsense", alike])
    await expect(client.list("Deployment", { token })).rejects.toMatchObject({
      message: `the continuation token "${token}" was not made by this provider; begin the list again without a token`,
    });
  await expect(client.list("TokenMetadata")).rejects.toMatchObject({
    message: "deployment-control cannot list resources of the type TokenMetadata",
  });
  expect(emulator.requests).toEqual([]);
});

test("if the value of a filter is still unknown, the list is unknown and no request is sent", async () => {
  const { emulator, client } = await account(1);
  expect(await client.list("Deployment", { query: { name: UNKNOWN } })).toEqual({
    entries: [],
    token: "",
    isUnknown: true,
  });
  expect(emulator.requests).toEqual([]);
});

test("the error about a refused list shows the service's refusal, but not the key", async () => {
  const emulator = await started({ apiKey: "key-of-the-account" });
  emulator.seed(1);
  const client = await Client.started({ baseUrl: emulator.url, apiKey: "another-key", journal: "off" });
  const failure = await client.list("Deployment").catch(({ message }) => message);
  expect(failure).toMatch(/^Deployment list: list deployments: GET .* answered 403/);
  expect(failure).not.toContain("another-key");
});

test("a list leaves out the service's previews, because Pulumi lists resources for import", async () => {
  const emulator = await started({ profile: "langsmith", previews: 2 });
  const ids = emulator.seed(1);
  const client = await Client.started({ baseUrl: emulator.url, profile: "langsmith", journal: "off" });
  expect(idsOf((await client.list("Deployment", {})).entries)).toEqual(ids);
});
