/** Runs on a thread: refused or queued while another one is in progress, joined at their end. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { Refusal } from "./refusal";
import { asThreadMessage, outcomeOf } from "./runtimeGraphs";
import { type RoleMessage, type StoredRun, threadById, valuesAt } from "./runtimeThreads";
import { type Service, timestampOf } from "./service";
import { type BodyRules, checkBody } from "./validation";

const text = z.string().min(1, "must be a string that is not empty");
const part = z.union([z.string(), z.record(z.string(), z.unknown())], "must be a string or an object");
const content = z.union([z.string(), z.array(part)], "must be a string or an array of parts");
const message = z.strictObject({ role: text, content });

const rulesOf = (schema: z.ZodType): BodyRules => ({
  schema,
  readOnly: new Set(["run_id", "thread_id", "status", "created_at", "updated_at"]),
  immutable: new Set(),
});

/** Services give threads further fields, which the contract leaves open. */
export const newThreadRules = rulesOf(z.record(z.string(), z.unknown()));

const newRunRules = rulesOf(
  z.strictObject({
    assistant_id: text,
    input: z.strictObject({ messages: z.array(message) }),
    multitask_strategy: z.enum(["reject", "enqueue", "interrupt", "rollback"]).optional(),
  }),
);

interface NewRun {
  readonly assistant_id: string;
  readonly input: { readonly messages: readonly RoleMessage[] };
  readonly multitask_strategy?: string;
}

export function createRun(service: Service, deploymentId: string, threadId: string, body: unknown) {
  const thread = threadById(service, deploymentId, threadId);
  const { assistant_id, input, multitask_strategy } = checkBody(newRunRules, body) as unknown as NewRun;
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

/** For how long the run still goes on, in milliseconds. */
export function leftOfRun(service: Service, deploymentId: string, threadId: string, runId: string): number {
  const run = threadById(service, deploymentId, threadId).runs.find(({ id }) => id === runId.toLowerCase());
  const left = (run?.endMs ?? 0) - Date.now();
  // Timers may come a moment early, and at the end of a join the run must have ended.
  return left > 0 ? Math.ceil(left) + 1 : 0;
}

/** What the thread held at the end of the run. That it failed, or is not known, is told with status 200. */
export function joinRun(service: Service, deploymentId: string, threadId: string, runId: string) {
  const { runs } = threadById(service, deploymentId, threadId);
  const place = runs.findIndex(({ id }) => id === runId.toLowerCase());
  const run = runs[place];
  if (!run) return { __error__: { error: "NotFound", message: `Run ${runId} not found.` } };
  if (run.failure) return { __error__: run.failure };
  return valuesAt(runs.slice(0, place + 1), run.endMs);
}
