/**
 * Writes down the attempt of a creation or an update that a killed run left pending in the engine's state. The next
 * `up` finds out what became of it, as if the killed run had been on this machine.
 */
import { randomUUID } from "node:crypto";
import type { Call } from "../call";
import type { Intent } from "../journal/attempt";
import { sameValue } from "../schema/compare";
import type { Inputs, State } from "../schema/recorded";
import { type Properties, valueAt } from "../schema/value";
import { adoptionAsked, asksByName } from "./create/adopt";
import { creationIntent, updateIntent } from "./intent";
import { planCall, revises } from "./plan";
import { isEmpty, plannedUpdate, postedPart } from "./request";

const SEALED = randomUUID();

/** A placeholder for a secret that the export hides. The placeholder changes with the secret's generation. */
export const sealedValue = (generation: unknown): string => `${SEALED}:${generation}`;

/** The attempt of a pending creation; undefined if the next run may send it again without harm. */
export function pendingCreation(
  call: Call,
  inputs: Inputs,
  idsInState: ReadonlySet<string>,
): Intent | undefined {
  const adoption = adoptionAsked(call, inputs);
  if (adoption !== false && !asksByName(adoption)) return undefined;
  return { ...creationIntent(call, postedPart(inputs), [...idsInState]), pending: true };
}

/**
 * The attempt of a pending update, from the recorded state to the inputs; undefined if the next run may send the update
 * again without harm.
 */
export function pendingUpdate(call: Call, id: string, state: State, inputs: Inputs): Intent | undefined {
  const update = plannedUpdate(call, id, planCall(call, state, inputs));
  if (!revises(update) || isEmpty(update.body)) return undefined;
  const intent = updateIntent(update);
  const isVisible = ["sourceConfig", "sourceRevisionConfig"].some((section) =>
    isSent(intent, state, section),
  );
  return { ...intent, pending: true, isVisible };
}

/** Whether the attempt sends another value in the section than the state has. */
function isSent({ sent }: Intent, state: State, section: string): boolean {
  const members = Object.entries((sent[section] ?? {}) as Properties);
  return members.some(([name, value]) => !sameValue(value, valueAt(state, [section, name])));
}
