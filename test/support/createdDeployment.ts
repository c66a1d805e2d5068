/** A deployment that one run created, and functions that operate on it in that run and in later runs. */
import type { Clock } from "../../provider/client/clock";
import type { Properties } from "../../provider/schema/value";
import type { EmulatorOptions } from "../../sdk/emulator";
import { chat, hastyClock, provided, sessionOn } from "./providerRun";
import { createDeployment, deployment, readDeployment, updateDeployment } from "./resourceCalls";

type Settings = { readonly [key: string]: string };

export async function createdDeployment(
  inputs: Properties = chat,
  options: EmulatorOptions = {},
  settings: Settings = {},
  clock: Clock = hastyClock,
) {
  const run = await provided(options, settings, clock);
  const { emulator, session } = run;
  const { id, outputs } = await createDeployment(session, inputs);
  emulator.requests.length = 0;
  run.told.length = 0;
  const later = (laterClock: Clock = hastyClock) =>
    sessionOn(emulator, { profile: options.profile ?? "contract", ...settings }, laterClock);
  return {
    ...run,
    id,
    outputs,
    later,
    stored: () => emulator.deployments().find((each) => each.id === id),
    /** The bodies of all writes since the creation. */
    writes: () =>
      emulator.requests
        .filter(({ method, path }) => method !== "GET" && !path.endsWith("_logs"))
        .map(({ body }) => body),
    /** Updates the deployment in the run that created it. */
    update: (news: Properties, olds = outputs) => updateDeployment(session, id, olds, news),
    async refresh(state = outputs) {
      const laterRun = later();
      return { ...laterRun, ...(await readDeployment(laterRun.session, id, state)) };
    },
    async plan(news: Properties, olds = outputs) {
      const laterRun = later();
      const { inputs: planned } = await deployment.check(laterRun.session, olds, news);
      const { changes } = await deployment.diff(laterRun.session, id, olds, { ...news, ...planned }, true);
      return { ...laterRun, planned, changes };
    },
  };
}
