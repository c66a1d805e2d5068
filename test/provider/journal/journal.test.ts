import { existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Attempt, attemptIn, placeOf } from "../../../provider/journal/attempt";
import { JournalConflict } from "../../../provider/journal/faults";
import { Journal } from "../../../provider/journal/journal";
import {
  attempt,
  filesIn,
  freshFolder,
  intent,
  journalIn,
  KEY,
  moment,
  URN,
} from "../../support/journalFolder";

const place = (backend = "") => path.join(...placeOf(KEY, backend));
const read = (folder: string, backend = ""): Attempt =>
  attemptIn(readFileSync(path.join(folder, place(backend)), "utf8")) as Attempt;
function writeAttempt(folder: string, value: unknown): void {
  mkdirSync(path.dirname(path.join(folder, place())), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(folder, place()), typeof value === "string" ? value : JSON.stringify(value));
}

test("the plugin finds, answers and closes an attempt that the dynamic form made, even if the resource's parents now come from the plugin", async () => {
  const folder = freshFolder();
  const types = (one: string) => `urn:pulumi:dev::app::app:Team$${one}Listener$${one}Deployment::chat`;
  const [dynamic, plugin] = ["pulumi-nodejs:dynamic/deployment-control:", "deployment-control:index:"].map(
    (form) => ({ ...KEY, urn: types(form) }),
  );
  await journalIn(folder).journal.put({ ...intent, ...dynamic }, moment);
  const { journal } = journalIn(folder);
  expect(await journal.get(plugin as typeof KEY)).toMatchObject(dynamic as typeof KEY);
  await journal.answer(plugin as typeof KEY, "d-1");
  const files = () => filesIn(folder).filter((file) => file.endsWith(".json"));
  expect(files()).toHaveLength(1);
  const later = journalIn(folder).journal;
  later.confirmed(plugin as typeof KEY, "d-1", {});
  await later.get(plugin as typeof KEY);
  expect(files()).toEqual([]);
});

test("if a request is sent again, its attempt keeps the token and gets the new time", async () => {
  const folder = freshFolder();
  const { journal } = journalIn(folder);
  await journal.put(intent, moment);
  const { token } = read(folder);
  await journal.put(intent, { ...moment, sentAt: 3 });
  expect(read(folder)).toMatchObject({ token, sentAt: 3 });
});

test("a second run refuses to send a request that the first run has recorded, and changes nothing", async () => {
  const folder = freshFolder();
  await journalIn(folder).journal.put(intent, moment);
  const before = read(folder);
  const { journal, warned } = journalIn(folder);
  const sending = journal.put({ ...intent, name: "other" }, moment);
  await expect(sending).rejects.toThrow(JournalConflict);
  await expect(sending).rejects.toMatchObject({ name: "JournalConflict" });
  await expect(sending).rejects.toThrow(`another run has just created ${path.join(folder, place())}`);
  expect(read(folder)).toEqual(before);
  expect([warned, journal.awaitsAnswers]).toEqual([[], false]);
});

test.each<[string, unknown]>([
  ["has taken over the attempt", { ...attempt, token: "another" }],
  ["has removed the attempt", undefined],
  ["has damaged the attempt", "{"],
])("a run does not send its request again if another run %s", async (_, left) => {
  const folder = freshFolder();
  const { journal } = journalIn(folder);
  await journal.put(intent, moment);
  if (left === undefined) unlinkSync(path.join(folder, place()));
  else writeAttempt(folder, left);
  const sending = journal.put(intent, moment);
  await expect(sending).rejects.toThrow(JournalConflict);
  await expect(sending).rejects.toThrow(`another run has taken over ${path.join(folder, place())}`);
  if (left === undefined) expect(filesIn(folder)).toEqual([]);
});

test("the answer's id is noted in the attempt of this run or of an earlier run", async () => {
  const [folder, backend] = [freshFolder(), "file:///b"];
  const { journal } = journalIn(folder, backend);
  await journal.put(intent, moment);
  expect(journal.awaitsAnswers).toBe(true);
  await journal.answer(KEY, "d-1");
  expect(journal.awaitsAnswers).toBe(false);
  expect(read(folder, backend)).toMatchObject({ ...intent, ...moment, backend, answer: "d-1" });
  const next = journalIn(folder, backend);
  await next.journal.get(KEY);
  await next.journal.answer(KEY, "d-2");
  expect(read(folder, backend).answer).toBe("d-2");
});

test("an id is not noted in an attempt that is missing, is unreadable, or now belongs to another run", async () => {
  const folder = freshFolder();
  const { journal, warned } = journalIn(folder);
  await journal.answer(KEY, "d-1");
  expect(filesIn(path.dirname(folder))).toEqual([]);
  writeAttempt(folder, "{");
  await expect(journal.get(KEY)).rejects.toThrow("it is not JSON");
  await journal.answer(KEY, "d-1");
  expect(filesIn(folder)).toEqual([`${place()}.unreadable`]);
  await journal.put(intent, moment);
  writeAttempt(folder, { ...attempt, token: "another" });
  await journal.answer(KEY, "d-1");
  expect(read(folder)).toEqual({ ...attempt, token: "another" });
  expect([warned, journal.awaitsAnswers]).toEqual([[], false]);
});

test.each([
  ["cannot be read", "{", "it is not JSON, or was cut off"],
  ["has another urn", { ...attempt, urn: "x" }, "it is about another resource"],
  ["has another service", { ...attempt, serviceUrl: "x" }, "it is about another resource"],
  ["has another backend", { ...attempt, backend: "x" }, "it is about another resource"],
])("an attempt that %s gets a new file name, and the error gives the reason", async (_, value, reason) => {
  const folder = freshFolder();
  writeAttempt(folder, value);
  const { journal, warned } = journalIn(folder);
  await expect(journal.get(KEY)).rejects.toThrow(`(${reason})`);
  expect(warned).toEqual([]);
  expect(filesIn(folder)).toEqual([`${place()}.unreadable`]);
});

test("if the engine writes the state only at the end of the run, a request that cannot be recorded is not sent", async () => {
  const folder = freshFolder();
  writeFileSync(folder, "a file where the folder should be", { mode: 0o600 });
  const warned: string[] = [];
  const place = { folder, backend: "", isOnlyTrace: true };
  const journal = new Journal(place, async (words) => void warned.push(words));
  const sending = journal.put(intent, moment);
  await expect(sending).rejects.toThrow("nothing else would record the request, so it was not sent");
  await expect(sending).rejects.toThrow(
    /^the journal cannot be used \((EEXIST|ENOTDIR) at .*\), and with PULUMI_SKIP_CHECKPOINTS nothing else would record the request, so it was not sent\. Set deployment-control:journal \(or DEPLOYMENT_CONTROL_JOURNAL\) to a folder of your own that can be written, or unset PULUMI_SKIP_CHECKPOINTS$/,
  );
  expect(warned).toEqual([]);
});

test("if the engine has received the result of an update, this run does not continue the update, but the update's attempt stays for the next run", async () => {
  const folder = freshFolder();
  const { journal } = journalIn(folder);
  const update = { ...intent, purpose: "update", id: "d-1", carries: ["secrets"], generation: 2 } as const;
  await journal.put(update, moment);
  await journal.reported(update, { revisionGeneration: 2, uncertainSince: 1 });
  expect(await journal.get(update)).toBeDefined();
  await journal.reported(update, { revisionGeneration: 2 });
  expect(await journalIn(folder).journal.get(update)).toBeDefined();
  expect(await journal.get(update)).toBeUndefined();
  await journal.put(update, moment);
  await journal.reported(update, { revisionGeneration: 1 });
  expect(filesIn(folder)).toEqual([]);
});

test("an abandoned creation leaves no attempt, and can be started again", async () => {
  const folder = freshFolder();
  const { journal, warned } = journalIn(folder);
  await journal.drop(KEY);
  await journal.put(intent, moment);
  const { token } = read(folder);
  await journal.drop(KEY);
  expect([filesIn(folder), journal.awaitsAnswers]).toEqual([[], false]);
  await journal.put(intent, moment);
  expect(read(folder).token).not.toBe(token);
  expect(warned).toEqual([]);
});

test.each([
  ["that is off", undefined, URN],
  ["of a resource without a URN", "folder", ""],
])("a journal %s records nothing and refuses nothing", async (_, on, urn) => {
  const folder = freshFolder();
  const { journal, warned } = journalIn(on && folder);
  const key = { ...KEY, urn };
  for (const _ of [1, 2]) await journal.put({ ...intent, urn }, moment);
  expect(existsSync(folder)).toBe(false);
  await journal.answer(key, "d-1");
  await journal.reported(key, {});
  journal.confirmed(key, "d-1", {});
  await journal.drop(key);
  expect(await journal.get(key)).toBeUndefined();
  expect([journal.awaitsAnswers, warned, filesIn(path.dirname(folder))]).toEqual([false, [], []]);
});

test("an unusable journal warns once, with its path and the remedy, and does not stop the run", async () => {
  const folder = freshFolder();
  writeFileSync(folder, "a file where the folder should be", { mode: 0o600 });
  const { journal, warned } = journalIn(folder);
  await journal.put(intent, moment);
  await journal.put({ ...intent, urn: `${URN}-2` }, moment);
  await journal.answer(KEY, "d-1");
  await journal.reported(KEY, {});
  expect(warned).toHaveLength(1);
  expect(warned[0]).toMatch(/^the journal cannot be used \((EEXIST|ENOTDIR) at .*journal.*\): a creation/);
  expect(warned[0]).toContain(
    "guarded only by the look-up of its name, and an update may be sent again. Set deployment-control:journal (or DEPLOYMENT_CONTROL_JOURNAL) to a folder of your own that can be written, or to off",
  );
});
