/**
 * Threads of running deployments, and the runs on them: refused or queued while another one is in progress, joined at
 * their end. The clock alone decides how far a run is, so that it survives a restart.
 */
import { objectSchema, schemaOf, zod } from "../../../provider/fields/check";
import { choice, jsonObject, nonEmptyText } from "../../../provider/fields/kind";
import { isProperties } from "../../../provider/fields/value";
import { notFound, Refusal } from "../http/message";
import { type Call, param, type Route, route } from "../http/route";
import { Collection, type Service, timestampOf } from "../service";
import { BODY, checkBody } from "../validation";
import { deploymentOf } from "./deployments/storedDeployment";

/** A message as a thread holds it. */
interface ThreadMessage {
  readonly type: string;
  readonly content: string | readonly unknown[];
}

interface StoredRun {
  readonly id: string;
  /** It waits for its turn until then. */
  readonly startMs: number;
  readonly endMs: number;
  readonly given: readonly ThreadMessage[];
  /** What it adds at its end. */
  readonly replies: readonly ThreadMessage[];
  /** Set when it fails at its end. */
  readonly failure?: { readonly error: string; readonly message: string };
}

interface StoredThread {
  readonly id: string;
  readonly deploymentId: string;
  readonly createdMs: number;
  /** In the order of their turns. */
  readonly runs: StoredRun[];
}

/** A message of a run's input. */
interface RoleMessage {
  readonly role: string;
  readonly content: string | readonly unknown[];
}

interface NewRun {
  readonly assistant_id: string;
  readonly input: { readonly messages: readonly RoleMessage[] };
  readonly multitask_strategy?: string;
}

// The contract leaves open which fields a thread has.
const threadCreation = { schema: schemaOf(jsonObject, BODY) };
const { array, custom, optional, string, union } = zod();
const part = union([string(), custom(isProperties)], "a string or an object");
const content = union([string(), array(part)], "a string or a list of parts, each a string or an object");
const message = objectSchema({ role: schemaOf(nonEmptyText, BODY), content }, BODY);
const strategy = schemaOf(choice("reject", "enqueue", "interrupt", "rollback"), BODY);
const runCreation = {
  schema: objectSchema(
    {
      assistant_id: schemaOf(nonEmptyText, BODY),
      input: objectSchema({ messages: array(message, "a list of messages") }, BODY),
      multitask_strategy: optional(strategy),
    },
    BODY,
  ),
  readOnly: ["run_id", "thread_id", "status", "created_at", "updated_at"],
};

const threads = new Collection<StoredThread>("threads", "Thread");

const THREADS = "/runtime/{deployment_id}/threads";
const THREAD = `${THREADS}/{thread_id}`;
const RUNS = `${THREAD}/runs`;

export function threadRoutes(service: Service): Route[] {
  return [
    route(`POST ${THREADS}`, (call) => createThread(service, call)),
    route(`GET ${THREAD}/state`, (call) => ({
      values: valuesAt(threadOf(service, call).runs, service.makes.now()),
    })),
    route(`POST ${RUNS}`, (call) => createRun(service, call)),
    route(`GET ${RUNS}/{run_id}/join`, (call) => joinRun(service, call), {
      heldMs: (call) => msUntilEnd(service, call),
    }),
  ];
}

function createThread(service: Service, call: Call) {
  checkBody(threadCreation, call.body);
  const { id: deploymentId } = deploymentOf(service, call);
  const now = service.makes.now();
  const { id } = threads.add(service, {
    id: service.makes.id("thread"),
    deploymentId,
    createdMs: now,
    runs: [],
  });
  return { thread_id: id, created_at: timestampOf(now) };
}

/** The thread of the call; 404 when its deployment has none of the id. */
function threadOf(service: Service, call: Call): StoredThread {
  const deployment = deploymentOf(service, call);
  const id = param(call, "thread_id");
  const thread = threads.get(service, id);
  if (thread?.deploymentId !== deployment.id) throw notFound("Thread", id);
  return thread;
}

/** What the runs have left in the thread by then; without a run that has started, nothing at all. */
function valuesAt(runs: readonly StoredRun[], now: number): { messages?: ThreadMessage[] } {
  const started = runs.filter(({ startMs }) => startMs <= now);
  if (started.length === 0) return {};
  const messages = started.flatMap(({ given, replies, endMs }) => [
    ...given,
    ...(endMs <= now ? replies : []),
  ]);
  return { messages };
}

function createRun(service: Service, call: Call) {
  const thread = threadOf(service, call);
  const { assistant_id, input, multitask_strategy } = checkBody(runCreation, call.body) as unknown as NewRun;
  const { seconds, ...outcome } = outcomeOf(service, assistant_id, input.messages);
  const now = service.makes.now();
  const freeMs = Math.max(now, ...thread.runs.map(({ endMs }) => endMs));
  if (multitask_strategy === "reject" && freeMs > now)
    throw new Refusal(409, "Thread is already running a task. Wait for it to finish.");
  const run: StoredRun = {
    id: service.makes.id("run"),
    startMs: freeMs,
    endMs: freeMs + seconds * 1000,
    given: input.messages.map(({ role, content }) => ({ type: TYPES[role] ?? role, content })),
    ...outcome,
  };
  thread.runs.push(run);
  return { run_id: run.id, thread_id: thread.id, assistant_id, created_at: timestampOf(now) };
}

/** Types of the messages whose roles have another name. */
const TYPES: Readonly<Record<string, string>> = { user: "human", assistant: "ai" };

/** What a run of a graph does, and how long it takes. */
type Outcome = Pick<StoredRun, "replies" | "failure"> & { readonly seconds: number };
type Graph = (messages: readonly RoleMessage[], service: Service) => Outcome;

const alwaysFails = { error: "RuntimeError", message: "The graph fail always fails." };

/** The graphs of every deployment, by the `assistant_id` under which they answer. */
const graphs = new Map<string, Graph>([
  ["echo", (messages) => ({ replies: echoOf(messages), seconds: 0 })],
  ["wait", (messages, { behaviour }) => ({ replies: echoOf(messages), seconds: behaviour.runSeconds })],
  ["fail", () => ({ replies: [], failure: alwaysFails, seconds: 0 })],
]);

/** The user's last message again, as the assistant's; none without one. */
function echoOf(messages: readonly RoleMessage[]): ThreadMessage[] {
  const last = messages.filter(({ role }) => ["user", "human"].includes(role)).at(-1);
  return last ? [{ type: "ai", content: last.content }] : [];
}

/** What a run of the graph will do; 404 when no graph has the name. */
function outcomeOf(service: Service, assistantId: string, messages: readonly RoleMessage[]): Outcome {
  const graph = graphs.get(assistantId);
  if (!graph) throw notFound("Assistant", `${assistantId} (there are ${[...graphs.keys()].join(", ")})`);
  return graph(messages, service);
}

/** The run of the call, with those before it. */
function runsUpTo(service: Service, call: Call): StoredRun[] {
  const { runs } = threadOf(service, call);
  const id = param(call, "run_id").toLowerCase();
  return runs.slice(0, runs.findIndex((run) => run.id === id) + 1);
}

function msUntilEnd(service: Service, call: Call): number {
  const left = (runsUpTo(service, call).at(-1)?.endMs ?? 0) - service.makes.now();
  // Timers may fire a moment early, and at the end of a join the run must have ended.
  return left > 0 ? Math.ceil(left) + 1 : 0;
}

/** What the thread held at the end of the run. A failed or unknown run is an error within status 200. */
function joinRun(service: Service, call: Call) {
  const runs = runsUpTo(service, call);
  const run = runs.at(-1);
  if (!run) return { __error__: { error: "NotFound", message: `Run ${param(call, "run_id")} not found.` } };
  return run.failure ? { __error__: run.failure } : valuesAt(runs, run.endMs);
}
