import type { Call } from "../../../../provider/call";
import { type NewRevision, revisionMade } from "../../../../provider/deployment/update/arrival";
import { momentAt } from "../../../../provider/journal/moment";
import type { Properties } from "../../../../provider/schema/value";
import { intent } from "../../../support/journalFolder";

const tried = { ...intent, purpose: "update", id: "d", carries: [] } as const;
const NOON = Date.UTC(2030, 0, 1, 12);
const at = (milliseconds: number) => new Date(NOON + milliseconds).toISOString();

/**
 * Asks `revisionMade` about a PATCH that was sent at noon by our clock. The service has these revisions. Counts the
 * look-ups.
 */
async function proof(
  revisions: readonly Properties[],
  { latest = "r2" as unknown, ahead = 0 } = {},
): Promise<{ made: NewRevision; looks: number }> {
  let looks = 0;
  const endpoints = {
    clockAhead: -ahead,
    listRevisions: async function* () {
      looks += 1;
      yield revisions;
    },
  };
  const call = { service: { endpoints }, run: { clock: { now: () => NOON } } } as unknown as Call;
  const attempt = { ...tried, ...momentAt(NOON, 30), known: ["r1"], answer: latest as string | null };
  const revision = await revisionMade(call, "d", attempt, { latest_revision_id: latest });
  return { made: revision, looks };
}

test("without a latest revision id, the newest revision counts as made by the PATCH if it was created after the PATCH was sent", async () => {
  const [old, young] = [
    { id: "r1", created_at: at(-60_000) },
    { id: "r2", created_at: at(5) },
  ];
  expect(await proof([old, young], { latest: null })).toEqual({ made: young, looks: 1 });
  expect(await proof([old], { latest: null })).toEqual({ made: undefined, looks: 1 });
  expect(await proof([], { latest: null })).toEqual({ made: undefined, looks: 1 });
});

test.each([0, -30_000, 30_000])(
  "with our clock %i ms ahead, the revision of an earlier push does not count as made by the PATCH",
  async (ahead) => {
    const pushed = { id: "r2", created_at: at(-1_300 - ahead) };
    expect(await proof([pushed], { ahead })).toEqual({ made: false, looks: 1 });
    const patched = { id: "r2", created_at: at(5 - ahead) };
    expect(await proof([patched], { ahead })).toEqual({ made: patched, looks: 1 });
  },
);
