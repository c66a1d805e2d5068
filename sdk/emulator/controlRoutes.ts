/** The control operations over HTTP, for when the emulator is another process: everything under `/_emulator/`. */
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { applyBehaviour } from "./behaviour";
import * as control from "./control";
import type { Fault } from "./faults";
import type { JsonRecord } from "./mergePatch";
import type { RecordedRequest } from "./recording";
import { invalid, Refusal } from "./refusal";
import { requiredJson } from "./requestBody";
import type { Answer } from "./server";
import type { Service } from "./service";

export interface Control {
  readonly service: Service;
}

interface ControlRequest {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly url: URL;
  readonly text: string;
}

interface Operation {
  readonly schema: z.ZodType;
  readonly run: (service: Service, body: never) => unknown;
}

const text = z.string().min(1);

function operation<S extends z.ZodType>(
  schema: S,
  run: (service: Service, body: z.output<S>) => unknown,
): Operation {
  return { schema, run };
}

const operations: Readonly<Record<string, Operation>> = {
  behaviour: operation(z.record(z.string(), z.unknown()), (service, body) => {
    applyBehaviour(service.behaviour, body);
    return service.behaviour;
  }),
  fail: operation(
    z.looseObject({
      kind: text,
      match: z.strictObject({ method: text.optional(), pathPattern: text.optional() }).optional(),
    }),
    (service, { match, ...fault }) =>
      service.faults.add({ ...fault, ...(match && { match: matchOf(match) }) } as Fault),
  ),
  push: operation(
    z.strictObject({ deploymentId: text, repoRef: text.optional(), commitSha: text.optional() }),
    (service, { deploymentId, ...push }) => control.push(service, deploymentId, push as control.Push),
  ),
  change: operation(
    z.strictObject({ deploymentId: text, patch: z.record(z.string(), z.unknown()) }),
    (service, { deploymentId, patch }) => control.change(service, deploymentId, patch as JsonRecord),
  ),
  settle: operation(
    z.strictObject({ deploymentId: text, status: text }),
    (service, { deploymentId, status }) => control.settle(service, deploymentId, status),
  ),
  remove: operation(z.strictObject({ deploymentId: text }), (service, { deploymentId }) =>
    control.remove(service, deploymentId),
  ),
  seed: operation(z.strictObject({ count: z.int().min(1) }), (service, { count }) =>
    control.seed(service, count),
  ),
  listeners: operation(z.looseObject({ compute_id: text }), (service, body) =>
    control.install(service, body),
  ),
  repositories: operation(
    z.strictObject({
      integrationId: text,
      repositories: z.array(z.looseObject({ owner: text, name: text })),
    }),
    (service, { integrationId, repositories }) => control.connect(service, integrationId, repositories),
  ),
  tokens: operation(z.looseObject({ id: text }), (service, body) => control.keepToken(service, body)),
};

/** Answers a request under `/_emulator/`. */
export function answerControl(
  { service }: Control,
  requests: RecordedRequest[],
  received: ControlRequest,
): Answer {
  checkCaller(service, received.request);
  const name = received.url.pathname.slice("/_emulator/".length);
  if (received.method === "GET") return { status: 200, body: shown(service, requests, name) };
  const found = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!found || received.method !== "POST") throw new Refusal(404, "Not Found");
  const { error, data } = found.schema.safeParse(requiredJson(received.request, received.text));
  if (error) throw new Refusal(422, error.issues.map(detailOf));
  return { status: 200, body: refusing(() => found.run(service, data as never)) ?? {} };
}

// The state has secrets in it; a caller from elsewhere must at least know the key.
function checkCaller(service: Service, request: IncomingMessage): void {
  const address = request.socket.remoteAddress ?? "";
  if (address === "::1" || /^(::ffff:)?127\./.test(address)) return;
  const { apiKey, authHeader } = service.behaviour;
  if (apiKey !== undefined && request.headers[authHeader.toLowerCase()] === apiKey) return;
  throw new Refusal(403, "The emulator is controlled from its own machine, or with its API key.");
}

function shown(service: Service, requests: RecordedRequest[], name: string): unknown {
  if (name === "requests") return requests;
  if (name === "behaviour") return service.behaviour;
  if (name !== "state") throw new Refusal(404, "Not Found");
  const { listeners, repositories, tokens } = service.store.state;
  return { deployments: control.deploymentStates(service), listeners, repositories, tokens };
}

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof TypeError) throw invalid(["body"], error.message, "value_error");
    throw error;
  }
}

function matchOf({ method, pathPattern }: { method?: string | undefined; pathPattern?: string | undefined }) {
  return { ...(method && { method }), ...(pathPattern && { pathPattern: patternOf(pathPattern) }) };
}

function patternOf(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch {
    throw invalid(["body", "match", "pathPattern"], "is no regular expression", "value_error");
  }
}

function detailOf(issue: z.core.$ZodIssue) {
  return {
    loc: ["body", ...(issue.path as (string | number)[])],
    msg: issue.message,
    type: issue.code ?? "invalid",
  };
}
