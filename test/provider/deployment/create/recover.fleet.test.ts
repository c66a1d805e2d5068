import { started } from "../../../support/embeddedService";
import { attemptFiles, journalFolder, nextRun } from "../../../support/interruptedRun";
import { chat, inParallel, sessionOn, URN } from "../../../support/providerRun";
import { createDeployment } from "../../../support/resourceCalls";

const COUNT = 130;
const member = (index: number, wait: boolean) => ({
  ...chat,
  __urn: `${URN}-${index}`,
  name: `chat-${index}`,
  source: "external_docker",
  sourceConfig: undefined,
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  secrets: undefined,
  secretGenerations: undefined,
  rollout: { wait },
});
const indices = Array.from({ length: COUNT }, (_, index) => index);

test.each([
  [true, "contract"],
  [false, "contract"],
  [true, "langsmith"],
] as const)(
  "the take-over of an earlier run's deployments sends as few requests as a refresh, and gives one warning for each deployment (wait %s, profile %s)",
  async (wait, profile) => {
    const [journal, emulator] = [journalFolder(), await started({ profile })];
    const settings = { journal, profile };
    const killed = sessionOn(emulator, settings).session;
    const created = await inParallel(indices, (index) => createDeployment(killed, member(index, false)));
    expect(attemptFiles(journal)).toHaveLength(COUNT);
    const { session, warnings } = nextRun(emulator, journal, settings);
    const recovered = await inParallel(indices, (index) => createDeployment(session, member(index, wait)));
    expect(recovered.map(({ id }) => id)).toEqual(created.map(({ id }) => id));
    expect(emulator.requests.every(({ method }) => method === "GET")).toBe(true);
    expect(emulator.requests.length).toBeLessThanOrEqual(Math.ceil(COUNT / 100) + 5);
    expect(warnings()).toHaveLength(COUNT);
    for (const warning of warnings()) expect(warning).toContain("which an interrupted creation made");
    expect(recovered.every(({ outputs }) => !wait || outputs.rolloutState === "deployed")).toBe(true);
  },
);
