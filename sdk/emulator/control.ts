/**
 * Operations for tests, beyond the calls of the emulated service. Each operation is a method of the emulator and, for
 * tests in another process, a POST under `/_emulator/`.
 */
import type { IncomingMessage } from "node:http";
import { schemaOfRows } from "../../provider/fields/check";
import type { Rows, ValuesOf } from "../../provider/fields/kind";
import { isLoopback, type Properties } from "../../provider/fields/value";
import { applyBehaviour } from "./behaviour";
import * as rows from "./controlRows";
import type { Fault } from "./faults";
import { Answer, invalid, type Received, type RecordedRequest, Refusal, requiredJson } from "./http/message";
import * as deployments from "./resources/deployments/control";
import { addListener, listeners } from "./resources/listeners";
import { addRepositories, repositories } from "./resources/repositories";
import { addToken, tokens } from "./resources/tokens";
import type { EmulatedService } from "./service";
import { BODY, checkBody } from "./validation";

type Method<A extends unknown[], R> = (...args: A) => R;

interface Operation<A extends unknown[], R> {
  /** The path below `/_emulator/`. */
  readonly path: string;
  readonly run: (service: EmulatedService, ...args: A) => R;
  /** The rows that describe the members of the POST's body. */
  readonly rows: Rows;
  /** Whether the body may have members that no row names. */
  readonly isOpen: boolean;
  /** Calls the method with the body's arguments. */
  readonly call: (body: never, method: never) => unknown;
}

function operation<A extends unknown[], R, T extends Rows>(
  path: string,
  run: (service: EmulatedService, ...args: A) => R,
  rows: T,
  call: (body: ValuesOf<T>, method: Method<NoInfer<A>, NoInfer<R>>) => unknown,
  isOpen = false,
): Operation<A, R> {
  return { path, run, rows, call, isOpen };
}

const operations = {
  /** Makes a revision, as a push to the repository does, and returns the revision. */
  push: operation("push", deployments.push, rows.pushRows, ({ deploymentId, ...commit }, push) =>
    push(deploymentId, commit),
  ),
  /** Merges the fields, under wire names, deeply (RFC 7386) into a stored deployment; makes no request or revision. */
  change: operation("change", deployments.change, rows.changeRows, ({ deploymentId, patch }, change) =>
    change(deploymentId, patch),
  ),
  /** Ends the newest revision at once with a status; a message says why the revision failed. */
  settle: operation(
    "settle",
    deployments.settle,
    rows.settleRows,
    ({ deploymentId, status, message }, settle) => settle(deploymentId, status, message),
  ),
  /** Removes a deployment without a request. */
  remove: operation("remove", deployments.remove, rows.removeRows, ({ deploymentId }, remove) =>
    remove(deploymentId),
  ),
  /** Installs a listener, as an operator does outside the contract; returns the stored listener. */
  addListener: operation("listeners", addListener, rows.listenerRows, (body, add) => add(body), true),
  /** Makes repositories reachable through an integration; an empty list makes an empty integration. */
  addRepositories: operation(
    "repositories",
    addRepositories,
    rows.repositoriesRows,
    ({ integrationId, repositories }, add) => add(integrationId, repositories),
    true,
  ),
  /** Stores a provider's token. */
  addToken: operation("tokens", addToken, rows.tokenRows, (body, add) => add(body), true),
  /**
   * Quickly adds READY deployments, named seed-0001, seed-0002 and so on; returns their ids in the order of the names.
   */
  seed: operation("seed", deployments.seed, rows.seedRows, ({ count }, seed) => seed(count)),
  /** Adds a fault for later requests; faults happen in the order in which they were added. */
  failNext: operation(
    "fail",
    ({ faults }, fault: Fault) => faults.add(fault),
    rows.faultRows,
    ({ match, ...fault }, fail) => fail({ ...fault, ...(match && { match: matchOf(match) }) } as Fault),
  ),
};

const OPEN = {};

/** Changes options; null restores a default. A test in the same process assigns to `emulator.behaviour` instead. */
const changeBehaviour = operation(
  "behaviour",
  ({ behaviour }, change: Properties) => {
    applyBehaviour(behaviour, change);
    return behaviour;
  },
  {},
  (body, change) => change(body),
  true,
);

type AnyOperation = Operation<never[], unknown>;

const operationsByPath = new Map<string, AnyOperation>(
  [...Object.values(operations), changeBehaviour].map((each) => [each.path, each]),
);

type Reading = (service: EmulatedService, requests: readonly RecordedRequest[]) => unknown;

const readings = {
  /** All that the service stores, under wire names, including the values of secrets. */
  state: (service) => ({
    deployments: deployments.deploymentStates(service),
    listeners: listeners.all(service),
    repositories: repositories(service),
    tokens: tokens.all(service),
  }),
  /** Requests so far, oldest first, with headers, body and the status of the answer. */
  requests: (_, requests) => requests,
  /** The options as they are now. */
  behaviour: ({ behaviour }) => behaviour,
} satisfies Record<string, Reading>;

type ControlCall =
  | { readonly method: "GET"; readonly path: string }
  | { readonly method: "POST"; readonly path: string; readonly rows: Rows };

/** Every operation that `answerControl` handles, with the rows of its body. */
export const CONTROL_CALLS: readonly ControlCall[] = [
  ...Object.keys(readings).map((path) => ({ method: "GET" as const, path })),
  ...[...operationsByPath.values()].map(({ path, rows }) => ({ method: "POST" as const, path, rows })),
];

/** The operations as methods. */
export type Controls = {
  readonly [K in keyof typeof operations]: (typeof operations)[K] extends Operation<infer A, infer R>
    ? Method<A, R>
    : never;
};

export function controlsOf(service: EmulatedService): Controls {
  const methods = Object.entries<AnyOperation>(operations).map(([name, each]) => [
    name,
    methodOf(service, each),
  ]);
  return Object.fromEntries(methods) as Controls;
}

/**
 * Makes a method that carries out the operation. The method copies its arguments and its answer, so that the test
 * shares no object with the state.
 */
function methodOf(service: EmulatedService, { run }: AnyOperation): Method<never[], unknown> {
  return (...args) => {
    const answer = run(service, ...structuredClone(args));
    service.store.save();
    return structuredClone(answer);
  };
}

/** Answers a request under `/_emulator/`. */
export function answerControl(
  service: EmulatedService,
  requests: readonly RecordedRequest[],
  received: Received,
): Answer {
  checkCaller(service, received.request);
  const path = received.url.pathname.slice("/_emulator/".length);
  if (received.method === "GET") return new Answer(200, readControl(service, requests, path));
  const operation = operationsByPath.get(path);
  if (!operation || received.method !== "POST") throw new Refusal(404, "Not Found");
  const schema = schemaOfRows(operation.rows, operation.isOpen ? OPEN : BODY);
  const body = checkBody({ schema }, requiredJson(received));
  try {
    return new Answer(200, operation.call(body as never, methodOf(service, operation) as never) ?? {});
  } catch (error) {
    if (error instanceof TypeError) throw invalid(["body"], error.message, "value_error");
    throw error;
  }
}

/**
 * Protects the secrets in the state: refuses a caller without the API key; if no key is set, refuses other machines.
 */
function checkCaller(service: EmulatedService, { headers, socket }: IncomingMessage): void {
  const { apiKey, authHeader } = service.behaviour;
  if (apiKey !== undefined && headers[authHeader.toLowerCase()] !== apiKey)
    throw new Refusal(403, `To control the emulator, send its API key in the header ${authHeader}.`);
  const isNear = /^(::1$|(::ffff:)?127\.)/.test(socket.remoteAddress ?? "");
  const host = `http://${headers.host}`;
  if (apiKey === undefined && !(isNear && URL.canParse(host) && isLoopback(host)))
    throw new Refusal(
      403,
      "Without an API key, the emulator can be controlled only from its own machine, by a loopback address.",
    );
}

function readControl(service: EmulatedService, requests: readonly RecordedRequest[], path: string): unknown {
  if (!Object.hasOwn(readings, path)) throw new Refusal(404, "Not Found");
  return readings[path as keyof typeof readings](service, requests);
}

function matchOf({ method, pathPattern }: { method?: string; pathPattern?: string }): Fault["match"] {
  try {
    return { method, pathPattern: pathPattern === undefined ? undefined : new RegExp(pathPattern) };
  } catch {
    throw invalid(["body", "match", "pathPattern"], "is not a regular expression", "value_error");
  }
}
