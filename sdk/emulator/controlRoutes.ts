/** The control operations over HTTP, for tests in another process: everything under `/_emulator/`. */
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { applyBehaviour } from "./behaviour";
import type { Controls } from "./control";
import type { Fault } from "./faults";
import { Answer, invalid, Refusal } from "./http/answer";
import { type Received, type RecordedRequest, requiredJson } from "./http/request";
import type { Push } from "./resources/deployments/revisions";
import { listeners } from "./resources/listeners";
import { repositories } from "./resources/repositories";
import { tokens } from "./resources/tokens";
import type { Service } from "./service";
import { checkBody, rulesOf } from "./validation";

interface Operation {
  readonly schema: z.ZodType;
  readonly run: (controls: Controls, body: never, service: Service) => unknown;
}

const text = z.string().min(1);

function operation<S extends z.ZodType>(
  schema: S,
  run: (controls: Controls, body: z.output<S>, service: Service) => unknown,
): Operation {
  return { schema, run };
}

const operations: Readonly<Record<string, Operation>> = {
  behaviour: operation(z.record(z.string(), z.unknown()), (_, body, { behaviour }) => {
    applyBehaviour(behaviour, body);
    return behaviour;
  }),
  fail: operation(
    z.looseObject({
      kind: text,
      match: z.strictObject({ method: text.optional(), pathPattern: text.optional() }).optional(),
    }),
    (controls, { match, ...fault }) =>
      controls.failNext({ ...fault, ...(match && { match: matchOf(match) }) } as Fault),
  ),
  push: operation(
    z.strictObject({ deploymentId: text, repoRef: text.optional(), commitSha: text.optional() }),
    (controls, { deploymentId, ...push }) => controls.push(deploymentId, push as Push),
  ),
  change: operation(
    z.strictObject({ deploymentId: text, patch: z.record(z.string(), z.unknown()) }),
    (controls, { deploymentId, patch }) => controls.change(deploymentId, patch),
  ),
  settle: operation(
    z.strictObject({ deploymentId: text, status: text }),
    (controls, { deploymentId, status }) => controls.settle(deploymentId, status),
  ),
  remove: operation(z.strictObject({ deploymentId: text }), (controls, { deploymentId }) =>
    controls.remove(deploymentId),
  ),
  seed: operation(z.strictObject({ count: z.int().min(1) }), (controls, { count }) => controls.seed(count)),
  listeners: operation(z.looseObject({ compute_id: text }), (controls, body) => controls.addListener(body)),
  repositories: operation(
    z.strictObject({
      integrationId: text,
      repositories: z.array(z.looseObject({ owner: text, name: text })),
    }),
    (controls, { integrationId, repositories }) => controls.addRepositories(integrationId, repositories),
  ),
  tokens: operation(z.looseObject({ id: text }), (controls, body) => controls.addToken(body)),
};

/** Answers a request under `/_emulator/`. */
export function answerControl(
  service: Service,
  controls: Controls,
  requests: readonly RecordedRequest[],
  received: Received,
): Answer {
  checkCaller(service, received.request);
  const name = received.url.pathname.slice("/_emulator/".length);
  if (received.method === "GET") return new Answer(200, shown(service, controls, requests, name));
  const known = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!known || received.method !== "POST") throw new Refusal(404, "Not Found");
  const body = checkBody(rulesOf(known.schema), requiredJson(received));
  return new Answer(200, refusing(() => known.run(controls, body as never, service)) ?? {});
}

// The state has secrets in it; a caller from elsewhere must at least know the key.
function checkCaller(service: Service, request: IncomingMessage): void {
  const address = request.socket.remoteAddress ?? "";
  if (address === "::1" || /^(::ffff:)?127\./.test(address)) return;
  const { apiKey, authHeader } = service.behaviour;
  if (apiKey !== undefined && request.headers[authHeader.toLowerCase()] === apiKey) return;
  throw new Refusal(403, "The emulator is controlled from its own machine, or with its API key.");
}

function shown(
  service: Service,
  controls: Controls,
  requests: readonly RecordedRequest[],
  name: string,
): unknown {
  if (name === "requests") return requests;
  if (name === "behaviour") return service.behaviour;
  if (name !== "state") throw new Refusal(404, "Not Found");
  return {
    deployments: controls.deployments(),
    listeners: listeners.all(service),
    repositories: repositories(service),
    tokens: tokens.all(service),
  };
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
