/** Listener. A creation takes over the listener with the same `computeType` and `computeId`, or creates a listener. */

import type { Call } from "./call";
import { isConflict, isForbidden } from "./client/errors";
import type { Post, Table } from "./crud/definition";
import { tableResource } from "./crud/table";
import { format } from "./diff/sentences";
import { listenerComputedRows, listenerOutputRows, listenerRows } from "./schema/listener";
import type { Inputs } from "./schema/recorded";
import { printable } from "./schema/secrecy";
import type { Properties } from "./schema/value";
import { sentence } from "./schema/words";

const allListeners = async (call: Call): Promise<Properties[]> =>
  (await Array.fromAsync(call.service.endpoints.listListeners())).flat();

const post: Post = {
  sections: { compute_config: {} },
  send: (call, body, beforeSending) => call.service.endpoints.createListener(body, beforeSending),
  name: (call, { computeType, computeId }) => (call.hidden("computeId") ? "" : `${computeType} ${computeId}`),

  async refusal(call, { computeType, computeId }) {
    if (call.profile.capabilities.createListener) return undefined;
    const listeners = await allListeners(call);
    const names = listeners.map((each) => `${each.compute_type} ${each.compute_id}`).join(", ");
    return call.refuse(
      `${call.baseUrl} has no listener with computeType "${computeType}" and computeId "${computeId}", and cannot create one. Install the listener first (known: ${names === "" ? "none" : names})`,
    );
  },

  async explain(call, inputs, error) {
    if (!isForbidden(error) && !isConflict(error)) return error;
    const words = isForbidden(error)
      ? `${call.baseUrl} does not allow this API key to create the listener with computeId "${printable(inputs.computeId)}". Use a key that may, of a workspace whose plan includes listeners`
      : conflictWords(call, inputs, await allListeners(call));
    return call.refuse(`${words}. ${sentence(error.message)}`, error);
  },
};

function conflictWords({ baseUrl }: Call, inputs: Inputs, listeners: readonly Properties[]): string {
  const [type, id] = [inputs.computeType, inputs.computeId].map((each) => printable(each));
  const namesake = listeners.find((each) => each.compute_id === inputs.computeId);
  const detail =
    namesake === undefined
      ? ", but this API key cannot see it. Set another computeId, or the key of the workspace that owns the listener"
      : `: the one with the id ${namesake.id}, whose computeType is "${printable(namesake.compute_type)}" and not "${type}". Set another computeId`;
  return `${baseUrl} has a listener with computeId "${id}" already, which must be unique in a workspace${detail}`;
}

const table: Table = {
  kind: "listener",
  type: "Listener",
  rows: listenerRows,
  outputRows: listenerOutputRows,
  computedRows: listenerComputedRows,
  existing: async (call, { computeType, computeId }) =>
    (await allListeners(call)).find(
      (each) => each.compute_type === computeType && each.compute_id === computeId,
    ),
  post,
  patch: (call, id, body) => call.service.endpoints.updateListener(id, body),
  find: (call, id) => call.service.listeners.ask(id),
  removal: {
    isPossible: ({ capabilities }) => capabilities.deleteListener,
    send: (call, id) => call.service.endpoints.deleteListener(id),
  },
  takenOver: (id, effect) =>
    effect === undefined
      ? format.listenerUnchanged({ id })
      : format.listenerTakenOver({ id, verdict: effect }),
  takesNothing: ({ capabilities: { createListener } }) =>
    format.listenerCreated({
      whom: createListener ? "this update" : "its operator, which must register it before this update",
    }),
  staying: (id) => format.oldStays({ id }),
  left: (id, { serviceUrl }) => `leaves the listener as it is on ${serviceUrl} (id ${id})`,
};

export const listener = tableResource(table);
