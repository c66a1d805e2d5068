/** Tests the claims of several provider processes in one run. Each `Keepers` stands for a process. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { ConfigurationError } from "../../../provider/client/errors";
import { claimsFile, Keepers } from "../../../provider/run/keepers";
import { SERVICE, URN } from "../../support/journalFolder";
import { onUnix } from "../../support/systems";

const os = jest.requireActual<typeof import("node:os")>("node:os");
const ID = "d-1";
const OTHER = `${URN}-2`;

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(path.join(os.tmpdir(), "keepers-"));
  jest.spyOn(os, "tmpdir").mockReturnValue(temporary);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(temporary, { recursive: true, force: true });
});

/** A process of the run whose engine has this address. */
const on = (engine: string) => new Keepers(SERVICE, claimsFile(engine));
const only = (folder: string) => path.join(folder, readdirSync(folder)[0] as string);
const root = () => only(temporary);
const runFolder = () => only(root());

test("a process sees the claims of the other processes of its run, and cannot claim an id that another resource has claimed", () => {
  const [first, second] = [on("127.0.0.1:1"), on("127.0.0.1:1")];
  expect(first.claim(ID, URN)).toBeUndefined();
  expect([second.of(ID), second.here.get(ID)]).toEqual([URN, undefined]);
  expect(second.claim(ID, OTHER)).toBe(URN);
  // The refused claim changes nothing.
  expect([first.of(ID), on("127.0.0.1:1").of(ID)]).toEqual([URN, URN]);
  expect(second.of("d-2")).toBeUndefined();
});

test("another process may claim an id after the id is released, and one resource may claim an id in two processes", () => {
  const [first, second] = [on("127.0.0.1:1"), on("127.0.0.1:1")];
  first.claim(ID, URN);
  expect(second.claim(ID, URN)).toBeUndefined();
  second.release(ID, URN);
  expect(second.of(ID)).toBe(URN);
  first.release(ID, OTHER);
  expect(second.of(ID)).toBe(URN);
  first.release(ID, URN);
  expect(second.claim(ID, OTHER)).toBeUndefined();
  expect(first.of(ID)).toBe(OTHER);
});

test("an engine does not see the claims of another engine or of an earlier engine at the same address", () => {
  const earlier = on("127.0.0.1:1");
  earlier.claim(ID, URN);
  expect(on("127.0.0.1:2").of(ID)).toBeUndefined();
  const later = on("127.0.0.1:1");
  expect(later.of(ID)).toBe(URN);
  const { pid } = spawnSync(process.execPath, ["--version"]);
  for (const folder of readdirSync(root()).map((name) => path.join(root(), name)))
    for (const name of readdirSync(folder))
      renameSync(path.join(folder, name), path.join(folder, name.replace(/^\d+/, String(pid))));
  expect(later.of(ID)).toBeUndefined();
  expect(later.claim(ID, OTHER)).toBeUndefined();
});

test("a claim's file holds only a hash and a URN, is readable only by the user, and is removed after a day", () => {
  on("127.0.0.1:1").claim(ID, URN);
  const folder = runFolder();
  expect(readFileSync(only(folder), "utf8")).toMatch(new RegExp(`^[0-9a-f]{32} ${URN}\n$`));
  if (process.geteuid !== undefined) {
    const modes = [root(), folder, only(folder)].map((place) => statSync(place).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o600]);
  }
  const hoursAgo = (hours: number) => utimesSync(folder, Date.now() / 1000, Date.now() / 1000 - hours * 3600);
  hoursAgo(23);
  on("127.0.0.1:2");
  expect(readdirSync(root())).toContain(path.basename(folder));
  hoursAgo(25);
  on("127.0.0.1:3");
  expect(readdirSync(root())).not.toContain(path.basename(folder));
});

test("without an engine, nothing is written", () => {
  const keepers = new Keepers(SERVICE, undefined);
  expect(keepers.claim(ID, URN)).toBeUndefined();
  expect([keepers.claim(ID, OTHER), keepers.of(ID)]).toEqual([URN, URN]);
  expect(readdirSync(temporary)).toEqual([]);
});

onUnix("a folder of another user is not used, and the error says what to set", () => {
  on("127.0.0.1:1");
  const uid = process.geteuid?.() ?? 0;
  // The folder's name is computed for this user, and the owner is then compared with another user.
  jest
    .spyOn(process, "geteuid")
    .mockReturnValueOnce(uid)
    .mockReturnValue(uid + 1);
  const open = () => on("127.0.0.1:1");
  expect(open).toThrow(ConfigurationError);
  expect(open).toThrow(/belongs to another user .*Set TMPDIR to a folder of your own that can be written$/);
});

test("if the temporary folder cannot be written, the error says what to set", () => {
  jest.spyOn(os, "tmpdir").mockReturnValue(__filename);
  const open = () => on("127.0.0.1:1");
  expect(open).toThrow(ConfigurationError);
  expect(open).toThrow(/^E[A-Z]+: .*Set TMPDIR to a folder of your own that can be written$/);
});
