/** The display name, which a PATCH sends after the creation. */
import type { UnfinishedError } from "../../../../provider/failure";
import type { Properties } from "../../../../provider/schema/value";
import { createdDeployment } from "../../../support/createdDeployment";
import { started } from "../../../support/embeddedService";
import { journalFolder, killedRun, nextRun } from "../../../support/interruptedRun";
import { failureOf, provided, sessionOn, URN } from "../../../support/providerRun";
import { createDeployment, deployment, updateDeployment } from "../../../support/resourceCalls";

const titled = (displayName?: string): Properties => ({
  __urn: URN,
  name: "chat",
  source: "internal_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat@sha256:1" },
  ...(displayName !== undefined && { displayName }),
});
const service = () => provided({ profile: "langsmith" });
const PATCH = { method: "PATCH" } as const;

test("a creation sends the display name in a separate PATCH, which makes no revision", async () => {
  const { emulator, session } = await service();
  const { outputs } = await createDeployment(session, titled("Chat"));
  const writes = emulator.requests.filter(({ method }) => method !== "GET");
  expect(writes.map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  expect(writes[0]?.body).not.toHaveProperty("display_name");
  expect(writes[1]?.body).toEqual({ display_name: "Chat" });
  expect(outputs).toMatchObject({ displayName: "Chat", rolloutState: "deployed" });
  expect(emulator.deployments()).toMatchObject([{ display_name: "Chat", revisions: [{}] }]);
});

test("if the PATCH fails, the state lacks the display name, and the next update sets the name on the same deployment", async () => {
  const { emulator, session } = await service();
  emulator.failNext({ kind: "status", status: 422, body: { detail: "no" }, match: PATCH });
  const error = await failureOf<UnfinishedError>(createDeployment(session, titled("Chat")));
  expect(error.message).toContain("but its display_name could not be set: ");
  expect(error.properties).not.toHaveProperty("displayName");
  const next = sessionOn(emulator, { profile: "langsmith" });
  const id = emulator.deployments()[0]?.id as string;
  await deployment.diff(next.session, id, error.properties, titled("Chat"), true);
  expect(next.told.join()).toContain("displayName (not set) -> Chat");
  await updateDeployment(next.session, id, error.properties, titled("Chat"));
  expect(emulator.deployments()).toMatchObject([{ display_name: "Chat", revisions: [{}] }]);
});

test.each([
  ["POST", "drop-after"],
  ["PATCH", "drop-before"],
  ["PATCH", "drop-after"],
] as const)(
  "if the run is killed at the %s (%s), the next run sets the display name and makes nothing twice",
  async (method, kind) => {
    const [journal, emulator] = [journalFolder(), await started({ profile: "langsmith" })];
    const settings = { profile: "langsmith", maxRetries: "1" };
    emulator.failNext({ kind, match: { method } });
    await killedRun(emulator, journal, titled("Chat"), settings);
    const { session } = nextRun(emulator, journal, settings);
    const { outputs } = await createDeployment(session, titled("Chat"));
    expect(outputs).toMatchObject({ displayName: "Chat", rolloutState: "deployed" });
    expect(emulator.deployments()).toMatchObject([{ display_name: "Chat", revisions: [{}] }]);
  },
);

test("a changed display name is updated in place, a removed display name stays with a warning, and a refresh reads a user's change to the display name", async () => {
  const { emulator, id, plan, update, writes, refresh } = await createdDeployment(titled("Chat"), {
    profile: "langsmith",
  });
  expect((await plan(titled("Talk"))).told.join()).toContain(
    "updates in place, no new revision (displayName Chat -> Talk)",
  );
  const after = await update(titled("Talk"));
  expect(writes()).toEqual([{ display_name: "Talk" }]);
  expect((await plan(titled(), after)).warnings().join()).toContain(
    "the service keeps what the program no longer sets: displayName",
  );
  emulator.change(id, { display_name: "By hand" });
  expect((await refresh(after)).outputs).toMatchObject({ displayName: "By hand" });
});
