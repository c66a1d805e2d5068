/**
 * Operations for tests, which callers of the service do not have. Each one is both a method of the emulator and a POST under
 * `/_emulator/` for tests in another process.
 */
import type { IncomingMessage } from "node:http";
import { schemaOfRows } from "../../provider/fields/check";
import {
  computed,
  decimal,
  integer,
  integerFrom,
  json,
  jsonObject,
  listOf,
  mapOf,
  nonEmptyText,
  object,
  type Rows,
  required,
  text,
  type ValuesOf,
} from "../../provider/fields/kind";
import { isLoopback, type Properties } from "../../provider/fields/value";
import { applyBehaviour } from "./behaviour";
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
  /** Below `/_emulator/`. */
  readonly path: string;
  readonly run: (service: EmulatedService, ...args: A) => R;
  /** The rows of the body. */
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

const optionalText = computed(nonEmptyText);
const name = required(optionalText);
const record = computed(jsonObject);
const faultRows = {
  kind: name,
  match: computed(object({ method: optionalText, pathPattern: optionalText })),
  times: computed(integer),
  /** A number, or the text of a revision's status. */
  status: computed(json),
  /** Why the revision fails. */
  message: optionalText,
  body: computed(json),
  contentType: optionalText,
  headers: computed(mapOf(text)),
  ms: computed(decimal),
};
const repository = object({ owner: name, name });

const operations = {
  /** Makes a revision, like a push to the repository. */
  push: operation(
    "push",
    deployments.push,
    { deploymentId: name, repoRef: optionalText, commitSha: optionalText },
    ({ deploymentId, ...commit }, push) => push(deploymentId, commit),
  ),
  /** Changes a stored deployment without a request or a revision: deeply merges wire names (RFC 7386). */
  change: operation(
    "change",
    deployments.change,
    { deploymentId: name, patch: required(record) },
    ({ deploymentId, patch }, change) => change(deploymentId, patch),
  ),
  /** Ends the newest revision at once with a status; a message says why it failed. */
  settle: operation(
    "settle",
    deployments.settle,
    { deploymentId: name, status: name, message: optionalText },
    ({ deploymentId, status, message }, settle) => settle(deploymentId, status, message),
  ),
  /** Removes a deployment without a request. */
  remove: operation("remove", deployments.remove, { deploymentId: name }, ({ deploymentId }, remove) =>
    remove(deploymentId),
  ),
  /** Installs a listener, as an operator does outside the contract; returns the stored one. */
  addListener: operation("listeners", addListener, { compute_id: name }, (body, add) => add(body), true),
  /** Makes repositories reachable through an integration; an empty list makes an empty integration. */
  addRepositories: operation(
    "repositories",
    addRepositories,
    { integrationId: name, repositories: required(computed(listOf(repository))) },
    ({ integrationId, repositories }, add) => add(integrationId, repositories),
    true,
  ),
  /** Stores a provider's token. */
  addToken: operation("tokens", addToken, { id: name }, (body, add) => add(body), true),
  /** Quickly adds READY deployments named seed-0001 and so on; returns their ids in that order. */
  seed: operation(
    "seed",
    deployments.seed,
    { count: required(computed(integerFrom(1))) },
    ({ count }, seed) => seed(count),
  ),
  /** Adds a fault; faults happen in the order of the calls. */
  failNext: operation(
    "fail",
    ({ faults }, fault: Fault) => faults.add(fault),
    faultRows,
    ({ match, ...fault }, fail) => fail({ ...fault, ...(match && { match: matchOf(match) }) } as Fault),
  ),
};

const OPEN = {};

/** Only over HTTP; in the same process a test assigns to `emulator.behaviour`. */
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

/** Saves the state afterwards. Copies arguments and result, so that the test shares no object with the state. */
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

/** The state has secrets, so callers need the key. If none is set, only programs on this machine may call. */
function checkCaller(service: EmulatedService, { headers, socket }: IncomingMessage): void {
  const { apiKey, authHeader } = service.behaviour;
  if (apiKey !== undefined && headers[authHeader.toLowerCase()] !== apiKey)
    throw new Refusal(403, `The emulator is controlled with its API key, in the header ${authHeader}.`);
  const isNear = /^(::1$|(::ffff:)?127\.)/.test(socket.remoteAddress ?? "");
  const host = `http://${headers.host}`;
  if (apiKey === undefined && !(isNear && URL.canParse(host) && isLoopback(host)))
    throw new Refusal(403, "The emulator is controlled from its own machine, by a loopback address.");
}

function readControl(service: EmulatedService, requests: readonly RecordedRequest[], path: string): unknown {
  if (path === "requests") return requests;
  if (path === "behaviour") return service.behaviour;
  if (path !== "state") throw new Refusal(404, "Not Found");
  return {
    deployments: deployments.deploymentStates(service),
    listeners: listeners.all(service),
    repositories: repositories(service),
    tokens: tokens.all(service),
  };
}

function matchOf({ method, pathPattern }: { method?: string; pathPattern?: string }): Fault["match"] {
  try {
    return { method, pathPattern: pathPattern === undefined ? undefined : new RegExp(pathPattern) };
  } catch {
    throw invalid(["body", "match", "pathPattern"], "is no regular expression", "value_error");
  }
}
