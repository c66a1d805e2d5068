/**
 * Used by the provider's tests: a service, a run against it with a clock that the test chooses, and the run's messages.
 */

import type { Clock } from "../../provider/client/clock";
import { labeled } from "../../provider/diff/describe";
import { EngineRun, type RequestGate, type Service } from "../../provider/run/run";
import type { Properties } from "../../provider/schema/value";
import type { Emulator, EmulatorOptions } from "../../sdk/emulator";
import { started } from "./embeddedService";

export { failureOf } from "./httpServer";

export interface Provided {
  readonly emulator: Emulator;
  readonly session: EngineRun;
  readonly service: Service;
  /** The run's messages, each with `info` or `warn` before it. */
  readonly told: string[];
  readonly warnings: () => string[];
  /** Returns the requests since the last call of `sent`, such as `PATCH /v2/deployments/ID`. */
  readonly sent: () => string[];
}

const sessions: Service[] = [];
afterEach(() => Promise.all(sessions.splice(0).map(({ endpoints }) => endpoints.close())));

/** A clock on which sleeps last 5 ms at most, because revisions and look-ups need no real waiting. */
export const hastyClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((done) => setTimeout(done, Math.min(milliseconds, 5))),
};

export async function provided(
  options: EmulatorOptions = {},
  settings: { readonly [key: string]: string } = {},
  clock: Clock = hastyClock,
): Promise<Provided> {
  const emulator = await started(options);
  return { emulator, ...sessionOn(emulator, { profile: options.profile ?? "contract", ...settings }, clock) };
}

/** Starts a new run against the service. */
export function sessionOn(
  emulator: Emulator,
  settings: { readonly [key: string]: string } = {},
  clock: Clock = hastyClock,
  gate?: RequestGate,
): Omit<Provided, "emulator"> {
  const told: string[] = [];
  const reporter = {
    info: async (urn: string, words: string, label?: string) =>
      void told.push(`info ${urn} ${labeled(label, words)}`),
    warn: async (urn: string, words: string, label?: string) =>
      void told.push(`warn ${urn} ${labeled(label, words)}`),
  };
  const source = (key: string) =>
    ({ baseUrl: emulator.url, maxRetries: "1", journal: "off", ...settings })[key];
  const session = new EngineRun(source, reporter, clock, gate);
  const service = session.service(undefined);
  sessions.push(service);
  const sent = () =>
    emulator.requests
      .splice(0)
      .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "ID")}`);
  return { session, service, told, warnings: () => told.filter((words) => words.startsWith("warn")), sent };
}

/** Makes a deployment on the service, but no resource that manages it. */
export function madeOn({ session, service }: Pick<Provided, "session" | "service">, body: Properties) {
  session.door.permit("creation", body.name as string);
  return service.endpoints.createDeployment(body);
}

export const URN = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:Deployment::chat";

/** Inputs of a deployment, as the engine passes them to `create` after `check`. */
export const chat = {
  __urn: URN,
  name: "chat",
  source: "repohost",
  sourceConfig: { buildOnPush: true },
  sourceRevisionConfig: { repoRef: "main" },
  secrets: { TOKEN: "token-secret-value" },
  revisionGeneration: 1,
  secretGenerations: { TOKEN: 1 },
};

/** Number of calls that the engine makes at the same time on a machine with two cores. */
export const PARALLEL = 8;

/** Starts the calls in order, several at a time, as the engine does. */
export async function inParallel<T, R>(
  items: readonly T[],
  call: (item: T) => Promise<R>,
  parallel = PARALLEL,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.map((item, index) => ({ item, index }));
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      results[next.index] = await call(next.item);
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return results;
}
