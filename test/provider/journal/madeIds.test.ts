import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Entry, placeOf } from "../../../provider/journal/entry";
import { MadeIds, MEMORY_MS } from "../../../provider/journal/madeIds";
import { entry, filesIn, freshFolder, SERVICE } from "../../support/journalFolder";
import { onUnix } from "../../support/systems";

const entryWith = (id: string, changes: Partial<Entry> = {}): Entry => ({ ...entry, ...changes, id });
const modeOf = (file: string) => statSync(file).mode & 0o777;

function writeEntry(root: string, each: Entry, text = JSON.stringify(each)): string {
  const file = path.join(root, ...placeOf(each));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test("recorded ids count as closed in every process, but only for the service on which the deployments were made", async () => {
  const root = freshFolder();
  const [madeIds, other] = [new MadeIds(root), new MadeIds(root)];
  expect(madeIds.isClosed(SERVICE, "1")).toBe(false);
  madeIds.remember(entryWith("1"));
  madeIds.remember(entryWith("2"));
  other.remember(entryWith("3"));
  other.remember(entryWith("4"));
  for (const reader of [madeIds, other, new MadeIds(root)])
    for (const id of ["1", "2", "3", "4"]) expect(reader.isClosed(SERVICE, id)).toBe(true);
  expect(madeIds.isClosed(SERVICE, "5")).toBe(false);
  expect(madeIds.isClosed("https://other.example.test", "1")).toBe(false);
  expect(new MadeIds(freshFolder()).isClosed(SERVICE, "1")).toBe(false);
});

onUnix("each process writes its own file, readable only by its owner, without ids in plaintext", async () => {
  const root = freshFolder();
  new MadeIds(root).remember(entryWith("id-in-clear"));
  const files = filesIn(root).map((file) => path.join(root, file));
  expect(files.map((file) => path.dirname(file))).toEqual([path.join(root, "closed")]);
  for (const file of files) {
    expect(readFileSync(file, "utf8")).toMatch(/^[0-9a-f]{32}\n$/);
    expect([modeOf(file), modeOf(path.dirname(file))]).toEqual([0o600, 0o700]);
  }
});

test("a run reads the closed ids only once, when it first needs them", async () => {
  const root = freshFolder();
  const [asking, other] = [new MadeIds(root), new MadeIds(root)];
  other.remember(entryWith("1"));
  expect(asking.wasClosed(SERVICE, "1")).toBe(true);
  other.remember(entryWith("2"));
  expect([asking.wasClosed(SERVICE, "2"), asking.isClosed(SERVICE, "2")]).toEqual([false, true]);
});

test("a subfolder in the folder of closed ids hides none of the ids", async () => {
  const root = freshFolder();
  mkdirSync(path.join(root, "closed", "0-a-folder"), { recursive: true });
  new MadeIds(root).remember(entryWith("1"));
  expect(new MadeIds(root).isClosed(SERVICE, "1")).toBe(true);
});

test("ids are forgotten after thirty days and not earlier, and each process removes old ids only once", async () => {
  const folder = "closed";
  const root = freshFolder();
  const aged = (name: string, ageMs: number) => {
    const file = path.join(root, folder, name);
    writeFileSync(file, "");
    utimesSync(file, (Date.now() - ageMs) / 1000, (Date.now() - ageMs) / 1000);
  };
  expect(MEMORY_MS).toBe(2_592_000_000);
  mkdirSync(path.join(root, folder), { recursive: true });
  aged("old", MEMORY_MS + 60_000);
  aged("young", MEMORY_MS - 60_000);
  const madeIds = new MadeIds(root);
  madeIds.remember(entryWith("1"));
  expect(filesIn(root)).toContain(path.join(folder, "young"));
  expect(filesIn(root)).not.toContain(path.join(folder, "old"));
  aged("old", MEMORY_MS + 60_000);
  madeIds.remember(entryWith("2"));
  expect(filesIn(root)).toContain(path.join(folder, "old"));
});

test("an id belongs to another resource if another journal entry has the id, or if an entry with the id was closed", async () => {
  const root = freshFolder();
  const madeIds = new MadeIds(root);
  const ownFile = writeEntry(root, entryWith("own"));
  writeEntry(root, entryWith("other", { urn: `${entry.urn}-2`, name: "another" }));
  const isElsewhere = (id: string, name = "chat") => madeIds.has(SERVICE, id, name, ownFile);
  expect(isElsewhere("own")).toBe(false);
  expect(isElsewhere("other")).toBe(true);
  expect(isElsewhere("new", "another")).toBe(false);
  expect(madeIds.has("https://else.example.test", "other", "another", ownFile)).toBe(false);
  madeIds.remember(entryWith("done"));
  expect(isElsewhere("done")).toBe(true);
  expect(madeIds.has(SERVICE, "own", "chat", "no file")).toBe(true);
});

test("an entry without an id may stand for a deployment with that name that is still being created", async () => {
  const root = freshFolder();
  writeEntry(root, { ...entry, urn: `${entry.urn}-2`, name: "pending" });
  const madeIds = new MadeIds(root);
  expect(madeIds.has(SERVICE, "1", "pending", "no file")).toBe(true);
  expect(madeIds.has(SERVICE, "1", "chat", "no file")).toBe(false);
  expect(madeIds.has("https://else.example.test", "1", "pending", "no file")).toBe(false);
  // The name of this entry's deployment was a secret.
  writeEntry(root, { ...entry, urn: `${entry.urn}-3`, name: "" });
  expect(madeIds.has(SERVICE, "1", "chat", "no file")).toBe(true);
});

test("entries of every project and stack are read, and other files are skipped", async () => {
  const root = freshFolder();
  writeEntry(root, entryWith("0", { urn: "urn:pulumi:a::a::t::n" }), "{");
  writeEntry(root, entryWith("1", { urn: "urn:pulumi:z::z::t::n" }));
  const place = path.join(root, "y", "y");
  mkdirSync(path.join(place, "folder.json"), { recursive: true });
  writeFileSync(path.join(place, "text.txt"), JSON.stringify(entryWith("2")));
  writeFileSync(path.join(root, "y", "shallow.json"), JSON.stringify(entryWith("3")));
  const has = (id: string) => new MadeIds(root).has(SERVICE, id, "none", "no file");
  expect(["0", "1", "2", "3"].map(has)).toEqual([false, true, false, false]);
  expect(new MadeIds(freshFolder()).has(SERVICE, "1", "none", "no file")).toBe(false);
});
