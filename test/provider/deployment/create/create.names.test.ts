/** Names that the service takes without the program: by its previews, and by a deployment whose deletion goes on. */
import { RefusedError } from "../../../../provider/failure";
import { createdDeployment } from "../../../support/createdDeployment";
import { chat, failureOf, provided, URN } from "../../../support/providerRun";
import { createDeployment, deployment, destroyDeployment } from "../../../support/resourceCalls";
import { sharedClock } from "../../../support/sharedClock";

const langsmith = { profile: "langsmith" } as const;
const bot = {
  __urn: URN,
  name: "bot",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.test/bot:1" },
};

test.each([false, true])(
  "a preview of the service is neither in the way of its name nor adopted by it (adopt: %s)",
  async (adopt) => {
    const { emulator, session } = await provided(langsmith);
    const [preview = ""] = emulator.seed(1, true);
    const { id } = await createDeployment(session, { ...bot, name: "preview-0001", adopt });
    expect(id).not.toBe(preview);
    expect(emulator.deployments()).toHaveLength(2);
  },
);

test("after a lost answer, a preview of the same name is not taken for the deployment that the request made", async () => {
  const { emulator, session } = await provided(langsmith);
  emulator.seed(1, true);
  emulator.failNext({ kind: "drop-before", match: { method: "POST" } });
  const error = await failureOf(createDeployment(session, { ...bot, name: "preview-0001" }));
  expect(error.message).toContain("it is not known whether it was made");
});

test("under profile contract, the mark of a preview means nothing: the name is taken", async () => {
  const { emulator, session } = await provided();
  const [id = ""] = emulator.seed(1, true);
  const error = await failureOf(createDeployment(session, { ...chat, name: "preview-0001" }));
  expect(error).toBeInstanceOf(RefusedError);
  expect(error.message).toContain(`exists already on ${emulator.url} (id ${id})`);
});

const CONFLICT = { kind: "status", status: 409, match: { method: "POST" } } as const;

/** A run that replaces the deployment under its own name: it plans that, and deletes the old deployment. */
async function deletedFirst(rollout: object = {}) {
  const { emulator, id, outputs, later } = await createdDeployment(bot, langsmith);
  const run = later(sharedClock());
  const args = { ...bot, source: "internal_docker", rollout };
  const planned = await deployment.diff(run.session, id, outputs, args, true);
  expect(planned).toMatchObject({ replaces: ["source"], deleteBeforeReplace: true });
  await destroyDeployment(run.session, id, outputs);
  return { ...run, emulator, create: () => createDeployment(run.session, args) };
}

test("the name that this run's own deletion has not freed yet is waited for, and the wait is told", async () => {
  const { emulator, create, told } = await deletedFirst();
  emulator.failNext({ ...CONFLICT, times: 3 });
  const { id } = await create();
  expect(emulator.deployments().map((each) => [each.id, each.source])).toEqual([[id, "internal_docker"]]);
  expect(told.filter((words) => words.includes("has not freed the name yet"))).toHaveLength(3);
});

test("the wait for a name ends with the time-out of the creation, and then the service's answer is the error", async () => {
  const { emulator, create } = await deletedFirst({ timeoutSeconds: 25 });
  emulator.requests.length = 0;
  emulator.failNext({ ...CONFLICT, times: 100 });
  expect(await failureOf(create())).toMatchObject({ status: 409 });
  expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(4);
});

test("a name that somebody else has taken is not a reason to wait", async () => {
  const { emulator, session } = await provided(langsmith);
  emulator.failNext({ ...CONFLICT, times: 100 });
  expect(await failureOf(createDeployment(session, bot))).toMatchObject({ status: 409 });
  expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
});
