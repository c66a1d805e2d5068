/** Rollout: one resource that waits for the newest revisions of many deployments at once. It makes none. */

import { UnfinishedError } from "../failure";
import { faultInWords, faultsIn } from "../fields/check";
import { rolloutRows } from "../fields/rollout";
import { isAbsent, isProperties, type Properties, UNKNOWN, valueAt } from "../fields/value";
import { carriedIn, givenIn, hiddenIn, programName, timeoutSeconds, urnOf } from "../host/carried";
import type { Checked, Diffed, Resource } from "../resource";
import type { Session } from "../service/session";
import { plain, sentence } from "../verdict/describe";
import { Follow } from "../waiting/follow";
import { StatusLog } from "../waiting/statusLog";
import { countOf, describeFailure } from "./failures";
import { followAll, type Member } from "./members";

const DEFAULT_TIMEOUT_SECONDS = 1_800;
const MOST_NAMES = 5;

const labelOf = (properties: Properties): string => `rollout "${plain(programName(properties))}"`;

const deploymentsOf = (properties: Properties | undefined): { [name: string]: Properties } =>
  isProperties(properties?.deployments) ? (properties.deployments as { [name: string]: Properties }) : {};

async function check(session: Session, olds: Properties | undefined, news: Properties): Promise<Checked> {
  const args = givenIn(news);
  if (isProperties(args.deployments)) args.deployments = knownConnections(olds, args.deployments);
  const faults = faultsIn(rolloutRows, args, hiddenIn(news));
  return {
    inputs: { ...carriedIn(news), ...args },
    failures: faults.length > 0 ? faults.map(faultInWords) : serviceFaults(session, args),
  };
}

/** Looks every connection up, and refuses one through which a deployment could not be found. */
function serviceFaults(session: Session, inputs: Properties): string[] {
  const urlOf = (connection: unknown): string => session.service(connection).connection.baseUrl;
  const own = Object.entries(deploymentsOf(inputs)).filter(([, { connection }]) => connection !== UNKNOWN);
  const urls = own.map(([name, { connection }]): [string, string] => [name, urlOf(connection)]);
  if (isAbsent(inputs.connection) || inputs.connection === UNKNOWN) return [];
  const asked = urlOf(inputs.connection);
  const elsewhere = urls.find(([, url]) => url !== asked);
  if (elsewhere === undefined) return [];
  return [
    `connection: got "${plain(String(inputs.connection))}", which is ${asked}, but ${plain(elsewhere[0])} lives on ${elsewhere[1]}; ` +
      "leave it out, and each deployment is asked for over its own",
  ];
}

/**
 * The map with the connections that are recorded. An output without a value is unknown in every plan; but a deployment
 * that moves to another connection is replaced, so one that keeps its id keeps its connection.
 */
function knownConnections(olds: Properties | undefined, deployments: Properties): Properties {
  const entries = Object.entries(deployments).map(([name, deployment]) => {
    if (!isProperties(deployment)) return [name, deployment];
    const { connection, ...others } = deployment;
    const before = valueAt(deploymentsOf(olds), [name]);
    const isSame = connection === UNKNOWN && isProperties(before) && before.id === deployment.id;
    const known = isSame ? before.connection : connection;
    return [name, isAbsent(known) ? others : { ...others, connection: known }];
  });
  return Object.fromEntries(entries);
}

/** The deployments that are new here or have a new revision. */
function changedIn(olds: Properties, news: Properties): string[] {
  const [before, after] = [deploymentsOf(olds), deploymentsOf(news)];
  return Object.entries(after)
    .filter(([name, { revisionKey }]) => valueAt(before, [name, "revisionKey"]) !== revisionKey)
    .map(([name]) => name);
}

/**
 * The deployments whose revision this plan makes again. Their arguments do not change, nor does anything here: the
 * engine asks about a rollout after its deployments, in this same process, so what their plans say is known.
 */
function remadeIn(session: Session, news: Properties): string[] {
  return Object.entries(deploymentsOf(news))
    .filter(([, { id }]) => session.remade.has(String(id)))
    .map(([name]) => name);
}

/** Whether there is something to wait for. */
const waits = (session: Session, olds: Properties, news: Properties): boolean =>
  changedIn(olds, news).length > 0 || remadeIn(session, news).length > 0 || olds.rolloutState !== "deployed";

async function diff(
  session: Session,
  _id: string,
  olds: Properties,
  news: Properties,
  planned: boolean,
): Promise<Diffed> {
  const isRemoved = Object.keys(deploymentsOf(olds)).some(
    (name) => !Object.hasOwn(deploymentsOf(news), name),
  );
  const others = ["timeoutSeconds", "connection"].some(
    (name) => (olds[name] ?? null) !== (news[name] ?? null),
  );
  const isWaiting = waits(session, olds, news);
  if (planned && isWaiting) {
    const words = `waits for the newest revisions of ${countWords(deploymentsOf(news))} (${reasonOf(session, olds, news)})`;
    await session.reporter.info(urnOf(news), `${labelOf(news)}: ${words}`);
  }
  return { changes: isWaiting || isRemoved || others };
}

function countWords(deployments: Properties): string {
  const count = Object.keys(deployments).length;
  return `${count} deployment${count === 1 ? "" : "s"}`;
}

function reasonOf(session: Session, olds: Properties, news: Properties): string {
  return [
    ...(olds.rolloutState === "deployed" ? [] : [`the last wait ended ${olds.rolloutState}`]),
    ...naming("new or changed", changedIn(olds, news)),
    ...naming("made again", remadeIn(session, news)),
  ].join("; ");
}

function naming(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return [`${what}: ${names.slice(0, MOST_NAMES).map(plain).join(", ")}${more}`];
}

/** Waits for all, also for those that did not change: their newest revisions may be others by now. */
async function wait(
  session: Session,
  id: string,
  inputs: Properties,
  kind: "create" | "update",
): Promise<Properties> {
  const log = new StatusLog(session.clock);
  const tell = (words: string) => session.reporter.info(urnOf(inputs), `${labelOf(inputs)}: ${words}`);
  const members = membersOf(session, inputs, kind, tell);
  await followAll(members, log, tell).catch((error: Error) => {
    const reason = `${labelOf(inputs)}: could not be followed: ${sentence(error.message)} The next up waits again`;
    throw new UnfinishedError(id, outputsOf(inputs, members, 0), reason, { cause: error });
  });
  const outputs = outputsOf(inputs, members, log.total());
  if (outputs.rolloutState === "deployed") return outputs;
  throw new UnfinishedError(id, outputs, `${labelOf(inputs)}: ${describeFailure(members, log.total())}`);
}

function membersOf(
  session: Session,
  inputs: Properties,
  kind: "create" | "update",
  tell: (words: string) => Promise<void>,
): Member[] {
  const configured =
    typeof inputs.timeoutSeconds === "number" ? inputs.timeoutSeconds : DEFAULT_TIMEOUT_SECONDS;
  return Object.entries(deploymentsOf(inputs)).map(([name, { id, connection }]) => {
    const { poller } = session.service(inputs.connection ?? connection);
    const follow = new Follow(poller, {
      deploymentId: String(id),
      timeoutSeconds: timeoutSeconds(inputs, kind, configured),
      tellNewer: (words) => tell(`${plain(name)}: ${words}`),
    });
    return { name, follow, poller };
  });
}

function outputsOf(inputs: Properties, members: readonly Member[], seconds: number): Properties {
  const isOver = countOf(members, "waiting") === 0;
  const revisions = members.flatMap(({ name, follow: { revisionId } }) =>
    revisionId ? [[name, revisionId]] : [],
  );
  return {
    ...inputs,
    deployed: countOf(members, "deployed"),
    seconds,
    revisions: Object.fromEntries(revisions),
    rolloutState: !isOver ? "unfinished" : countOf(members, "failed") > 0 ? "failed" : "deployed",
  };
}

/** The outputs where nothing has to be waited for: a deployment was taken out, or the time-out is another. */
function kept(olds: Properties, news: Properties): Properties {
  const names = Object.keys(deploymentsOf(news));
  const known = isProperties(olds.revisions) ? olds.revisions : {};
  const revisions = Object.entries(known).filter(([name]) => names.includes(name));
  return {
    ...news,
    deployed: names.length,
    seconds: olds.seconds,
    revisions: Object.fromEntries(revisions),
    rolloutState: "deployed",
  };
}

export const rollout: Resource = {
  reported: [],
  check,
  diff,
  create: async (session, inputs) => {
    const id = programName(inputs) || "rollout";
    return { id, outputs: await wait(session, id, inputs, "create") };
  },
  update: async (session, id, olds, news) =>
    waits(session, olds, news) ? wait(session, id, news, "update") : kept(olds, news),
  read: async (_session, id, state) => ({ id, outputs: state }),
  delete: async () => undefined,
};
