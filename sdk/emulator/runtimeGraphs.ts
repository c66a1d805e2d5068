/** The graphs that every deployment of the emulator has, by the `assistant_id` under which they answer. */
import { notFound } from "./refusal";
import type { RoleMessage, StoredRun, ThreadMessage } from "./runtimeThreads";
import type { Service } from "./service";

/** What a run of a graph does, and how long it takes. */
type Outcome = Pick<StoredRun, "replies" | "failure"> & { readonly seconds: number };
type Graph = (messages: readonly RoleMessage[], service: Service) => Outcome;

const USERS = ["user", "human"];

/** The last message of the user again, as the assistant's; without one there is nothing to say. */
function echoOf(messages: readonly RoleMessage[]): ThreadMessage[] {
  const last = messages.filter(({ role }) => USERS.includes(role)).at(-1);
  return last ? [{ type: "ai", content: last.content }] : [];
}

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

/** What a run of that graph will do; 404 when there is none of the name. */
export function outcomeOf(service: Service, assistantId: string, messages: readonly RoleMessage[]): Outcome {
  const graph = graphs.get(assistantId);
  if (!graph) throw notFound("Assistant", `${assistantId} (there are ${[...graphs.keys()].join(", ")})`);
  return graph(messages, service);
}

const TYPES: Readonly<Record<string, string>> = { user: "human", assistant: "ai" };

export const asThreadMessage = ({ role, content }: RoleMessage): ThreadMessage => ({
  type: TYPES[role] ?? role,
  content,
});
