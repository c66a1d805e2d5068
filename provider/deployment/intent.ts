/** What the journal keeps of a request, and whether a deployment that is found later is what a creation made. */

import { holds } from "../fields/compare";
import { deploymentRows } from "../fields/deployment";
import { isAbsent, isProperties, type Properties } from "../fields/value";
import { rowsToWire, wireName } from "../fields/wire";
import { hiddenIn, urnOf } from "../host/carried";
import { type Entry, type Intent, MEMORY_MS, type Moment } from "../journal/journal";
import type { Profile } from "../profiles/profiles";
import { redacted } from "../service/secrecy";
import type { Service, Session } from "../service/session";
import { forces } from "../verdict/changes";
import { argumentsOf } from "./arguments";
import type { Operation } from "./rollout/await";
import { shownSecrets } from "./state";

/** How exact the service's clock is known. */
const AGREEMENT_MS = 1_500;

/** The deployment's creation, for the journal. */
export function intentOf(inputs: Properties, service: Service, known: readonly string[]): Intent {
  return {
    urn: urnOf(inputs),
    serviceUrl: service.connection.baseUrl,
    kind: "deployment",
    name: nameKept(inputs),
    sent: openArguments(inputs, isSent),
    secretNames: secretNamesIn(inputs),
    known,
  };
}

/** The name for the journal: none where it is secret, or holds what is; the program that recovers it knows it. */
function nameKept(inputs: Properties): string {
  const name = String(inputs.name);
  return hiddenIn(inputs)("name") || holdsSecret(name) ? "" : name;
}

/** The deployment's update, for the journal. */
export function updateIntent(
  { id, inputs, service }: Operation,
  body: Properties,
  olds: Properties,
): Intent & Required<Pick<Entry, "carries">> {
  const carries = Object.entries(deploymentRows).flatMap(([name, field]) =>
    field.wire !== undefined && wireName(field, name, service.connection.profile) in body ? [name] : [],
  );
  const { revisionGeneration: generation } = inputs;
  return {
    urn: urnOf(inputs),
    serviceUrl: service.connection.baseUrl,
    kind: "update",
    name: nameKept(inputs),
    id,
    carries,
    sent: openArguments(inputs, (name) => FORCING.includes(name) || carries.includes(name)),
    secretNames: carries.includes("secrets") ? secretNamesIn(inputs) : [],
    known: typeof olds.latestRevisionId === "string" ? [olds.latestRevisionId] : [],
    ...(typeof generation === "number" && generation !== olds.revisionGeneration ? { generation } : {}),
  };
}

/** Arguments by which an update makes a revision without a trace in any answer. */
export const FORCING: readonly string[] = Object.entries(deploymentRows).flatMap(([name, field]) =>
  forces(field) ? [name] : [],
);

function secretNamesIn({ secrets }: Properties): string[] {
  return isProperties(secrets) ? Object.keys(secrets).sort() : [];
}

/** Those arguments, without the secrets, what is marked secret, and whatever holds such a value. */
function openArguments(inputs: Properties, isWanted: (name: string) => boolean): Properties {
  const hidden = hiddenIn(inputs);
  const open = (value: unknown, path: string): unknown => {
    if (hidden(path) && !isProperties(value)) return undefined;
    if (!isProperties(value)) return holdsSecret(value) ? undefined : value;
    const members = Object.entries(value).map(([name, member]) => [name, open(member, `${path}.${name}`)]);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
  const sent = Object.entries(argumentsOf(inputs)).filter(([name]) => name !== "secrets" && isWanted(name));
  return Object.fromEntries(
    sent.map(([name, value]) => [name, open(value, name)]).filter(([, value]) => value !== undefined),
  );
}

function holdsSecret(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text !== undefined && redacted(text) !== text;
}

function isSent(name: string): boolean {
  const field = deploymentRows[name as keyof typeof deploymentRows];
  return name !== "secrets" && field.wire !== undefined && !("patchOnly" in field);
}

/** The arguments of a program, with those that the creation sent in their place. */
export function withSent(inputs: Properties, entry: Pick<Entry, "sent" | "secretNames">): Properties {
  const ours = Object.entries(inputs).filter(
    ([name]) => name !== "secrets" && (!Object.hasOwn(deploymentRows, name) || !isSent(name)),
  );
  // A name that the journal does not keep is what it was looked for by.
  return { ...Object.fromEntries(ours), name: inputs.name, ...entry.sent };
}

/** Why the deployment is not provably what the creation made; undefined where it is. */
export async function whyNotOurs(
  { journal, clock }: Session,
  { connection }: Service,
  by: Intent & Moment,
  resource: Properties,
): Promise<string | undefined> {
  const claimed = await journal.claimedElsewhere(by.urn, by.serviceUrl, resource.id as string, by.name);
  if (claimed) return "another stack on this machine has made it, or may just have";
  return whyNotMade(by, resource, connection.profile, clock.now());
}

function whyNotMade(
  by: Intent & Moment,
  resource: Properties,
  profile: Profile,
  now: number,
): string | undefined {
  const createdAt = Date.parse(String(resource.created_at));
  const since = by.serviceTime - AGREEMENT_MS;
  const until = by.serviceTime + (by.overAt - by.sentAt) + AGREEMENT_MS;
  if (Number.isNaN(createdAt)) return "it does not say when it was created";
  if (createdAt < since) return "it was created before the interrupted run asked for it";
  if (createdAt > until) return "it was created after the interrupted run's request could still arrive";
  if (now - by.sentAt > MEMORY_MS) return "the interrupted run is too long ago";
  const wire = rowsToWire(deploymentRows, by.sent, profile);
  const differs = Object.keys(wire).find((name) => !holds(resource[name], wire[name]));
  if (differs !== undefined) return `its ${differs} is not what the interrupted run sent`;
  return sameNames(by.secretNames, resource, profile)
    ? undefined
    : "its secrets are not those that the interrupted run sent";
}

/** A service that names no secrets hides them. */
function sameNames(sent: readonly string[], resource: Properties, profile: Profile): boolean {
  const live = shownSecrets(resource, profile);
  if (isAbsent(live) || !isProperties(live)) return true;
  const names = Object.keys(live).sort();
  return names.length === 0 || names.join("\n") === [...sent].sort().join("\n");
}
