import { type Candidate, type Finding, resolve, type Tried } from "../../../provider/journal/resolve";
import { intent } from "../../support/journalFolder";

const SENT_AT = Date.UTC(2030, 0, 1, 12);
const EXPIRES_AT = SENT_AT + 40_000;
const DAY = 24 * 3_600_000;
const at = (ms: number) => new Date(SENT_AT + ms).toISOString();

const creation: Tried = { ...intent, known: ["old"], sentAt: SENT_AT, expiresAt: EXPIRES_AT };
const update: Tried = { ...creation, purpose: "update", id: "d-1", carries: ["secrets"] };

const ours: Candidate = { id: "new", createdAt: at(500) };
const old: Candidate = { id: "old", createdAt: at(-DAY) };
const timeless: Candidate = { id: "new", createdAt: undefined };
const different: Candidate = { ...ours, difference: "its settings differ" };

/** Returns the finding as a string: its kind, with the id of the new object or with the reason. */
function short(finding: Finding): string {
  if (finding.kind === "applied") return `applied ${finding.made?.id ?? "nothing new"}`;
  return finding.kind === "unclear" ? `unclear: ${finding.because}` : finding.kind;
}

interface Facts {
  readonly answer?: string | null;
  readonly seen?: readonly Candidate[];
  /** The time since the request, in ms; by default, the request can no longer arrive. */
  readonly after?: number;
  readonly ahead?: number;
}

const decided = (attempt: Tried, { answer, seen = [], after = 41_000, ahead = 0 }: Facts) =>
  short(
    resolve(answer === undefined ? attempt : { ...attempt, answer }, {
      candidates: seen,
      now: SENT_AT + after,
      clockAhead: ahead,
    }),
  );

test.each<[string, Facts, string, string]>([
  ["no object has appeared yet", { after: 1 }, "early", "early"],
  ["no object has appeared, and the request may just still arrive", { after: 39_999 }, "early", "early"],
  ["no object has appeared, and the request can no longer arrive", { after: 40_000 }, "absent", "absent"],
  ["only an object from before the request is there", { seen: [old] }, "absent", "absent"],
  ["an object has appeared in time", { seen: [ours], after: 1_000 }, "applied new", "applied new"],
  ["an object has appeared beside an old object", { seen: [ours, old] }, "applied new", "applied new"],
  [
    "the object was made a moment early, within the difference of clocks",
    { seen: [{ ...ours, createdAt: at(-200) }] },
    "applied new",
    "applied new",
  ],
  [
    "the object was made before the request",
    { seen: [{ ...ours, createdAt: at(-500) }] },
    "unclear: it was created before the interrupted run asked for it",
    "absent",
  ],
  [
    "the object was made when the request could no longer arrive",
    { seen: [{ ...ours, createdAt: at(60_000) }], after: 70_000 },
    "unclear: it was created when the interrupted run's request could no longer arrive",
    "absent",
  ],
  [
    "the object was made in time by the service's clock, which is an hour ahead",
    { seen: [{ ...ours, createdAt: at(3_600_500) }], ahead: 3_600_000 },
    "applied new",
    "applied new",
  ],
  [
    "the object does not say when it was made",
    { seen: [timeless] },
    "unclear: it does not say when it was created",
    "applied new",
  ],
  ["the object differs from the request", { seen: [different] }, "unclear: its settings differ", "absent"],
  [
    "the object differs, and the request may still arrive",
    { seen: [different], after: 1_000 },
    "unclear: its settings differ",
    "early",
  ],
  [
    "two objects have appeared",
    { seen: [ours, { ...ours, id: "newer" }] },
    "unclear: 2 have appeared since",
    "absent",
  ],
  [
    "more than a month has passed",
    { seen: [ours], after: 31 * DAY },
    "unclear: the interrupted run was too long ago",
    "applied new",
  ],
  ["exactly a month has passed", { seen: [ours], after: 40_000 + 30 * DAY }, "applied new", "applied new"],
  ["the answer names the object", { answer: "new", seen: [ours], after: 1 }, "applied new", "applied new"],
  [
    "the answer names the second of two objects",
    { answer: "new", seen: [{ ...ours, id: "other" }, ours], after: 1 },
    "applied new",
    "applied new",
  ],
  [
    "the answer names an object that is no longer there",
    { answer: "new", seen: [], after: 1 },
    "absent",
    "applied new",
  ],
  [
    "the answer names an object that now differs",
    { answer: "new", seen: [different] },
    "unclear: its settings differ",
    "applied new",
  ],
  ["the answer came long ago", { answer: "new", seen: [ours], after: 31 * DAY }, "absent", "applied new"],
])("if %s, a creation and an update each have the expected finding", (_what, facts, ofCreation, ofUpdate) => {
  expect(decided(creation, facts)).toBe(ofCreation);
  expect(decided(update, facts)).toBe(ofUpdate);
  expect(decided({ ...update, purpose: "restore" }, facts)).toBe(ofUpdate);
});

test.each<[string, Facts, string]>([
  ["names the revision from before the update", { answer: "old", seen: [old] }, "applied nothing new"],
  [
    "names a revision that a push had made before",
    { answer: "new", seen: [{ ...ours, createdAt: at(-DAY) }] },
    "applied nothing new",
  ],
  ["names no revision, and there is none", { answer: null }, "applied nothing new"],
  ["names no revision, but a revision has appeared in time", { answer: null, seen: [ours] }, "applied new"],
  ["names no revision, and the new one differs", { answer: null, seen: [different] }, "applied nothing new"],
])("if the answer to an update %s, the update counts as applied (case %#)", (_what, facts, expected) => {
  expect(decided(update, facts)).toBe(expected);
});
