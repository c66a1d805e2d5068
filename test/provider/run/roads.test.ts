import type { UnfinishedError } from "../../../provider/failure";
import { type Act, ROADS, type Road } from "../../../provider/run/door";
import type { Properties } from "../../../provider/schema/value";
import { createdDeployment } from "../../support/createdDeployment";
import { failureOf, chat as plain, provided } from "../../support/providerRun";
import {
  createDeployment,
  deployment,
  destroyDeployment,
  readDeployment,
  updateDeployment,
} from "../../support/resourceCalls";

type Profile = "contract" | "langsmith";
type Requests = readonly { readonly method: string; readonly path: string }[];

const ACTS: { readonly [method: string]: Act } = { POST: "create", PATCH: "change", DELETE: "delete" };

/** The act of each write among the requests. */
const actsOf = (requests: Requests): Act[] =>
  requests
    .filter(({ method, path }) => method !== "GET" && !path.endsWith("_logs"))
    .map(({ method, path }) => (path.endsWith("/revisions") ? "revise" : (ACTS[method] as Act)));

const chat = {
  ...plain,
  sourceConfig: {
    ...plain.sourceConfig,
    integrationId: "7a5c1d1e-6a5b-4b3c-8d2e-0f1a2b3c4d5e",
    repoUrl: "https://code.example/chat",
    deploymentType: "dev",
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graphs.json" },
};
const next = {
  ...chat,
  sourceRevisionConfig: { ...chat.sourceRevisionConfig, repoRef: "next" },
  revisionGeneration: 2,
};
/** The arguments of a deployment. Under langsmith, they include an argument that no POST accepts. */
const newDeployment = (profile: Profile) =>
  profile === "langsmith" ? { ...chat, displayName: "Chat" } : chat;
/** The inputs with a change in place. */
const unpushed = (inputs: Properties) => ({
  ...inputs,
  sourceConfig: { ...chat.sourceConfig, buildOnPush: false },
});

/** Runs an update whose revision fails. */
async function failing(profile: Profile, inputs: Properties) {
  const run = await createdDeployment(inputs, { profile });
  run.emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const error = await failureOf<UnfinishedError>(run.update({ ...inputs, ...next }));
  return { ...run, state: error.properties };
}

/** For each kind of operation, a function that runs it and returns the requests that the service received. */
const travel: { readonly [R in Road]: (profile: Profile) => Promise<Requests> } = {
  async creation(profile) {
    const { emulator, session } = await provided({ profile });
    await createDeployment(session, newDeployment(profile));
    return emulator.requests;
  },
  async adoption(profile) {
    const { emulator, id, later } = await createdDeployment(chat, { profile });
    await createDeployment(later().session, unpushed({ ...next, adopt: id }));
    return emulator.requests;
  },
  async import(profile) {
    const { emulator, session } = await provided({ profile });
    const [id = ""] = emulator.seed(1);
    await readDeployment(session, id, {});
    return emulator.requests;
  },
  async update(profile) {
    const { emulator, update } = await createdDeployment(chat, { profile });
    await update(unpushed(next));
    return emulator.requests;
  },
  async resumption(profile) {
    const { emulator, id, outputs, later } = await createdDeployment(chat, { profile });
    await updateDeployment(later().session, id, { ...outputs, rolloutState: "unfinished" }, chat);
    return emulator.requests;
  },
  async remake(profile) {
    const { emulator, id, state, later } = await failing(profile, chat);
    emulator.requests.length = 0;
    await updateDeployment(later().session, id, state, unpushed(next));
    return emulator.requests;
  },
  async restore(profile) {
    const { emulator } = await failing(profile, { ...chat, rollout: { onFailure: "restore" } });
    const isWrite = ({ method, path }: Requests[number]) => method !== "GET" && !path.endsWith("_logs");
    // The failed update sent the first write.
    return emulator.requests.slice(emulator.requests.findIndex(isWrite) + 1);
  },
  async replacement(profile) {
    const { emulator, id, outputs, later } = await createdDeployment(chat, { profile });
    const { session } = later();
    const renamed = { ...newDeployment(profile), name: "other", onDestroy: "delete" };
    await deployment.diff(session, id, outputs, renamed, true);
    await createDeployment(session, renamed);
    await destroyDeployment(session, id, { ...outputs, onDestroy: "delete" });
    return emulator.requests;
  },
  async deletion(profile) {
    const { emulator, id, outputs, later } = await createdDeployment(chat, { profile });
    await destroyDeployment(later().session, id, { ...outputs, onDestroy: "delete" });
    return emulator.requests;
  },
};

test.each(Object.keys(ROADS) as Road[])(
  "%s: the service receives only requests that the table allows, and the two profiles together send every kind of allowed request",
  async (road) => {
    const acts = new Set<Act>();
    for (const profile of ["contract", "langsmith"] as const) {
      const requests = await travel[road](profile);
      for (const act of actsOf(requests)) acts.add(act);
    }
    expect([...acts].sort()).toEqual([...ROADS[road]].sort());
  },
);
