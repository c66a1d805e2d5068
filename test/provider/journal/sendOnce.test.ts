import { BadRequestError, UnreachableError } from "../../../provider/client/errors";
import type { Intent } from "../../../provider/journal/attempt";
import { JournalConflict } from "../../../provider/journal/faults";
import type { Journal } from "../../../provider/journal/journal";
import { type LostAnswer, type Request, sendOnce } from "../../../provider/journal/sendOnce";
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

/** A request whose tries end as `tries` says, in this order. `finds` gives the result of each look-up. */
function request(
  tries: readonly (string | Error)[],
  finds: readonly (string | Error | undefined)[] = [],
  lost: Partial<LostAnswer<string>> = {},
): Request<string> {
  const [answers, looks] = [[...tries], [...finds]];
  let sentAt = 0;
  return {
    clock: turnedClock(),
    journal,
    intent,
    moment: () => {
      sentAt += 1;
      return { sentAt, expiresAt: sentAt + 10 };
    },
    send: async (beforeSending) => {
      await beforeSending();
      steps.push("sent");
      const end = answers.shift() as string | Error;
      if (end instanceof Error) throw end;
      return end;
    },
    noteOf: (id) => id,
    lost: {
      begin: async () => void steps.push("lost"),
      looks: finds.length,
      find: async (_error, sent) => {
        steps.push(`looked for what was sent at ${sent.sentAt}`);
        const answer = looks.shift();
        if (answer instanceof Error) throw answer;
        return answer;
      },
      otherwise: "send again",
      ...lost,
    },
  };
}

test("a request is recorded before it is sent, and its answer is recorded afterwards", async () => {
  expect(await sendOnce(request(["one"]))).toBe("one");
  expect(steps).toEqual(["recorded for 2", "sent", "noted one"]);
});

test("if sending a request twice is harmless, nothing is recorded", async () => {
  expect(await sendOnce({ ...request(["one"]), intent: undefined })).toBe("one");
  expect(steps).toEqual(["sent"]);
});

test("a request that was certainly not applied leaves no attempt", async () => {
  await expect(sendOnce(request([refused()]))).rejects.toThrow("no");
  expect(steps.slice(2)).toEqual(["dropped"]);
});

test("another run's attempt is not removed", async () => {
  const conflict = new JournalConflict("another run has just written it");
  const otherRunsJournal = {
    put: () => Promise.reject(conflict),
    drop: journal.drop,
  } as unknown as Journal;
  const sending = sendOnce({ ...request(["one"]), journal: otherRunsJournal });
  await expect(sending).rejects.toBe(conflict);
  expect(steps).toEqual([]);
});

test("if a look-up finds the result after a lost answer, the request is not sent again", async () => {
  expect(await sendOnce(request([lostAnswer()], [undefined, "one"]))).toBe("one");
  const look = "looked for what was sent at 2";
  expect(steps).toEqual(["recorded for 2", "sent", "lost", look, look, "noted one"]);
});

test("if the look-ups find nothing, the request is recorded again and then sent again", async () => {
  expect(await sendOnce(request([lostAnswer(), "two"], [undefined]))).toBe("two");
  expect(steps.slice(-3)).toEqual(["recorded for 3", "sent", "noted two"]);
});

test("if a request must not be sent again, the caller's error is thrown and the attempt stays", async () => {
  const otherwise = () => new Error("in doubt");
  await expect(sendOnce(request([lostAnswer()], [undefined], { otherwise }))).rejects.toThrow("in doubt");
  expect(steps.filter((step) => step === "sent")).toHaveLength(1);
  expect(steps).not.toContain("dropped");
});

test("if a look-up fails, the error uses the caller's wording, and the attempt stays", async () => {
  const explain = (failure: Error) => new Error(`lost, and then ${failure.message}`);
  const sending = sendOnce(request([lostAnswer()], [new Error("no look")], { explain }));
  await expect(sending).rejects.toThrow("lost, and then no look");
  expect(steps).not.toContain("dropped");
});
