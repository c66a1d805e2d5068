import fc from "fast-check";
import { labeled, labelOf, unlabeled } from "../../../provider/diff/describe";
import { beginningOf, format, OWED, PHRASES } from "../../../provider/diff/sentences";
import { hostileText } from "../../support/report/hostileTexts";

type Name = keyof typeof format;
type Parts = { readonly [part: string]: unknown };
const saying = (name: Name, parts: Parts): string => (format[name] as (parts: Parts) => string)(parts);

/** A value for each placeholder in the sentences. */
const PARTS = {
  id: "d1",
  status: "BUILDING",
  seconds: 3,
  reasons: "name a -> b",
  why: "finishes the update that failed",
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
  fate: "the old one stays, id d1",
  count: "2 deployments",
  whom: "this update",
  names: "A, B",
  paths: "sourceRevisionConfig.imageUri",
};
const NAMES = Object.keys(format) as Name[];

test.each(NAMES)("the sentence %s fills each of its placeholders", (name) => {
  expect(saying(name, PARTS)).not.toMatch(/undefined|[{}]/);
});

test("an id with special characters is quoted, and the reasons are shown unchanged", () => {
  expect(format.revisionIs({ id: "a; b", status: "BUILDING", seconds: 3 })).toBe(
    'revision "a; b" is BUILDING after 3 s',
  );
  expect(format.replaced({ reasons: "name a; b" })).toBe("is replaced (name a; b)");
});

/** The sentences of a plan, and the phrase that the report reads at the beginning of each sentence. */
const BEGINNINGS: { readonly [name in Name]?: object } = {
  newRevision: { phrase: "newRevision" },
  mayRevise: { phrase: "mayRevise" },
  inPlace: { phrase: "inPlace" },
  inPlaceOnly: { phrase: "inPlace" },
  replaced: { phrase: "replace" },
  unchanged: { phrase: "unchanged" },
  listenerCreated: { phrase: "create" },
  replacedWith: { phrase: "replace" },
  replacedByEngine: { phrase: "replace" },
  mayReplace: { phrase: "mayReplace", otherwise: "newRevision" },
  mayReplaceWith: { phrase: "mayReplace", otherwise: "newRevision" },
  resumes: { phrase: "resumes" },
  alsoResumes: { phrase: "newRevision" },
  keepsUnmanaged: { phrase: "newRevision" },
  sendsNothing: { phrase: "sendsNothing" },
  adoptsUnchanged: { phrase: "takesOver" },
  adoptsIfIdentical: { phrase: "takesOver" },
  adoptsAnd: { phrase: "takesOver" },
  listenerUnchanged: { phrase: "takesOver" },
  listenerTakenOver: { phrase: "takesOver" },
  deletedFirst: { phrase: "isDown" },
  deletedFirstByOption: { phrase: "isDown" },
};

test.each(Object.entries(BEGINNINGS))(
  "the report reads the phrase at the beginning of the sentence %s, whatever the placeholders contain",
  (name, beginning) => {
    const slots = Object.keys(PARTS).filter((part) => !["verdict", "otherwise"].includes(part));
    fc.assert(
      fc.property(fc.tuple(...slots.map(() => hostileText)), (texts) => {
        const parts = { ...PARTS, ...Object.fromEntries(slots.map((part, index) => [part, texts[index]])) };
        const line = saying(name as Name, { ...parts, reasons: `name ${parts.reasons}` });
        expect(beginningOf(line)).toEqual({ ...beginning, isOwed: false });
      }),
      { numRuns: 50 },
    );
  },
);

test("every phrase begins a sentence, and no phrase is the beginning of a longer phrase", () => {
  const read = Object.values(BEGINNINGS).map((beginning) => (beginning as { phrase: string }).phrase);
  expect(new Set(read)).toEqual(new Set(Object.keys(PHRASES)));
  for (const [name, phrase] of Object.entries(PHRASES))
    expect(Object.entries(PHRASES).filter(([, other]) => phrase.startsWith(other))).toEqual([[name, phrase]]);
});

test.each(Object.values(OWED))(
  "if the reasons for a revision begin with %j, the revision is due to an earlier update",
  (reason) => {
    for (const phrase of ["newRevision", "mayRevise"] as const) {
      expect(beginningOf(format[phrase]({ reasons: `${reason} x; name a -> b` }))).toEqual({
        phrase,
        isOwed: true,
      });
      expect(beginningOf(format[phrase]({ reasons: `name a -> b; ${reason}` }))).toEqual({
        phrase,
        isOwed: false,
      });
    }
  },
);

test.each([
  "",
  "creates a revision (name a -> b)",
  "so it has no changes",
  "may be replaced (x)",
  "may be replaced; otherwise it waits",
])("the line %j has no leading phrase", (words) => {
  expect(beginningOf(words)).toBeUndefined();
});

test("`unlabeled` removes exactly the label of the resource from a line", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (name, words) => {
      const label = labelOf("deployment", name);
      expect(unlabeled(label, labeled(label, words))).toBe(words);
    }),
  );
  expect(unlabeled(labelOf("deployment", "chat"), 'listener "chat": has no changes')).toBeUndefined();
  expect(unlabeled(labelOf("deployment", "chat"), "has no changes")).toBeUndefined();
});
