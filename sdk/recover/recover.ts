/**
 * Records the pending attempts of a killed run in the journal, so that the next `pulumi up` can resolve the
 * attempts.
 */
import { Call } from "../../provider/call";
import { type Clock, systemClock } from "../../provider/client/clock";
import { pendingCreation, pendingUpdate } from "../../provider/deployment/pending";
import { standardError } from "../../provider/engine/engine";
import { isRecorded } from "../../provider/journal/attempt";
import { journalPlace } from "../../provider/journal/place";
import { RESOURCES } from "../../provider/resources";
import { eitherName, environmentOf } from "../../provider/run/configuration";
import { EngineRun } from "../../provider/run/run";
import { keepSecret } from "../../provider/schema/secrecy";
import type { Operation, PendingState, ProviderSettings } from "./state";

export interface Options {
  /** A time, in ISO 8601, before which the killed run sent nothing; undefined if unknown. */
  readonly since: string | undefined;
  /** If true, the command only reports, and writes nothing to the journal. */
  readonly checks: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock?: Clock;
}

/**
 * `recorded`: the journal now has the attempt. `journalled`: this machine's journal already had the attempt.
 * `repeatable`: the next run may safely send the request again. `settled`: the state already has the resource that
 * the operation creates. `doubtful`: nothing can be written down, for the reason `why`.
 */
export type RecoveryOutcome =
  | { readonly kind: "recorded" | "journalled" | "repeatable" | "settled" }
  | { readonly kind: "doubtful"; readonly why: string };

export interface Recovered {
  readonly operation: Operation;
  /** The resource's label, such as `deployment "chat"`. */
  readonly label: string;
  readonly outcome: RecoveryOutcome;
}

/** Records the pending operations. Sends no request, and writes only to the journal. With `checks`, writes nothing. */
export async function recover(state: PendingState, options: Options): Promise<Recovered[]> {
  const { clock = systemClock, environment } = options;
  const runs = new Map<string, EngineRun>();
  const recovered: Recovered[] = [];
  for (const operation of state.operations) {
    const { provider } = operation;
    const run = runs.get(provider.key) ?? begin(provider, environment, clock);
    runs.set(provider.key, run);
    const call = callOf(operation, run);
    const outcome = await record(operation, call, state, options);
    recovered.push({ operation, label: call.label, outcome });
  }
  return recovered;
}

async function record(
  operation: Operation,
  call: Call,
  { ids }: PendingState,
  { since, checks }: Options,
): Promise<RecoveryOutcome> {
  const { type, resource, inputs, recorded } = operation;
  const isCreation = type === "creating";
  const isInState = ["name", "connection"].every((each) => recorded?.values[each] === inputs.values[each]);
  if (isCreation && recorded?.values.name !== undefined && isInState) return { kind: "settled" };
  if (resource !== "Deployment") return { kind: "repeatable" };
  if (!isCreation && recorded === undefined)
    return { kind: "doubtful", why: "the state has no resource with its URN" };
  const { journal } = call.run;
  const key = call.key(isCreation ? "create" : "update", recorded?.id);
  const open = await journal.get(key);
  // The journal keeps an attempt until the next run, even if the state already has the attempt's result.
  const isOver =
    recorded !== undefined && open !== undefined && isRecorded(open, recorded.id, recorded.values);
  if (open !== undefined && !isOver) return { kind: "journalled" };
  const attempt =
    isCreation || recorded === undefined
      ? pendingCreation(call, inputs.values, ids)
      : pendingUpdate(call, recorded.id, recorded.values, inputs.values);
  if (attempt === undefined) return { kind: "repeatable" };
  const sentAt = Date.parse(since ?? "");
  if (Number.isNaN(sentAt)) return { kind: "doubtful", why: "nothing says since when it may have been sent" };
  if (checks) return { kind: "recorded" };
  await journal.put(attempt, { sentAt, expiresAt: call.moment().expiresAt });
  if ((await journal.get(key)) !== undefined) return { kind: "recorded" };
  throw call.refuse(
    "the journal cannot be written, so the next update would not know of its interrupted run",
  );
}

function callOf({ type, resource, urn, inputs, recorded }: Operation, run: EngineRun): Call {
  keepSecret([...inputs.secrets, ...(recorded?.secrets ?? [])]);
  const description = {
    urn,
    kind: RESOURCES[resource].kind,
    method: type === "creating" ? "create" : "update",
    secretPaths: [...inputs.secretPaths, ...(recorded?.secretPaths ?? [])],
    isPlan: false,
    service: () =>
      type === "creating" || recorded === undefined
        ? run.service(inputs.values.connection)
        : run.serviceOf(recorded.values),
  } as const;
  return new Call(run, description, inputs.values);
}

/** Begins the run of one provider. As in the engine, each provider of the program has a separate run. */
function begin(
  { source, isExplicit }: ProviderSettings,
  environment: NodeJS.ProcessEnv,
  clock: Clock,
): EngineRun {
  const runEnvironment = environmentOf(source, isExplicit, environment);
  if (journalPlace(source, runEnvironment).folder === undefined)
    throw new Error(
      `the journal is off, so the next update could not take anything over. Set ${eitherName("journal")} to a folder`,
    );
  return new EngineRun(source, standardError, clock, undefined, runEnvironment);
}
