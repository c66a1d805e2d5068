/** Runs the script that deletes the leftovers of closed pull requests' previews, as the nightly recipes run it. */
import path from "node:path";
import type { Emulator } from "../../sdk/emulator/index";
import { ran } from "../support/adopt/command";
import { created, started } from "../support/embeddedService";
import { EXAMPLES, KEY } from "../support/examples/example";

const TWO_DAYS_AGO = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000).toISOString();

/** A service with one deployment for each name. Each deployment is two days old. */
async function serviceWith(names: readonly string[]): Promise<Emulator> {
  const emulator = await started({ profile: "langsmith" });
  for (const name of names) emulator.change((await made(emulator, name)).id, { created_at: TWO_DAYS_AGO });
  emulator.requests.length = 0;
  emulator.behaviour.apiKey = KEY;
  return emulator;
}

const made = (emulator: Emulator, name: string) =>
  created(emulator, {
    name,
    source: "external_docker",
    source_config: {},
    source_revision_config: { image_uri: "registry.example.com/chat:1" },
    secrets: [],
  });

const removeLeftOvers = (emulator: Emulator, list: string) => {
  const environment = {
    DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
    DEPLOYMENT_CONTROL_API_KEY: KEY,
    DEPLOYMENT_CONTROL_PROFILE: "langsmith",
  };
  const folder = path.join(EXAMPLES, "stackPerRequest");
  return ran(process.execPath, ["removeLeftOvers.mts"], folder, environment, list);
};

const namesOn = (emulator: Emulator): unknown[] =>
  emulator
    .deployments()
    .map(({ name }) => name)
    .sort();

test("the script deletes the previews of closed pull requests, and nothing else", async () => {
  const names = ["chat", "chat-pr-1", "chat-pr-12", "chat-pr-9", "chat-pr-draft", "my-chat-pr-9"];
  const emulator = await serviceWith(names);
  const ran = await removeLeftOvers(emulator, "# open\n12\n");
  expect(ran).toMatchObject({ code: 0, errors: "" });
  expect(ran.out).toMatch(/^chat-pr-1 \(.*\): deleted$/m);
  expect(namesOn(emulator)).toEqual(["chat", "chat-pr-12", "chat-pr-draft", "my-chat-pr-9"]);
  expect(await removeLeftOvers(emulator, "# open\n12\n")).toEqual({ code: 0, out: "", errors: "" });
});

test("a preview that is less than a day old stays, because its pull request may be newer than the list", async () => {
  const emulator = await serviceWith(["chat-pr-9"]);
  emulator.change(emulator.deployments()[0]?.id as string, { created_at: new Date().toISOString() });
  expect(await removeLeftOvers(emulator, "# open\n")).toMatchObject({ code: 0, out: "" });
  expect(namesOn(emulator)).toEqual(["chat-pr-9"]);
});

test("if the list lacks its first line because a command failed, the script sends nothing", async () => {
  const emulator = await serviceWith(["chat-pr-9"]);
  for (const list of ["", "12\n"])
    expect(await removeLeftOvers(emulator, list)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('does not begin with "# open"'),
    });
  expect(emulator.requests).toEqual([]);
});

test("if a deletion fails, the script names that deployment, deletes the remaining deployments, and exits with 1", async () => {
  const emulator = await serviceWith(["chat-pr-8", "chat-pr-9"]);
  emulator.failNext({ kind: "status", status: 403, match: { method: "DELETE" } });
  const { code, errors } = await removeLeftOvers(emulator, "# open\n");
  expect([code, errors]).toEqual([1, expect.stringMatching(/^chat-pr-\d \(.*\): stays: .*403/)]);
  expect(namesOn(emulator)).toHaveLength(1);
  expect(errors).not.toContain(KEY);
});
