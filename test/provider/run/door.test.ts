import { RefusedError } from "../../../provider/failure";
import { type Act, Door } from "../../../provider/run/door";
import { createdDeployment } from "../../support/createdDeployment";
import { started } from "../../support/embeddedService";
import { journalFolder, killedRun, nextRun } from "../../support/interruptedRun";
import { chat, failureOf, provided } from "../../support/providerRun";
import { createDeployment, deployment, updateDeployment } from "../../support/resourceCalls";

const ID = "d-1";
const NAME = "chat";
const requests = {
  create: { method: "POST", path: "/v2/deployments", body: { name: NAME } },
  change: { method: "PATCH", path: `/v2/deployments/${ID}` },
  revise: { method: "POST", path: `/v2/deployments/${ID}/revisions` },
  delete: { method: "DELETE", path: `/v2/deployments/${ID}` },
} as const;
const ACTS = Object.keys(requests) as Act[];

/** The acts that the door allows if it has these permits. */
function passing(...permits: readonly Parameters<Door["permit"]>[]): Act[] {
  const door = new Door();
  for (const permit of permits) door.permit(...permit);
  return ACTS.filter((act) => {
    try {
      door.check(requests[act]);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(RefusedError);
      return false;
    }
  });
}

test("a request passes only if a permit covers its act and its id or, for a creation, the new name", () => {
  expect(passing()).toEqual([]);
  expect(passing(["creation", NAME])).toEqual(["create"]);
  expect(passing(["creation", ID])).toEqual(["change"]);
  for (const road of ["adoption", "update", "remake", "restore"] as const)
    expect(passing([road, ID])).toEqual(["change", "revise"]);
  expect(passing(["update", ID, ["revise"]])).toEqual(["change"]);
  expect(passing(["deletion", ID])).toEqual(["delete"]);
  expect(passing(["import", ID], ["resumption", ID])).toEqual([]);
  expect(passing(["creation", "other"], ["update", "d-2"], ["deletion", "d-2"])).toEqual([]);
});

test("a read needs no permit, nor does a change to a listener, but the deletion of any resource needs a permit", () => {
  const door = new Door();
  door.check({ method: "GET", path: `/v2/deployments/${ID}` });
  door.check({ method: "PATCH", path: "/v2/listeners/l-1" });
  const remove = { method: "DELETE", path: "/v2/listeners/l%201" } as const;
  expect(() => door.check(remove)).toThrow("no plan of this run allows to delete l 1");
  door.permit("deletion", "l 1");
  door.check(remove);
});

test.each([
  ["createDeployment", () => [{ name: NAME }]],
  ["updateDeployment", (id: string) => [id, { source_config: {} }]],
  ["createRevision", (id: string) => [id, {}]],
  ["deleteDeployment", (id: string) => [id]],
  ["deleteListener", (id: string) => [id]],
] as const)("if no plan has given a permit, %s is refused before it is sent", async (name, args) => {
  const { emulator, service } = await provided({ profile: "langsmith" });
  const [id = ""] = emulator.seed(1);
  emulator.requests.length = 0;
  const send = service.endpoints[name].bind(service.endpoints) as (...sent: unknown[]) => Promise<unknown>;
  const error = await failureOf(send(...args(id)));
  expect(error.message).toMatch(/was not sent: no plan of this run allows to/);
  expect(emulator.requests).toEqual([]);
});

const inPlace = { ...chat, sourceConfig: { buildOnPush: false } };
const revising = { ...chat, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };

test.each([
  ["in place", inPlace],
  ["no change", chat],
])(
  "if the plan of the run said %s, an update that would make a revision is refused, and nothing is sent",
  async (_said, planned) => {
    const { id, emulator, outputs, later } = await createdDeployment(chat);
    const { session } = later();
    await deployment.diff(session, id, outputs, planned, true);
    emulator.requests.length = 0;
    const error = await failureOf(deployment.update(session, id, outputs, revising));
    expect(error.message).toContain("the update may make a revision, but its plan announced none");
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    await updateDeployment(later().session, id, outputs, revising);
    expect(emulator.deployments()[0]?.revisions).toHaveLength(2);
  },
);

test("if an update makes a revision that its plan did not announce and the revision fails, the restore that the program asks for is sent", async () => {
  const image = (tag: number) => ({
    ...chat,
    source: "external_docker",
    sourceConfig: {},
    sourceRevisionConfig: { imageUri: `chat:${tag}` },
    rollout: { onFailure: "restore" },
  });
  const profileOverrides = '{"classes": {"sourceRevisionConfig.imageUri": "inPlace"}}';
  const { id, emulator, outputs, later } = await createdDeployment(image(1), {}, { profileOverrides });
  const { session } = later();
  await deployment.diff(session, id, outputs, image(2), true);
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const error = await failureOf(deployment.update(session, id, outputs, image(2)));
  expect(error.message).toContain("were restored: deployed as revision");
  expect(emulator.deployments()[0]?.source_revision_config).toMatchObject({ image_uri: "chat:1" });
});

test('newRevisions "forbid" also applies to the changes after the take-over of an interrupted creation', async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  emulator.failNext({ kind: "drop-after", match: { method: "POST" } });
  await killedRun(emulator, journal, chat);
  const { session } = nextRun(emulator, journal, { newRevisions: "forbid" });
  const error = await failureOf(createDeployment(session, revising));
  expect(error.message).toContain(
    `the configuration's newRevisions is "forbid", but the update after its take-over may make a revision`,
  );
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});
