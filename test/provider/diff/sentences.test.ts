import fc from "fast-check";
import { labelled, labelOf, unlabelled } from "../../../provider/diff/describe";
import { format, parse, sentences } from "../../../provider/diff/sentences";
import { hostileText } from "../../support/report/hostileTexts";

type Name = keyof typeof format;
type Parts = { readonly [part: string]: unknown };
const saying = (name: Name, parts: Parts): string =>
  String((format[name] as unknown as (parts: Parts) => unknown)(parts));

const verdict = (which: string) => ({ meaning: "verdict", verdict: which });
const proof = (is: boolean) => ({ meaning: "proof", made: is });
const progress = { meaning: "progress" };
const perhaps = (otherwise: string) => ({ meaning: "verdict", verdict: "mayReplace", otherwise });
const adoption = (which?: string) => ({ meaning: "adoption", id: "d1", verdict: which });

/** The value of every slot of the sentences. */
const PARTS = {
  id: "d1",
  status: "BUILDING",
  seconds: 3,
  reasons: "name a -> b",
  also: "updates in place, no new revision (name a -> b)",
  verdict: "creates a new revision (name a -> b)",
  fields: "name a -> b",
  advice: "Correct it",
  otherwise: "creates a new revision (name a -> b)",
  message: "GET: 503",
  name: "chat",
  newer: "r2",
  rest: "cpu 1, x_new",
  good: "r0",
  file: "/tmp/j.json",
  token: "t1",
  count: "2 deployments",
  names: "A, B",
};
/** Each sentence with these values, and the meaning that parsing gives. */
const LINES: { readonly [name in Name]: readonly [words: string, meaning: object] } = {
  newRevision: ["creates a new revision (name a -> b)", verdict("newRevision")],
  mayRevise: ["may create a new revision (name a -> b)", verdict("mayRevise")],
  inPlace: ["updates in place, no new revision (name a -> b)", verdict("inPlace")],
  inPlaceOnly: ["updates in place (name a -> b)", verdict("inPlace")],
  replaced: ["is replaced (name a -> b)", verdict("replace")],
  unchanged: ["has no changes", verdict("unchanged")],
  newRevisionInDoubt: [
    "creates a new revision (name a -> b); it is not known whether the last update was applied: the update looks first",
    verdict("newRevision"),
  ],
  replacedAndDeleted: [
    "is replaced (name a -> b); the old one, id d1, is deleted, unless an option keeps it",
    verdict("replace"),
  ],
  mayReplace: [
    "may be replaced (name a -> b); otherwise it creates a new revision (name a -> b)",
    perhaps("newRevision"),
  ],
  mayReplaceAndDelete: [
    "may be replaced (name a -> b), and then the old one, id d1, is deleted, unless an option keeps it; otherwise it creates a new revision (name a -> b)",
    perhaps("newRevision"),
  ],
  mayReplaceAndKeep: [
    "may be replaced (name a -> b), and then the old one stays, id d1; otherwise it creates a new revision (name a -> b)",
    perhaps("newRevision"),
  ],
  replacedByEngine: ["is replaced, because the engine asks for it", verdict("replace")],
  tokenReplaced: [
    "is replaced (name a -> b); the metadata of the token t1 stays as it is",
    verdict("replace"),
  ],
  tokenMayBeReplaced: [
    "may be replaced (name a -> b); otherwise it creates a new revision (name a -> b); the metadata of the token t1 stays as it is",
    perhaps("newRevision"),
  ],
  testReplaced: ["is replaced, so it runs again (name a -> b)", progress],
  testRuns: ["runs again (name a -> b)", progress],
  testMayRun: ["runs again if they differ (name a -> b)", progress],
  testStays: ["is not run (name a -> b)", progress],
  rolloutWaits: ["waits for the newest revisions of 2 deployments (name a -> b)", progress],
  deletedFirst: [
    "keeps its name, so the old deployment d1 is deleted before the new one is created: it is down meanwhile. If an option of a parent keeps it, the update fails: then change name too",
    { meaning: "downtime" },
  ],
  deletedFirstByOption: [
    "its option deleteBeforeReplace has the old deployment d1 deleted before the new one is created: it is down meanwhile",
    { meaning: "downtime" },
  ],
  replacedAndKept: ["is replaced (name a -> b); the old one stays, id d1", verdict("replace")],
  resumes: ["resumes waiting for revision d1 (BUILDING), no new revision for that", verdict("inPlace")],
  resumesAnd: [
    "resumes waiting for revision d1 (BUILDING), no new revision for that; also updates in place, no new revision (name a -> b)",
    verdict("inPlace"),
  ],
  keepsUnmanaged: [
    "creates a new revision (name a -> b); resourceSpec also keeps cpu 1, x_new",
    verdict("newRevision"),
  ],
  finishes: ["finishes the update that failed; nothing is sent", verdict("inPlace")],
  moves: ["moves between the dynamic form and the plugin; nothing is sent", verdict("inPlace")],
  adoptsUnchanged: ["takes over the existing deployment d1; nothing in it changes", adoption("unchanged")],
  adoptsIfIdentical: [
    "takes over the existing deployment d1 if it is identical; otherwise the update fails (name a -> b)",
    adoption("unchanged"),
  ],
  adoptsAnd: [
    "takes over the existing deployment d1; it creates a new revision (name a -> b)",
    adoption("newRevision"),
  ],
  adopted: ["takes over the existing deployment d1", adoption()],
  listenerUnchanged: ["takes over the existing listener d1; nothing in it changes", adoption("unchanged")],
  listenerTakenOver: [
    "takes over the existing listener d1; creates a new revision (name a -> b)",
    adoption("newRevision"),
  ],
  revisionAsPlanned: ["as planned, a new revision: d1", proof(true)],
  partsAsPlanned: ["as planned, a new revision: d1, and no other for what changed in place", proof(true)],
  noRevisionAsPlanned: ["as planned, no new revision (revision d1 stays)", proof(false)],
  didRevise: ["this update did create a new revision: d1", proof(true)],
  didNotRevise: ["this update created no new revision", proof(false)],
  revisionMissing: [
    "NOT as planned: the plan said a new revision, but this update created none (name a -> b). Correct it",
    proof(false),
  ],
  revisionUnplanned: [
    "NOT as planned: the plan said no new revision, but this update created revision d1 (name a -> b). Correct it",
    proof(true),
  ],
  lacksRevisionCall: [
    "the service has no call that makes a revision (POST /v2/deployments/…/revisions): the update is sent by PATCH. To save the attempt, set createRevision to false in profileOverrides.capabilities",
    progress,
  ],
  revisionIs: ["revision d1 is BUILDING after 3 s", progress],
  revisionWas: ["revision d1 was BUILDING; following the newer revision r2", progress],
  deployed: ["revision d1 is DEPLOYED and serves, after 3 s", progress],
  verifies: ["revision d1 is deployed and must now reply as expected", progress],
  restores: ["revision d1 ended BUILDING; restoring the settings of revision r0", progress],
  created: ["created, id d1", progress],
  deleted: ["deleted (id d1)", { meaning: "deletion", id: "d1" }],
  creationUncertain: ["it is not certain whether it was made (GET: 503); looking for it", progress],
  updateUncertain: ["it is not certain whether the update was applied (GET: 503); looking", progress],
  creationMayArrive: [
    'an earlier run was interrupted while it created "chat", and its request may still arrive: waiting 3 s at most',
    progress,
  ],
  creationHasVanished: ["an earlier run made d1, which the service no longer has", progress],
  creationDidNothing: ["the interrupted creation of an earlier run made nothing; creating it now", progress],
  requestMayArrive: [
    "an earlier run was interrupted during this creation, and its request may still arrive (journal: /tmp/j.json)",
    progress,
  ],
  updateMayArrive: [
    "an earlier run was interrupted at an update, and its request may still arrive: waiting 3 s at most",
    progress,
  ],
  updateNotProven: [
    "an earlier run was interrupted at an update, and nothing proves that it arrived; sending the rest of it",
    progress,
  ],
  updateTakenOver: [
    "the interrupted update has reached the service (revision d1): it is taken over, and not sent again",
    progress,
  ],
  restIsSent: [
    "the interrupted update has reached the service (revision d1); sending the rest of the program's changes",
    progress,
  ],
  restAndSecretsAreSent: [
    "the interrupted update has reached the service (revision d1); sending the rest of the program's changes, with secrets unless their values can be read",
    progress,
  ],
};
const NAMES = Object.keys(sentences) as Name[];

test.each(NAMES)("the sentence %s has the expected text, and parsing the text gives the meaning", (name) => {
  const [words, meaning] = LINES[name];
  expect(saying(name, PARTS)).toBe(words);
  expect(parse(words)).toEqual(meaning);
});

/** Any value, including whole sentences, and beginnings and ends of sentences. */
const value = fc.oneof(
  hostileText,
  fc.constantFrom(...Object.values(LINES).map(([words]) => words)),
  fc.constantFrom(...Object.values(LINES).map(([words]) => `); ${words}`)),
  fc
    .tuple(fc.constantFrom(...Object.values(LINES).map(([words]) => words)), fc.nat({ max: 60 }))
    .map(([words, length]) => words.slice(length)),
);

test.each(NAMES)("parsing the sentence %s gives the meaning, whatever values are in the slots", (name) => {
  const parts = Object.keys(PARTS).filter((part) => !["also", "verdict", "otherwise"].includes(part));
  fc.assert(
    fc.property(fc.tuple(...parts.map(() => value)), (values) => {
      const filled = { ...PARTS, ...Object.fromEntries(parts.map((part, index) => [part, values[index]])) };
      const [, expected] = LINES[name];
      expect(parse(saying(name, filled))).toEqual(
        "id" in expected ? { ...expected, id: filled.id } : expected,
      );
    }),
    { numRuns: 200 },
  );
});

test("a line that reports a take-over in unknown words has no meaning", () => {
  expect(parse("takes over the existing project d1")).toBeUndefined();
  expect(parse("takes over the existing project d1; nothing in it changes")).toBeUndefined();
});

test("an update that also resumes a wait has the verdict of its changes", () => {
  const resumes = (also: unknown) =>
    parse(`${format.resumesAnd({ id: "r1", status: "is unfinished", also })}`);
  expect(resumes(format.mayRevise({ reasons: "secret A changed" }))).toEqual(verdict("mayRevise"));
  expect(resumes(format.inPlace({ reasons: "x" }))).toEqual(verdict("inPlace"));
  expect(resumes("does something else")).toBeUndefined();
});

test("parsing understands the sentence about a revision that is made again together with a change in place", () => {
  expect(
    parse("creates a new revision (makes it again: revision r1 ended BUILD_FAILED; in place: name a -> b)"),
  ).toEqual(verdict("newRevision"));
});

test("a take-over whose effect is described in unknown words does not count as unchanged", () => {
  const meaningOf = (words: string) => parse(`takes over the existing deployment d1; ${words}`);
  expect(meaningOf("nothing in it changes")).toEqual(adoption("unchanged"));
  expect(meaningOf("it takes a new revision (name a -> b)")).toEqual(adoption());
  expect(meaningOf("nothing in it changes, or so it seems")).toBeUndefined();
});

test.each([
  "",
  "creates a revision (name a -> b)",
  "updates in place, no new revision",
  "updates in place or not (x)",
  "has no changes to speak of",
  "so it has no changes",
  "revision d1; d2 is BUILDING after 3 s",
  'takes over the existing deployment "\\x"',
])("a line %j that is not one of the sentences has no meaning", (words) => {
  expect(parse(words)).toBeUndefined();
});

test("`unlabelled` removes exactly the label of the resource from a line", () => {
  fc.assert(
    fc.property(value, value, (name, words) => {
      const label = labelOf("deployment", name);
      expect(unlabelled(label, String(labelled(label, words)))).toBe(words);
    }),
  );
  const tagged = labelOf("deployment", "<{%bold%}>");
  expect(unlabelled(tagged, String(labelled(tagged, "has no changes")))).toBe("has no changes");
  expect(unlabelled(labelOf("deployment", "chat"), 'listener "chat": has no changes')).toBeUndefined();
  expect(unlabelled(labelOf("deployment", "chat"), "has no changes")).toBeUndefined();
});
