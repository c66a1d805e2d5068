import type { ControlClient } from "../../../provider/client";
import type { Emulator } from "../../../sdk/emulator";
import { started } from "../../support/embeddedService";
import { controlClient } from "../../support/runtimeClient";

async function clientOf(): Promise<{ client: ControlClient; emulator: Emulator }> {
  const emulator = await started();
  return { client: controlClient({ baseUrl: emulator.url }), emulator };
}

const requestedPages = (emulator: Emulator) =>
  emulator.requests.map(({ query }) => [Number(query.limit), Number(query.offset)]);

test("a list sends requests only for the pages that its reader needs", async () => {
  const { client, emulator } = await clientOf();
  emulator.seed(250);
  const names = new Set<string>();
  for await (const { name } of client.listDeployments()) names.add(name);
  expect(names.size).toBe(250);
  expect(requestedPages(emulator)).toEqual([
    [100, 0],
    [100, 100],
    [100, 200],
  ]);
  emulator.requests.length = 0;
  for await (const _ of client.listDeployments({ pageSize: 10 })) break;
  expect(requestedPages(emulator)).toEqual([[10, 0]]);
});

test("a limit caps the whole result, and no request has a larger limit", async () => {
  const { client, emulator } = await clientOf();
  emulator.seed(250);
  expect(await client.listDeployments({ limit: 120 })).toHaveLength(120);
  expect(requestedPages(emulator)).toEqual([
    [100, 0],
    [100, 100],
  ]);
  emulator.requests.length = 0;
  expect(await client.listDeployments({ limit: 5, offset: 20 })).toHaveLength(5);
  expect(requestedPages(emulator)).toEqual([[5, 20]]);
});

test("a full page of deployments proves that the service can fill pages of deployments, but proves nothing about pages of revisions", async () => {
  const { client, emulator } = await clientOf();
  const [id = ""] = emulator.seed(150);
  await client.listDeployments();
  emulator.requests.length = 0;
  await client.listDeployments({ name: "seed-0001" });
  expect(emulator.requests).toHaveLength(1);
  await client.listRevisions(id);
  expect(emulator.requests).toHaveLength(3);
});

test("the same list can be read twice", async () => {
  const { client, emulator } = await clientOf();
  emulator.seed(3);
  const list = client.listDeployments();
  expect((await list).length + (await list).length).toBe(6);
});

test.each([
  [{ pageSize: 0 }, "pageSize: got 0; allowed: an integer from 1 to 100"],
  [{ pageSize: 101 }, "pageSize: got 101"],
  [{ pageSize: 1.5 }, "pageSize: got 1.5"],
  [{ pageSize: "10" }, 'pageSize: got "10"'],
  [{ limit: 0 }, "limit: got 0; allowed: an integer of at least 1"],
  [{ limit: Number.NaN }, "limit: got NaN"],
  [{ offset: -1 }, "offset: got -1; allowed: an integer of at least 0"],
])("every list refuses the range %j, and the error names the bad bound", async (range, words) => {
  const { client, emulator } = await clientOf();
  for (const list of [
    () => client.listDeployments(range as never),
    () => client.listRevisions("id", range as never),
    () => client.listListeners(range as never),
  ]) {
    expect(list).toThrow(RangeError);
    expect(list).toThrow(words);
  }
  expect(emulator.requests).toHaveLength(0);
});
