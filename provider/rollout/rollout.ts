/** Rollout: waits for the newest revisions of many deployments at once, and verifies them. Makes no revisions. */

import type { Call, Checked, Diffed, Resource } from "../call";
import { labeled } from "../diff/describe";
import { format } from "../diff/sentences";
import { Follow } from "../polling/follow";
import { StatusLog } from "../polling/revisions";
import { type Fault, faultsIn } from "../schema/check";
import { sameValue } from "../schema/compare";
import { ROLLOUT_TIMEOUT_SECONDS } from "../schema/deployment";
import { type Arguments, type Inputs, type State, stateOf } from "../schema/recorded";
import { rolloutOutputRows, rolloutRows } from "../schema/rollout";
import { printable } from "../schema/secrecy";
import {
  canonicalId,
  isAbsent,
  isProperties,
  type Properties,
  UNKNOWN,
  unknowns,
  valueAt,
} from "../schema/value";
import { isUnproven, type Verification } from "../schema/verification";
import { sentence } from "../schema/words";
import {
  countOf,
  describeFailure,
  followAll,
  type Member,
  proveAll,
  verifyFaults,
  withValues,
} from "./members";

const MOST_NAMES = 5;

const deploymentsOf = (settings: Arguments | undefined): { [name: string]: Properties } =>
  isProperties(settings?.deployments) ? (settings.deployments as { [name: string]: Properties }) : {};

async function check(call: Call, recorded: State | undefined, args: Arguments): Promise<Checked> {
  const inputs: Properties = { ...args };
  if (isProperties(inputs.deployments)) inputs.deployments = knownConnections(recorded, inputs.deployments);
  if (isProperties(inputs.verify)) inputs.verify = withValues(inputs.verify);
  const faults = faultsIn(rolloutRows, inputs, call.hidden);
  const otherFaults = [...serviceFaults(call, inputs), ...verifyFaults(inputs)];
  return { inputs, failures: faults.length > 0 ? faults : otherFaults };
}

/** Checks every connection. If the rollout has a connection, every deployment must have that connection's base URL. */
function serviceFaults({ run }: Call, inputs: Inputs): Fault[] {
  const urlOf = (connection: unknown): string => run.service(connection).connection.baseUrl;
  const pairs = Object.entries(deploymentsOf(inputs)).filter(([, { connection }]) => connection !== UNKNOWN);
  const urls = pairs.map(([name, { connection }]): [string, string] => [name, urlOf(connection)]);
  if (isAbsent(inputs.connection) || inputs.connection === UNKNOWN) return [];
  const sharedUrl = urlOf(inputs.connection);
  const elsewhere = urls.find(([, url]) => url !== sharedUrl);
  if (elsewhere === undefined) return [];
  const words =
    `got "${printable(inputs.connection)}", which is ${sharedUrl}, but ${printable(elsewhere[0])} lives on ${elsewhere[1]}; ` +
    "leave it out, and each deployment uses its own";
  return [{ path: ["connection"], words }];
}

/**
 * Replaces unknown connections with recorded connections. An output without a value is unknown in every plan. If a
 * deployment's id is unchanged, its connection is unchanged too.
 */
function knownConnections(recorded: State | undefined, deployments: Properties): Properties {
  const oldDeployments = Object.values(deploymentsOf(recorded));
  const entries = Object.entries(deployments).map(([name, deployment]) => {
    if (!isProperties(deployment)) return [name, deployment];
    const { connection, ...fields } = deployment;
    const before = connection === UNKNOWN ? oldDeployments.find(({ id }) => id === deployment.id) : undefined;
    const connectionName = before === undefined ? connection : before.connection;
    return [name, isAbsent(connectionName) ? fields : { ...fields, connection: connectionName }];
  });
  return Object.fromEntries(entries);
}

/** The deployments that are new or have a new revision. Names are not compared, because the program may change them. */
function changedIn(state: State, inputs: Inputs): string[] {
  const before = new Set(Object.values(deploymentsOf(state)).map(({ revisionKey }) => revisionKey));
  return Object.entries(deploymentsOf(inputs))
    .filter(([, { revisionKey }]) => !before.has(revisionKey))
    .map(([name]) => name);
}

const idsOf = (settings: Arguments): Set<unknown> =>
  new Set(Object.values(deploymentsOf(settings)).map(({ id }) => id));

/**
 * The deployments for which a plan in this run remakes a failed revision. The engine plans these deployments before the
 * rollout, in the same process.
 */
function remadeIn(call: Call, state: State, inputs: Inputs): string[] {
  // A refresh makes no revisions, and must work without the connections' settings.
  if (call.method === "diff" && !call.isPlan) return [];
  const changed = changedIn(state, inputs);
  return Object.entries(deploymentsOf(inputs))
    .filter(([name, { id }]) => !changed.includes(name) && call.run.planned.revises(id))
    .map(([name]) => name);
}

const waits = (call: Call, state: State, inputs: Inputs): boolean =>
  changedIn(state, inputs).length > 0 ||
  remadeIn(call, state, inputs).length > 0 ||
  state.rolloutState !== "deployed";

async function diff(call: Call, _id: string, state: State, inputs: Inputs): Promise<Diffed> {
  const hasOtherChange = ["timeoutSeconds", "connection", "verify"].some(
    (name) => !sameValue(state[name] ?? null, inputs[name] ?? null),
  );
  const isWaiting = waits(call, state, inputs);
  if (call.isPlan && isWaiting) {
    const { length } = Object.keys(deploymentsOf(inputs));
    const count = `${length} deployment${length === 1 ? "" : "s"}`;
    await call.tell(format.rolloutWaits({ count, reasons: reasonOf(call, state, inputs) }));
  }
  const isReduced = !idsOf(state).isSubsetOf(idsOf(inputs));
  return { changes: isWaiting || isReduced || hasOtherChange };
}

function reasonOf(call: Call, state: State, inputs: Inputs): string {
  return [
    ...(state.rolloutState === "deployed" ? [] : [`the last wait ended ${state.rolloutState}`]),
    ...namesInWords("new or changed", changedIn(state, inputs)),
    ...namesInWords("made again", remadeIn(call, state, inputs)),
  ].join("; ");
}

function namesInWords(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return [`${title}: ${names.slice(0, MOST_NAMES).map(printable).join(", ")}${more}`];
}

/** Waits for unchanged deployments too, because they may also have newer revisions by now. */
async function wait(call: Call, id: string, inputs: Inputs, state: State = {}): Promise<State> {
  const { clock } = call.run;
  const log = new StatusLog(clock);
  const members = membersOf(call, inputs);
  const tell = (words: string) => call.tell(words);
  const work = async () => {
    await followAll(members, log, { tell, progress: call.progress ?? tell });
    await proveAll(unprovenIn(members, state, inputs), { clock });
  };
  const ended = work().finally(() => noteFailures(call, members));
  await ended.catch((error: Error) => {
    const reason = `could not be followed: ${sentence(error.message)} The next update waits again`;
    throw call.unfinished(id, rolloutOutputs(inputs, members, 0), reason, error);
  });
  const outputs = rolloutOutputs(inputs, members, log.total());
  if (outputs.rolloutState === "deployed") return outputs;
  throw call.unfinished(id, outputs, describeFailure(members, log.total()));
}

/** Notes each revision that will never be deployed, for its deployment's next plan. */
function noteFailures({ run }: Call, members: readonly Member[]): void {
  for (const { connection, follow } of members) {
    const { end, isGone, revisionId, status } = follow;
    if (end !== "failed" || isGone || isUnproven(status)) continue;
    const key = { serviceUrl: connection.baseUrl, latestRevisionId: revisionId };
    if (status !== undefined) run.failedRevisions.note(key, status);
  }
}

/** The members, except those whose revisions were deployed and verified in the last wait. */
function unprovenIn(members: readonly Member[], state: State, inputs: Inputs): Member[] {
  const [revisions, statuses] = [state.revisions, state.statuses].map((facts) =>
    underNewNames(state, inputs, facts),
  ) as [Properties, Properties];
  return members.filter(
    ({ name, follow }) => revisions[name] !== follow.revisionId || statuses[name] !== "DEPLOYED",
  );
}

function membersOf(call: Call, inputs: Inputs): Member[] {
  const timeout = inputs.timeoutSeconds;
  const timeoutSeconds = call.timeoutSeconds(typeof timeout === "number" ? timeout : ROLLOUT_TIMEOUT_SECONDS);
  return Object.entries(deploymentsOf(inputs)).map(([name, { id, connection }]) => {
    const service = call.run.service(inputs.connection ?? connection);
    const { poller, directory } = service;
    const verification = valueAt(inputs.verify, [name]) as Verification | undefined;
    const follow = new Follow(poller, {
      deploymentId: canonicalId(String(id)),
      timeoutSeconds,
      tellNewer: (words) => call.tell(labeled(printable(name), words)),
    });
    return { name, follow, poller, directory, connection: service.connection, verification };
  });
}

function rolloutOutputs(inputs: Inputs, members: readonly Member[], seconds: number): State {
  const isOver = countOf(members, "waiting") === 0;
  const valuesOf = (fact: "revisionId" | "status"): Properties =>
    Object.fromEntries(members.flatMap(({ name, follow }) => (follow[fact] ? [[name, follow[fact]]] : [])));
  return stateOf(inputs, {
    deployed: countOf(members, "deployed"),
    seconds,
    revisions: valuesOf("revisionId"),
    statuses: valuesOf("status"),
    rolloutState: !isOver ? "unfinished" : countOf(members, "failed") > 0 ? "failed" : "deployed",
  });
}

/** The outputs of an update that only removes deployments or changes a setting such as the time-out. */
function skip(state: State, inputs: Inputs): State {
  return stateOf(inputs, {
    deployed: Object.keys(deploymentsOf(inputs)).length,
    seconds: state.seconds,
    revisions: underNewNames(state, inputs, state.revisions),
    statuses: underNewNames(state, inputs, state.statuses),
    rolloutState: "deployed",
  });
}

/** Facts from the last wait about each deployment, under the deployment's current name in the program. */
function underNewNames(state: State, inputs: Inputs, facts: unknown): Properties {
  const before = Object.entries(deploymentsOf(state));
  return Object.fromEntries(
    Object.entries(deploymentsOf(inputs)).flatMap(([name, { id }]) => {
      const [former] = before.find(([, each]) => each.id === id) ?? [];
      const fact = former === undefined ? undefined : valueAt(facts, [former]);
      return isAbsent(fact) ? [] : [[name, fact]];
    }),
  );
}

export const rollout: Resource = {
  kind: "rollout",
  rows: rolloutRows,
  outputRows: rolloutOutputRows,
  reported: [],
  unreadable: "the service has no such thing. Declare it",
  check,
  diff,
  create: async (call, inputs) => {
    const id = call.name || "rollout";
    return { id, outputs: await wait(call, id, inputs) };
  },
  async update(call, id, state, inputs) {
    const isWaiting = waits(call, state, inputs) || inputs.deployments === UNKNOWN;
    if (isWaiting && call.isPlan) return stateOf(inputs, unknowns(Object.keys(rolloutOutputRows)));
    return isWaiting ? wait(call, id, inputs, state) : skip(state, inputs);
  },
  read: async (_call, id, state) => ({ id, outputs: state }),
  delete: async () => undefined,
};
