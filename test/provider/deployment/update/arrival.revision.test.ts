import type { Call } from "../../../../provider/call";
import { type NewRevision, revisionMade } from "../../../../provider/deployment/update/arrival";
import { momentAt } from "../../../../provider/journal/moment";
import type { Properties } from "../../../../provider/schema/value";
import { stoppedClock } from "../../../support/embeddedService";
import { intent } from "../../../support/journalFolder";
import { clockAhead, provided } from "../../../support/providerRun";

const tried = { ...intent, purpose: "update", id: "d", carries: [] } as const;
const NOON = Date.UTC(2030, 0, 1, 12);
const at = (milliseconds: number) => new Date(NOON + milliseconds).toISOString();

/**
 * Asks `revisionMade` about a PATCH that was sent at noon by our clock. The service has these revisions. Counts the
 * look-ups.
 */
async function proof(
  revisions: readonly Properties[],
  { recorded = "r1", latest = "r2" as unknown } = {},
): Promise<{ made: NewRevision; looks: number }> {
  let looks = 0;
  const endpoints = {
    clockAhead: 0,
    listRevisions: async function* () {
      looks += 1;
      yield revisions;
    },
  };
  const call = { service: { endpoints }, run: { clock: { now: () => NOON } } } as unknown as Call;
  const attempt = { ...tried, ...momentAt(NOON, 30), known: [recorded], answer: latest as string | null };
  const revision = await revisionMade(call, "d", attempt, { latest_revision_id: latest });
  return { made: revision, looks };
}

test("if the state already has the latest revision, the PATCH made no revision, and no look-up is sent", async () => {
  expect(await proof([{ id: "r2", created_at: at(10) }], { recorded: "r2" })).toEqual({
    made: false,
    looks: 0,
  });
});

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
  "on the embedded service, with our clock %i ms ahead, the revision of an earlier push does not count as made by the PATCH",
  async (ahead) => {
    const clock = clockAhead(ahead);
    const { emulator, service, session } = await provided({}, {}, clock);
    const [id = ""] = emulator.seed(1);
    session.door.permit("update", id);
    const latestRevisionId = emulator.deployments()[0]?.latest_revision_id;
    const call = { service, run: { clock } } as unknown as Call;
    const known = [latestRevisionId as string];
    const proofOf = async (body: Properties) => {
      const moment = momentAt(clock.now(), 30);
      const resource = await service.endpoints.updateDeployment(id, body);
      const answer = resource.latest_revision_id as string;
      return revisionMade(call, id, { ...tried, ...moment, known, answer }, resource);
    };
    emulator.push(id);
    // The service reports times in whole seconds.
    stoppedClock().pass(1_300);
    expect(await proofOf({ source_config: { build_on_push: false } })).toBe(false);
    expect(await proofOf({ source_revision_config: { image_uri: "x:2" } })).toMatchObject({
      id: emulator.deployments()[0]?.latest_revision_id,
    });
  },
);
