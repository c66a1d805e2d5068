/** Runs on a thread: refused or queued while another one is in progress, joined at their end. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { notFound, Refusal } from "../http/answer";
import { type Call, param, type Route, route } from "../http/route";
import { type Service, timestampOf } from "../service";
import { checkBody, rulesOf } from "../validation";
import { type StoredRun, THREAD, type ThreadMessage, threadOf, valuesAt } from "./threads";

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

const text = z.string().min(1, "must be a string that is not empty");
const part = z.union([z.string(), z.record(z.string(), z.unknown())], "must be a string or an object");
const content = z.union([z.string(), z.array(part)], "must be a string or an array of parts");
const message = z.strictObject({ role: text, content });
const creation = rulesOf(
  z.strictObject({
    assistant_id: text,
    input: z.strictObject({ messages: z.array(message) }),
    multitask_strategy: z.enum(["reject", "enqueue", "interrupt", "rollback"]).optional(),
  }),
  ["run_id", "thread_id", "status", "created_at", "updated_at"],
);

const RUNS = `${THREAD}/runs`;

export function runRoutes(service: Service): Route[] {
  return [
    route(`POST ${RUNS}`, (call) => createRun(service, call)),
    route(`GET ${RUNS}/{run_id}/join`, (call) => joinRun(service, call), {
      heldMs: (call) => msUntilEnd(service, call),
    }),
  ];
}

function createRun(service: Service, call: Call) {
  const thread = threadOf(service, call);
  const { assistant_id, input, multitask_strategy } = checkBody(creation, call.body) as unknown as NewRun;
  const { seconds, ...outcome } = outcomeOf(service, assistant_id, input.messages);
  const now = Date.now();
  const freeMs = Math.max(now, ...thread.runs.map(({ endMs }) => endMs));
  if (multitask_strategy === "reject" && freeMs > now)
    throw new Refusal(409, "Thread is already running a task. Wait for it to finish.");
  const run: StoredRun = {
    id: randomUUID(),
    startMs: freeMs,
    endMs: freeMs + seconds * 1000,
    given: input.messages.map(asThreadMessage),
    ...outcome,
  };
  thread.runs.push(run);
  return { run_id: run.id, thread_id: thread.id, assistant_id, created_at: timestampOf(now) };
}

const TYPES: Readonly<Record<string, string>> = { user: "human", assistant: "ai" };

const asThreadMessage = ({ role, content }: RoleMessage): ThreadMessage => ({
  type: TYPES[role] ?? role,
  content,
});

/** What a run of a graph does, and how long it takes. */
type Outcome = Pick<StoredRun, "replies" | "failure"> & { readonly seconds: number };
type Graph = (messages: readonly RoleMessage[], service: Service) => Outcome;

/** The graphs of every deployment, by the `assistant_id` under which they answer. */
const graphs = new Map<string, Graph>([
  ["echo", (messages) => ({ replies: echoOf(messages), seconds: 0 })],
  ["wait", (messages, { behaviour }) => ({ replies: echoOf(messages), seconds: behaviour.runSeconds })],
  [
    "fail",
    () => ({
      replies: [],
      failure: { error: "RuntimeError", message: "The graph fail always fails." },
      seconds: 0,
    }),
  ],
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
  const left = (runsUpTo(service, call).at(-1)?.endMs ?? 0) - Date.now();
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
