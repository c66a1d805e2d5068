/**
 * Helpers for all tests with the embedded service. They start a service for one test, check the service's requests,
 * close the service after the test, and send plain requests to the service.
 */

import { EmulatorServer } from "../../sdk/emulator/http/server";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../sdk/emulator/index";
import { watch } from "../endpoints/watching";

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of an answer.
  body: any;
  headers: Headers;
}

const running: Emulator[] = [];

afterEach(async () => {
  jest.useRealTimers();
  pauses?.mockRestore();
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

/** Starts a service for one test. The service's revisions take no time, unless the options say otherwise. */
export async function started(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ revisionSeconds: 0, ...options });
  running.push(emulator);
  watch(emulator.url, options.profile ?? "contract");
  return emulator;
}

export interface Clock {
  pass(ms: number): void;
}

/** Stops the service's clock, so that it advances only when the test calls `pass`; timers stay real. */
export function stoppedClock(): Clock {
  const timers = ["setTimeout", "setInterval", "setImmediate", "nextTick", "queueMicrotask"] as const;
  const realTimers = ["clearTimeout", "clearInterval", "clearImmediate", "performance", "hrtime"] as const;
  jest.useFakeTimers({ now: Date.now(), doNotFake: [...timers, ...realTimers] });
  return { pass: (ms) => void jest.setSystemTime(Date.now() + ms) };
}

let pauses: jest.SpyInstance | undefined;

/**
 * From now on, the service holds back each request that a fault of kind "delay" hits, until the test calls the returned
 * function. The order of events then does not depend on the machine's speed.
 */
export function heldRequests(): () => void {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  const server = EmulatorServer.prototype as unknown as { pause(ms: number): Promise<void> };
  pauses = jest.spyOn(server, "pause").mockImplementation((ms) => (ms > 0 ? released : Promise.resolve()));
  return release;
}

export async function ask(
  emulator: Emulator,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await fetch(emulator.url + path, {
    method,
    headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}

export const agent = {
  name: "agent",
  source: "repohost",
  source_config: { repo_url: "https://repohost.example.test/acme/agent", build_on_push: true },
  source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
  secrets: [
    { name: "B", value: "two" },
    { name: "A", value: "one" },
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: tests read any field of an answer.
export async function created(emulator: Emulator, body: object = agent): Promise<any> {
  const answer = await ask(emulator, "POST", "/v2/deployments", body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

export async function revisionsOf(emulator: Emulator, id: string) {
  return (await ask(emulator, "GET", `/v2/deployments/${id}/revisions?limit=100`)).body.resources;
}

/** The messages of an answer with status 422, by the path of the field. */
export function complaints({ status, body }: Answered): Record<string, string> {
  if (status !== 422) throw new Error(`${status} ${JSON.stringify(body)}`);
  return Object.fromEntries(
    body.detail.map((entry: { loc: string[]; msg: string }) => [entry.loc.join("."), entry.msg]),
  );
}
