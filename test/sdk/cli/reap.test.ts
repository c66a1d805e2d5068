import { utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator/index";
import { cli, type Ran, type Variables, workFolder } from "../../support/adopt/command";
import { ask, created, started } from "../../support/embeddedService";
import { pendingExport, urnOf } from "../../support/recover/pendingExport";

const LONG_AGO = new Date("2020-01-01T00:00:00Z");

const preview = (name: string) => ({
  name,
  source: "external_docker",
  source_config: {},
  source_revision_config: { image_uri: "registry.example/chat:1" },
  secrets: [],
});

interface Account {
  readonly emulator: Emulator;
  /** The deployments' ids, by name. */
  readonly ids: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** Starts a service with these deployments, and forgets the requests that made the deployments. */
async function accountWith(names: readonly string[], options: EmulatorOptions = {}): Promise<Account> {
  const emulator = await started({ profile: "langsmith", ...options });
  const ids: Record<string, string> = {};
  for (const name of names) ids[name] = (await created(emulator, preview(name))).id;
  emulator.requests.length = 0;
  return { emulator, ids, folder: workFolder() };
}

/** Writes a list of names to keep, and runs the command with the list. */
function reap(
  { emulator, folder }: Account,
  keep: string,
  args: readonly string[] = [],
  variables: Variables = {},
  input = "",
): Promise<Ran> {
  writeFileSync(path.join(folder, "keep.txt"), keep);
  return bare(
    folder,
    ["--match", "chat-pr-*", "--keep", "keep.txt", ...args],
    { DEPLOYMENT_CONTROL_BASE_URL: emulator.url, DEPLOYMENT_CONTROL_PROFILE: "langsmith", ...variables },
    input,
  );
}

const bare = (folder: string, args: readonly string[], variables: Variables = {}, input = ""): Promise<Ran> =>
  cli(["reap", ...args], folder, { PATH: process.env.PATH, ...variables }, input);

const namesOn = (emulator: Emulator): string[] =>
  emulator
    .deployments()
    .map(({ name }) => name as string)
    .sort();
const methodsOn = (emulator: Emulator): string[] => [
  ...new Set(emulator.requests.map(({ method }) => method)),
];

test("without --delete, the command lists the ids of deployments without an open pull request, sends only reads, and exits with 2", async () => {
  const account = await accountWith(["chat-pr-9", "chat-pr-12", "chat"]);
  const { code, out, errors } = await reap(account, "chat-pr-12\n");
  expect({ code, errors }).toEqual({ code: 2, errors: "" });
  expect(out).toMatch(
    new RegExp(`^chat-pr-9 \\(${account.ids["chat-pr-9"]}, READY, created .*\\): is left over$`, "m"),
  );
  expect(out).toMatch(/^chat-pr-12 .*: stays: keep\.txt names it$/m);
  expect(out).not.toMatch(/^chat /m);
  expect(out).toContain("2 deployments with a name like chat-pr-*, 1 left over\n");
  expect(out).toContain("Nothing was deleted. Give --delete");
  expect(methodsOn(account.emulator)).toEqual(["GET"]);
});

test("--delete deletes the leftovers by their ids and deletes nothing else, so no leftover remains", async () => {
  const account = await accountWith(["chat-pr-9", "chat-pr-10", "chat-pr-12", "chat", "chat-production"]);
  const { code, out } = await reap(account, "# the open ones\nchat-pr-12\r\n\n", ["--delete"]);
  expect(out).toContain("3 deployments with a name like chat-pr-*, 2 left over, 2 deleted");
  expect(code).toBe(0);
  expect(namesOn(account.emulator)).toEqual(["chat", "chat-pr-12", "chat-production"]);
  const written = account.emulator.requests.flatMap(({ method, path: at }) => (method === "GET" ? [] : [at]));
  expect(written.sort()).toEqual(
    ["chat-pr-9", "chat-pr-10"].map((name) => `/v2/deployments/${account.ids[name]}`).sort(),
  );
  expect(await reap(account, "chat-pr-12\n", ["--delete"])).toMatchObject({ code: 0 });
});

test("a deployment that the service is already deleting is not deleted again", async () => {
  const account = await accountWith(["chat-pr-9"], { revisionSeconds: 3600 });
  expect((await reap(account, "# none\n", ["--delete"])).out).toMatch(/chat-pr-9 .*: is being deleted$/m);
  account.emulator.requests.length = 0;
  const { code, out } = await reap(account, "# none\n", ["--delete"]);
  expect(out).toMatch(/chat-pr-9 .*AWAITING_DELETE.*: stays: is being deleted already$/m);
  expect([code, methodsOn(account.emulator)]).toEqual([0, ["GET"]]);
});

test("under the profile contract, which has no DELETE, --delete sends no DELETE, says why and exits with 2", async () => {
  const account = await accountWith(["chat-pr-9"], { profile: "contract" });
  const contract = { DEPLOYMENT_CONTROL_PROFILE: "contract" };
  const { code, out } = await reap(account, "# none\n", ["--delete"], contract);
  expect(out).toMatch(/^chat-pr-9 .*: is left over$/m);
  expect(out).toContain('Nothing was deleted: the service of profile "contract" has no DELETE');
  expect([code, methodsOn(account.emulator)]).toEqual([2, ["GET"]]);
});

const recorded = (id: string, more: object = {}) => ({
  urn: urnOf("elsewhere"),
  id,
  inputs: {},
  outputs: {},
  ...more,
});

test("a deployment stays if a stack's state contains it, marks it for deletion, or records its pending creation", async () => {
  const account = await accountWith(["chat-pr-1", "chat-pr-2", "chat-pr-3", "chat-pr-4"]);
  const { ids, folder } = account;
  const state = pendingExport({
    settings: {},
    resources: [
      recorded((ids["chat-pr-1"] as string).toUpperCase()),
      recorded(ids["chat-pr-2"] as string, { delete: true }),
    ],
    pending: [{ type: "creating", inputs: { name: "chat-pr-3", source: "external_docker" } }],
  });
  writeFileSync(path.join(folder, "production.json"), state);
  const empty = pendingExport({ settings: {}, pending: [] });
  const states = ["--state", "production.json", "--state", "-"];
  const { code, out } = await reap(account, "# none\n", ["--delete", ...states], {}, empty);
  for (const name of ["chat-pr-1", "chat-pr-2", "chat-pr-3"])
    expect(out).toMatch(new RegExp(`^${name} .*: stays: the state in production\\.json names it$`, "m"));
  expect(out).toMatch(/^chat-pr-4 .*: is deleted$/m);
  expect(out).not.toContain("Without --state");
  expect([code, namesOn(account.emulator)]).toEqual([0, ["chat-pr-1", "chat-pr-2", "chat-pr-3"]]);
});

test("the list may come from standard input, and without stack states the command says that it compared no states", async () => {
  const account = await accountWith(["chat-pr-9", "chat-pr-12"]);
  const { code, out } = await reap(account, "", ["--keep", "-"], {}, "chat-pr-9\n");
  expect(out).toMatch(/^chat-pr-9 .*: stays: standard input names it$/m);
  expect(out).toMatch(/^chat-pr-12 .*: is left over$/m);
  expect(out).toContain("Without --state, a deployment that a stack manages");
  expect(code).toBe(2);
});

test("a deployment that is newer than the list stays, because its pull request may be newer too", async () => {
  const account = await accountWith(["chat-pr-9"]);
  const file = path.join(account.folder, "old.txt");
  writeFileSync(file, "# none\n");
  utimesSync(file, LONG_AGO, LONG_AGO);
  const { code, out } = await reap(account, "", ["--delete", "--keep", "old.txt"]);
  expect(out).toMatch(/^chat-pr-9 .*: stays: was created after old\.txt was written$/m);
  expect([code, namesOn(account.emulator)]).toEqual([0, ["chat-pr-9"]]);
});

test("a deployment that is renamed before its deletion stays", async () => {
  const account = await accountWith(["chat-pr-9"]);
  const { emulator } = account;
  const id = account.ids["chat-pr-9"] as string;
  const { requests } = emulator;
  // The service records each request before it answers the request.
  requests.push = (...added) => {
    if (added.some((request) => request.path === `/v2/deployments/${id}`))
      emulator.change(id, { name: "chat" });
    return Array.prototype.push.apply(requests, added);
  };
  const { code, out } = await reap(account, "# none\n", ["--delete"]);
  expect(out).toMatch(/^chat-pr-9 .*: stays: its name is now "chat"$/m);
  expect([code, namesOn(emulator)]).toEqual([2, ["chat"]]);
});

test("a deletion whose answer is lost still counts, because the command reads the deployment again", async () => {
  const account = await accountWith(["chat-pr-9"]);
  account.emulator.failNext({ kind: "status-after", status: 403, match: { method: "DELETE" } });
  const { code, out } = await reap(account, "# none\n", ["--delete"]);
  expect(out).toMatch(/^chat-pr-9 .*: is deleted$/m);
  expect([code, namesOn(account.emulator)]).toEqual([0, []]);
});

test("if one deletion fails, the command reports the service's words, continues with the others, and exits with 2", async () => {
  const account = await accountWith(["chat-pr-8", "chat-pr-9"]);
  account.emulator.failNext({ kind: "status", status: 403, match: { method: "DELETE" } });
  const { code, out } = await reap(account, "# none\n", ["--delete"]);
  expect(out).toMatch(/^chat-pr-8 .*: is not deleted: the service still has it \(.*403.*\)$/m);
  expect(out).toMatch(/^chat-pr-9 .*: is deleted$/m);
  expect(out).toContain("2 left over, 1 deleted");
  expect([code, namesOn(account.emulator)]).toEqual([2, ["chat-pr-8"]]);
});

test.each([
  [
    "a pattern that may match anything",
    "# none\n",
    ["--match", "*"],
    "would match deployments that are not previews",
  ],
  ["a list without a line", "", [], "keep.txt is empty"],
])("%s is refused before anything is sent", async (_title, keep, args, words) => {
  const account = await accountWith(["chat-pr-9"]);
  const { code, errors } = await reap(account, keep, ["--delete", ...args]);
  expect([code, errors]).toEqual([1, expect.stringContaining(words)]);
  expect(account.emulator.requests).toEqual([]);
});

test("for a missing option, file or address, and for a bad state, the error says what to give", async () => {
  const folder = workFolder();
  const keep = ["--keep", "-"];
  const matched = ["--match", "chat-pr-*"];
  writeFileSync(path.join(folder, "bad.json"), '{"deployment": {"resources": [{"urn": 1}]}}');
  const errorsOf = async (args: readonly string[], input = "# none\n") => {
    const { code, errors } = await bare(folder, args, {}, input);
    expect(code).toBe(1);
    return errors;
  };
  expect(await errorsOf([...keep])).toContain("--match: is missing");
  expect(await errorsOf([...matched])).toContain("--keep: is missing");
  expect(await errorsOf([...matched, "--keep", "none.txt"])).toContain("none.txt: cannot be read");
  expect(await errorsOf([...matched, ...keep, "--state", "-"])).toContain(
    "standard input can be read only once",
  );
  expect(await errorsOf([...matched, ...keep, "--state", "bad.json"])).toContain("bad.json: ");
  expect(await errorsOf([...matched, ...keep])).toContain(
    "DEPLOYMENT_CONTROL_BASE_URL is not set: reap takes",
  );
});

test("the key is never shown, not even in the error about a key that the service refuses", async () => {
  const emulator = await started({ profile: "langsmith", apiKey: "the-right-key" });
  await ask(emulator, "GET", "/v2/deployments");
  const account = { emulator, ids: {}, folder: workFolder() };
  const { code, out, errors } = await reap(account, "# none\n", [], {
    DEPLOYMENT_CONTROL_API_KEY: "canary-of-the-key",
  });
  expect([code, errors]).toEqual([1, expect.stringContaining("Check deployment-control:apiKey")]);
  expect(out + errors).not.toContain("canary-of-the-key");
});
