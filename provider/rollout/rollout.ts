/**
 * Rollout: one resource that waits for the newest revisions of many deployments at once, and verifies them. A rollout
 * makes no revision.
 */

import type { Call, Checked, Diffed, Resource } from "../call";
import { labelled } from "../diff/describe";
import { format } from "../diff/sentences";
import { Follow } from "../polling/follow";
import { StatusLog } from "../polling/revisions";
import type { Service } from "../run/run";
import { type Fault, faultsIn } from "../schema/check";
import { sameValue } from "../schema/compare";
import { ROLLOUT_TIMEOUT_SECONDS } from "../schema/deployment";
import { rolloutOutputRows, rolloutRows } from "../schema/rollout";
import { printable } from "../schema/secrecy";
import { canonicalId, isAbsent, isProperties, type Properties, UNKNOWN, valueAt } from "../schema/value";
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

const deploymentsOf = (properties: Properties | undefined): { [name: string]: Properties } =>
  isProperties(properties?.deployments) ? (properties.deployments as { [name: string]: Properties }) : {};

async function check(call: Call, olds: Properties | undefined, news: Properties): Promise<Checked> {
  const args = { ...news };
  if (isProperties(args.deployments)) args.deployments = knownConnections(olds, args.deployments);
  if (isProperties(args.verify)) args.verify = withValues(args.verify);
  const faults = faultsIn(rolloutRows, args, call.hidden);
  const otherFaults = [...serviceFaults(call, args), ...verifyFaults(args)];
  return { inputs: args, failures: faults.length > 0 ? faults : otherFaults };
}

/** Checks every connection. If the rollout has a connection, every deployment must have that connection's base URL. */
function serviceFaults({ run }: Call, inputs: Properties): Fault[] {
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
 * The deployments, with recorded connections instead of unknown ones. An output without a value is unknown in every
 * plan. If the id is unchanged, the recorded connection is right, because a connection to another service would replace
 * the deployment.
 */
function knownConnections(olds: Properties | undefined, deployments: Properties): Properties {
  const oldDeployments = Object.values(deploymentsOf(olds));
  const entries = Object.entries(deployments).map(([name, deployment]) => {
    if (!isProperties(deployment)) return [name, deployment];
    const { connection, ...fields } = deployment;
    const before = connection === UNKNOWN ? oldDeployments.find(({ id }) => id === deployment.id) : undefined;
    const connectionName = before === undefined ? connection : before.connection;
    return [name, isAbsent(connectionName) ? fields : { ...fields, connection: connectionName }];
  });
  return Object.fromEntries(entries);
}

/** The deployments that are new or have a new revision. Names are not compared: the program may have changed them. */
function changedIn(olds: Properties, news: Properties): string[] {
  const before = new Set(Object.values(deploymentsOf(olds)).map(({ revisionKey }) => revisionKey));
  return Object.entries(deploymentsOf(news))
    .filter(([, { revisionKey }]) => !before.has(revisionKey))
    .map(([name]) => name);
}

/** Whether a deployment was removed. */
function isReduced(olds: Properties, news: Properties): boolean {
  const ids = idsOf(news);
  return [...idsOf(olds)].some((id) => !ids.has(id));
}

const idsOf = (properties: Properties): Set<unknown> =>
  new Set(Object.values(deploymentsOf(properties)).map(({ id }) => id));

/**
 * The deployments whose revision this plan makes again although no argument changed. The engine plans a rollout after
 * its deployments in the same process, so their plans are known here.
 */
function remadeIn(call: Call, news: Properties): string[] {
  // A refresh makes no revisions, and must work without the connections' settings.
  if (call.method === "diff" && !call.isPlan) return [];
  return Object.entries(deploymentsOf(news))
    .filter(([, { id, connection }]) => serviceFor(call, news, connection).fleet.remade.has(id))
    .map(([name]) => name);
}

/** The service that has the deployment. */
const serviceFor = ({ run }: Call, inputs: Properties, connection: unknown): Service =>
  run.service(inputs.connection ?? connection);

/** Whether there is something to wait for. */
const waits = (call: Call, olds: Properties, news: Properties): boolean =>
  changedIn(olds, news).length > 0 || remadeIn(call, news).length > 0 || olds.rolloutState !== "deployed";

async function diff(call: Call, _id: string, olds: Properties, news: Properties): Promise<Diffed> {
  const hasOtherChange = ["timeoutSeconds", "connection", "verify"].some(
    (name) => !sameValue(olds[name] ?? null, news[name] ?? null),
  );
  const isWaiting = waits(call, olds, news);
  if (call.isPlan && isWaiting) {
    const count = countWords(deploymentsOf(news));
    await call.tell(format.rolloutWaits({ count, reasons: reasonOf(call, olds, news) }));
  }
  return { changes: isWaiting || isReduced(olds, news) || hasOtherChange };
}

function countWords(deployments: Properties): string {
  const count = Object.keys(deployments).length;
  return `${count} deployment${count === 1 ? "" : "s"}`;
}

function reasonOf(call: Call, olds: Properties, news: Properties): string {
  return [
    ...(olds.rolloutState === "deployed" ? [] : [`the last wait ended ${olds.rolloutState}`]),
    ...namesInWords("new or changed", changedIn(olds, news)),
    ...namesInWords("made again", remadeIn(call, news)),
  ].join("; ");
}

function namesInWords(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return [`${title}: ${names.slice(0, MOST_NAMES).map(printable).join(", ")}${more}`];
}

/** Waits for all deployments, because an unchanged deployment may also have a newer revision by now. */
async function wait(call: Call, id: string, inputs: Properties, olds: Properties = {}): Promise<Properties> {
  const { clock } = call.run;
  const log = new StatusLog(clock);
  const members = membersOf(call, inputs);
  const tell = (words: string) => call.tell(words);
  const work = async () => {
    await followAll(members, log, { tell, progress: call.progress ?? tell });
    await proveAll(unprovenIn(members, olds, inputs), { clock, tell });
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

/** Notes each revision that will never be deployed, for the next plan of its deployment. */
function noteFailures({ run }: Call, members: readonly Member[]): void {
  for (const { connection, follow } of members) {
    const { end, isGone, revisionId, status } = follow;
    if (end !== "failed" || isGone || isUnproven(status)) continue;
    const key = { serviceUrl: connection.baseUrl, latestRevisionId: revisionId };
    if (status !== undefined) run.failedRevisions.note(key, status);
  }
}

/** The members, except those whose revisions were deployed and verified in the last wait. */
function unprovenIn(members: readonly Member[], olds: Properties, news: Properties): Member[] {
  const [revisions, statuses] = [olds.revisions, olds.statuses].map((facts) =>
    underNewNames(olds, news, facts),
  ) as [Properties, Properties];
  return members.filter(
    ({ name, follow }) => revisions[name] !== follow.revisionId || statuses[name] !== "DEPLOYED",
  );
}

function membersOf(call: Call, inputs: Properties): Member[] {
  const timeout = inputs.timeoutSeconds;
  const timeoutSeconds = call.timeoutSeconds(typeof timeout === "number" ? timeout : ROLLOUT_TIMEOUT_SECONDS);
  return Object.entries(deploymentsOf(inputs)).map(([name, { id, connection }]) => {
    const service = serviceFor(call, inputs, connection);
    const { poller, directory } = service;
    const verification = valueAt(inputs.verify, [name]) as Verification | undefined;
    const follow = new Follow(poller, {
      deploymentId: canonicalId(String(id)),
      timeoutSeconds,
      tellNewer: (words) => call.tell(labelled(printable(name), words)),
    });
    return { name, follow, poller, directory, connection: service.connection, verification };
  });
}

function rolloutOutputs(inputs: Properties, members: readonly Member[], seconds: number): Properties {
  const isOver = countOf(members, "waiting") === 0;
  const valuesOf = (fact: "revisionId" | "status"): Properties =>
    Object.fromEntries(members.flatMap(({ name, follow }) => (follow[fact] ? [[name, follow[fact]]] : [])));
  return {
    ...inputs,
    deployed: countOf(members, "deployed"),
    seconds,
    revisions: valuesOf("revisionId"),
    statuses: valuesOf("status"),
    rolloutState: !isOver ? "unfinished" : countOf(members, "failed") > 0 ? "failed" : "deployed",
  };
}

/**
 * The outputs if there is nothing to wait for, because the update only removes deployments or changes a setting such as
 * the time-out.
 */
function skip(olds: Properties, news: Properties): Properties {
  return {
    ...news,
    deployed: Object.keys(deploymentsOf(news)).length,
    seconds: olds.seconds,
    revisions: underNewNames(olds, news, olds.revisions),
    statuses: underNewNames(olds, news, olds.statuses),
    rolloutState: "deployed",
  };
}

/** Facts from the last wait about each deployment, under the deployment's present name in the program. */
function underNewNames(olds: Properties, news: Properties, facts: unknown): Properties {
  const before = Object.entries(deploymentsOf(olds));
  return Object.fromEntries(
    Object.entries(deploymentsOf(news)).flatMap(([name, { id }]) => {
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
  unsettled: (call, _id, olds, news) =>
    waits(call, olds, news) ? Object.keys(rolloutOutputRows) : ["deployed", "revisions", "statuses"],
  create: async (call, inputs) => {
    const id = call.name || "rollout";
    return { id, outputs: await wait(call, id, inputs) };
  },
  update: async (call, id, olds, news) =>
    waits(call, olds, news) ? wait(call, id, news, olds) : skip(olds, news),
  read: async (_call, id, state) => ({ id, outputs: state }),
  delete: async () => undefined,
};
