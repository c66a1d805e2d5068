import { BadRequestError, UnreachableError } from "../../../provider/client/errors";
import type { Intent } from "../../../provider/journal/attempt";
import { carry, type Request } from "../../../provider/journal/carry";
import { JournalConflict } from "../../../provider/journal/faults";
import type { Journal } from "../../../provider/journal/journal";
import { turnedClock } from "../../support/httpServer";
import { intent } from "../../support/journalFolder";

const place = { operation: "create", method: "POST", url: "https://service.example.test/" };
const lostAnswer = () => new UnreachableError(place, "the connection broke", true);
const refused = () => new BadRequestError("no", "name");

/** The steps in the order in which they happen. */
let steps: string[];
beforeEach(() => {
  steps = [];
});

const journal = {
  put: async (_: Intent, { sentAt }: { sentAt: number }) => void steps.push(`recorded for ${sentAt}`),
  answer: async (_: Intent, id: string) => void steps.push(`noted ${id}`),
  drop: async () => void steps.push("dropped"),
} as unknown as Journal;

const sender = {
  clock: turnedClock(),
  journal,
  moment: () => ({ sentAt: 1, expiresAt: 11 }),
  tellLost: async () => void steps.push("lost"),
};

/** A request. Each try ends with the next entry of `tries`: an answer or an error. */
function request(tries: readonly (string | Error)[], more: Partial<Request<string>> = {}): Request<string> {
  const answers = [...tries];
  return {
    intent,
    send: async (beforeSending) => {
      await beforeSending();
      steps.push("sent");
      const end = answers.shift() as string | Error;
      if (end instanceof Error) throw end;
      return end;
    },
    noteOf: (id) => id,
    find: async () => undefined,
    inDoubt: ({ message }) => new Error(`in doubt: ${message}`),
    ...more,
  };
}

test("a request that was certainly not applied leaves no attempt", async () => {
  await expect(carry(request([refused()]), sender)).rejects.toThrow("no");
  expect(steps.slice(2)).toEqual(["dropped"]);
});

test("another run's attempt is not removed", async () => {
  const conflict = new JournalConflict("another run has just written it");
  const otherRunsJournal = {
    put: () => Promise.reject(conflict),
    drop: journal.drop,
  } as unknown as Journal;
  const sending = carry(request(["one"]), { ...sender, journal: otherRunsJournal });
  await expect(sending).rejects.toBe(conflict);
  expect(steps).toEqual([]);
});

test("a repeated request may have arrived at any time since the first try", async () => {
  let now = 0;
  const moment = () => {
    now += 1;
    return { sentAt: now, expiresAt: now + 10 };
  };
  const repeated = request([lostAnswer(), "two"], { isRepeatable: true });
  const { tried } = await carry(repeated, { ...sender, moment });
  const [first, second] = steps.filter((step) => step.startsWith("recorded"));
  expect(second).toBe(first);
  expect(tried.expiresAt).toBeGreaterThan(tried.sentAt + 10);
});
