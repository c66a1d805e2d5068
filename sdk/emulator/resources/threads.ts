/** Threads of running deployments, and their runs. A run's progress depends only on the clock. */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { objectSchema, schemaOf } from "../../../provider/schema/check";
import { choice, jsonObject, nonEmptyText } from "../../../provider/schema/kind";
import { isProperties } from "../../../provider/schema/value";
import { notFound, Refusal } from "../http/message";
import { param, type Route, type RoutedRequest, route } from "../http/route";
import { Collection, type EmulatedService, timestampOf } from "../service";
import { BODY, checkBody } from "../validation";
import { deploymentOf } from "./deployments/storedDeployment";

interface ThreadMessage {
  readonly type: string;
  readonly content: RoleMessage["content"];
}

interface StoredRun {
  readonly id: string;
  /** When the run starts. Earlier runs in the queue must end first. */
  readonly startMs: number;
  readonly endMs: number;
  readonly given: readonly ThreadMessage[];
  /** The messages that the run adds to the thread at its end. */
  readonly replies: readonly ThreadMessage[];
  /** The error with which the run ends; undefined if the run succeeds. */
  readonly failure?: { readonly error: string; readonly message: string };
}

interface StoredThread {
  readonly id: string;
  readonly deploymentId: string;
  readonly createdMs: number;
  /** The thread's runs, in the order of execution. */
  readonly runs: StoredRun[];
}

interface RoleMessage {
  readonly role: string;
  readonly content: string | readonly unknown[];
}

interface RunBody {
  readonly assistant_id: string;
  readonly input: { readonly messages: readonly RoleMessage[] };
  readonly multitask_strategy?: string;
}

// A new thread may have any fields, because the contract defines none.
const threadCreation = { schema: schemaOf(jsonObject, BODY) };
const part = z.union([z.string(), z.custom(isProperties)], "a string or an object");
const content = z.union(
  [z.string(), z.array(part)],
  "a string or a list of parts, each a string or an object",
);
const message = objectSchema({ role: schemaOf(nonEmptyText, BODY), content }, BODY);
const strategy = schemaOf(choice("reject", "enqueue", "interrupt", "rollback"), BODY);
const runCreation = {
  schema: objectSchema(
    {
      assistant_id: schemaOf(nonEmptyText, BODY),
      input: objectSchema({ messages: z.array(message, "a list of messages") }, BODY),
      multitask_strategy: z.optional(strategy),
    },
    BODY,
  ),
  readOnly: ["run_id", "thread_id", "status", "created_at", "updated_at"],
};

const threads = new Collection<StoredThread>("threads", "Thread");

const THREADS = "/runtime/{deployment_id}/threads";
const THREAD = `${THREADS}/{thread_id}`;
const RUNS = `${THREAD}/runs`;

export function threadRoutes(service: EmulatedService): Route[] {
  return [
    route(`POST ${THREADS}`, (call) => createThread(service, call)),
    route(`GET ${THREAD}/state`, (call) => ({
      values: valuesAt(threadOf(service, call).runs, Date.now()),
    })),
    route(`POST ${RUNS}`, (call) => createRun(service, call)),
    route(`GET ${RUNS}/{run_id}/join`, (call) => joinRun(service, call), {
      heldMs: (call) => msUntilEnd(service, call),
    }),
  ];
}

function createThread(service: EmulatedService, call: RoutedRequest) {
  checkBody(threadCreation, call.body);
  const { id: deploymentId } = deploymentOf(service, call);
  const now = Date.now();
  const { id } = threads.add(service, {
    id: randomUUID(),
    deploymentId,
    createdMs: now,
    runs: [],
  });
  return { thread_id: id, created_at: timestampOf(now) };
}

/** Refuses with 404 if the deployment has no such thread. */
function threadOf(service: EmulatedService, call: RoutedRequest): StoredThread {
  const deployment = deploymentOf(service, call);
  const id = param(call, "thread_id");
  const thread = threads.get(service, id);
  if (thread?.deploymentId !== deployment.id) throw notFound("Thread", id);
  return thread;
}

/** The thread's values at the time `now`; empty before the thread's first run starts. */
function valuesAt(runs: readonly StoredRun[], now: number): { messages?: ThreadMessage[] } {
  const started = runs.filter(({ startMs }) => startMs <= now);
  if (started.length === 0) return {};
  const messages = started.flatMap(({ given, replies, endMs }) => [
    ...given,
    ...(endMs <= now ? replies : []),
  ]);
  return { messages };
}

function createRun(service: EmulatedService, call: RoutedRequest) {
  const thread = threadOf(service, call);
  const { assistant_id, input, multitask_strategy } = checkBody(runCreation, call.body) as unknown as RunBody;
  const { seconds, ...ending } = graphRunOf(service, assistant_id, input.messages);
  const now = Date.now();
  const freeMs = Math.max(now, ...thread.runs.map(({ endMs }) => endMs));
  if (multitask_strategy === "reject" && freeMs > now)
    throw new Refusal(409, "Thread is already running a task. Wait for it to finish.");
  const run: StoredRun = {
    id: randomUUID(),
    startMs: freeMs,
    endMs: freeMs + seconds * 1000,
    given: input.messages.map(({ role, content }) => ({ type: TYPES[role] ?? role, content })),
    ...ending,
  };
  thread.runs.push(run);
  return { run_id: run.id, thread_id: thread.id, assistant_id, created_at: timestampOf(now) };
}

/** Maps a role to its message type if the two names differ. */
const TYPES: Readonly<Record<string, string>> = { user: "human", assistant: "ai" };

/** The messages or the error with which a graph's run ends, and the seconds that the run takes. */
type GraphRun = Pick<StoredRun, "replies" | "failure"> & { readonly seconds: number };
type Graph = (messages: readonly RoleMessage[], service: EmulatedService) => GraphRun;

const alwaysFails = { error: "RuntimeError", message: "The graph fail always fails." };

/** The graphs of every deployment, by `assistant_id`. */
const graphs = new Map<string, Graph>([
  ["echo", (messages) => ({ replies: echoOf(messages), seconds: 0 })],
  ["wait", (messages, { behaviour }) => ({ replies: echoOf(messages), seconds: behaviour.runSeconds })],
  ["fail", () => ({ replies: [], failure: alwaysFails, seconds: 0 })],
]);

function echoOf(messages: readonly RoleMessage[]): ThreadMessage[] {
  const last = messages.filter(({ role }) => ["user", "human"].includes(role)).at(-1);
  return last ? [{ type: "ai", content: last.content }] : [];
}

/** Refuses with 404 if no graph has the name. */
function graphRunOf(
  service: EmulatedService,
  assistantId: string,
  messages: readonly RoleMessage[],
): GraphRun {
  const graph = graphs.get(assistantId);
  if (!graph) throw notFound("Assistant", `${assistantId} (there are ${[...graphs.keys()].join(", ")})`);
  return graph(messages, service);
}

/** The thread's runs, up to and including the run that the request names. */
function runsUpTo(service: EmulatedService, call: RoutedRequest): StoredRun[] {
  const { runs } = threadOf(service, call);
  const id = param(call, "run_id").toLowerCase();
  return runs.slice(0, runs.findIndex((run) => run.id === id) + 1);
}

function msUntilEnd(service: EmulatedService, call: RoutedRequest): number {
  const remainingMs = (runsUpTo(service, call).at(-1)?.endMs ?? 0) - Date.now();
  // A timer may fire early, before the end of the run.
  return remainingMs > 0 ? Math.ceil(remainingMs) + 1 : 0;
}

/** For a failed or unknown run, the answer is an error with status 200. */
function joinRun(service: EmulatedService, call: RoutedRequest) {
  const runs = runsUpTo(service, call);
  const run = runs.at(-1);
  if (!run) return { __error__: { error: "NotFound", message: `Run ${param(call, "run_id")} not found.` } };
  return run.failure ? { __error__: run.failure } : valuesAt(runs, run.endMs);
}
