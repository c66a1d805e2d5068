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

/** The finding as a text: its kind, with the id of the new object or with the reason. */
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
  ["there is nothing yet", { after: 1 }, "early", "early"],
  ["there is nothing, one moment before the end", { after: 39_999 }, "early", "early"],
  ["there is nothing at the end", { after: 40_000 }, "absent", "absent"],
  ["there is only what was there before", { seen: [old] }, "absent", "absent"],
  ["one has appeared in time", { seen: [ours], after: 1_000 }, "applied new", "applied new"],
  ["one has appeared in time, beside an old one", { seen: [ours, old] }, "applied new", "applied new"],
  [
    "it was made a moment early, within the difference of clocks",
    { seen: [{ ...ours, createdAt: at(-200) }] },
    "applied new",
    "applied new",
  ],
  [
    "it was made before the request",
    { seen: [{ ...ours, createdAt: at(-500) }] },
    "unclear: it was created before the interrupted run asked for it",
    "absent",
  ],
  [
    "it was made after the request could arrive",
    { seen: [{ ...ours, createdAt: at(60_000) }], after: 70_000 },
    "unclear: it was created when the interrupted run's request could no longer arrive",
    "absent",
  ],
  [
    "it was made in time by the clock of a service that is an hour ahead",
    { seen: [{ ...ours, createdAt: at(3_600_500) }], ahead: 3_600_000 },
    "applied new",
    "applied new",
  ],
  [
    "it does not say when it was made",
    { seen: [timeless] },
    "unclear: it does not say when it was created",
    "applied new",
  ],
  ["it differs from what was sent", { seen: [different] }, "unclear: its settings differ", "absent"],
  [
    "it differs, and ours may still arrive",
    { seen: [different], after: 1_000 },
    "unclear: its settings differ",
    "early",
  ],
  [
    "two have appeared",
    { seen: [ours, { ...ours, id: "newer" }] },
    "unclear: 2 have appeared since",
    "absent",
  ],
  [
    "a month has passed",
    { seen: [ours], after: 31 * DAY },
    "unclear: the interrupted run was too long ago",
    "applied new",
  ],
  ["a month has just passed", { seen: [ours], after: 40_000 + 30 * DAY }, "applied new", "applied new"],
  ["the answer names what is there", { answer: "new", seen: [ours], after: 1 }, "applied new", "applied new"],
  [
    "the answer names the second of two",
    { answer: "new", seen: [{ ...ours, id: "other" }, ours], after: 1 },
    "applied new",
    "applied new",
  ],
  [
    "the answer names what is no longer there",
    { answer: "new", seen: [], after: 1 },
    "absent",
    "applied new",
  ],
  [
    "the answer names something that now differs",
    { answer: "new", seen: [different] },
    "unclear: its settings differ",
    "applied new",
  ],
  ["the answer came a month ago", { answer: "new", seen: [ours], after: 31 * DAY }, "absent", "applied new"],
])("if %s, a creation and an update each have the expected finding", (_what, facts, ofCreation, ofUpdate) => {
  expect(decided(creation, facts)).toBe(ofCreation);
  expect(decided(update, facts)).toBe(ofUpdate);
  expect(decided({ ...update, purpose: "restore" }, facts)).toBe(ofUpdate);
});

test.each<[string, Facts, string]>([
  ["names the revision from before", { answer: "old", seen: [old] }, "applied nothing new"],
  [
    "names a revision that a push had made before",
    { answer: "new", seen: [{ ...ours, createdAt: at(-DAY) }] },
    "applied nothing new",
  ],
  ["names no revision, and there is none", { answer: null }, "applied nothing new"],
  ["names no revision, but one has appeared in time", { answer: null, seen: [ours] }, "applied new"],
  ["names no revision, and the latest differs", { answer: null, seen: [different] }, "applied nothing new"],
])("if the answer to an update %s, the update has arrived: %#", (_what, facts, expected) => {
  expect(decided(update, facts)).toBe(expected);
});
