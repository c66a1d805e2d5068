/** What the journal keeps of a deployment's creation or update: never a secret, nor whatever else the program marked secret. */
import type { Call } from "../call";
import type { Hidden } from "../fields/check";
import { deploymentRows } from "../fields/deployment";
import { isProperties, type Properties } from "../fields/value";
import { isAnswered, wireName } from "../fields/wire";
import type { Entry, Intent } from "../journal/entry";
import { holdsSecret } from "../service/secrecy";
import { forces } from "../verdict/changes";
import { argumentsOf } from "./arguments";

/** `known`: ids that the service has under this name already. */
export function creationIntent(call: Call, inputs: Properties, known: readonly string[]): Intent {
  return {
    ...call.key,
    kind: "deployment",
    name: nameKept(inputs, call.hidden),
    sent: openArguments(inputs, call.hidden, isSent),
    secretNames: secretNamesIn(inputs),
    known,
  };
}

/** The update with that body from the recorded state. */
export function updateIntent(
  call: Call,
  id: string,
  { olds, news, body }: { readonly olds: Properties; readonly news: Properties; readonly body: Properties },
): Intent & Required<Pick<Entry, "carries">> {
  const carries = Object.entries(deploymentRows).flatMap(([name, field]) =>
    field.wire !== undefined && wireName(field, name, call.profile) in body ? [name] : [],
  );
  const { revisionGeneration: generation } = news;
  return {
    ...call.key,
    kind: "update",
    name: nameKept(news, call.hidden),
    id,
    carries,
    sent: openArguments(news, call.hidden, (name) => FORCING.includes(name) || carries.includes(name)),
    secretNames: carries.includes("secrets") ? secretNamesIn(news) : [],
    known: typeof olds.latestRevisionId === "string" ? [olds.latestRevisionId] : [],
    ...(typeof generation === "number" && generation !== olds.revisionGeneration ? { generation } : {}),
  };
}

/** Arguments by which an update makes a revision without a trace in any answer. */
export const FORCING: readonly string[] = Object.entries(deploymentRows).flatMap(([name, field]) =>
  forces(field) ? [name] : [],
);

/** The arguments of a program, with those that the creation sent in their place. */
export function withSent(inputs: Properties, entry: Pick<Entry, "sent">): Properties {
  const ours = Object.entries(inputs).filter(
    ([name]) => name !== "secrets" && (!Object.hasOwn(deploymentRows, name) || !isSent(name)),
  );
  // The journal keeps no secret name: the program still gives it.
  return { ...Object.fromEntries(ours), name: inputs.name, ...entry.sent };
}

/** Empty if the name is, or holds, a secret: the program that recovers it knows it. */
export function nameKept({ name }: Properties, hidden: Hidden): string {
  return hidden("name") || holdsSecret(name) ? "" : String(name);
}

function secretNamesIn({ secrets }: Properties): string[] {
  return isProperties(secrets) ? Object.keys(secrets).sort() : [];
}

/** Those arguments, without the secrets, what is marked secret, and whatever holds such a value. */
function openArguments(inputs: Properties, hidden: Hidden, isWanted: (name: string) => boolean): Properties {
  const open = (value: unknown, path: string): unknown => {
    if (!isProperties(value)) return hidden(path) || holdsSecret(value) ? undefined : value;
    return membersOf(value, (name) => `${path}.${name}`);
  };
  const membersOf = (value: Properties, pathOf: (name: string) => string): Properties => {
    const members = Object.entries(value).map(([name, member]) => [name, open(member, pathOf(name))]);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
  const wanted = Object.entries(argumentsOf(inputs)).filter(([name]) => name !== "secrets" && isWanted(name));
  return membersOf(Object.fromEntries(wanted), (name) => name);
}

function isSent(name: string): boolean {
  return isAnswered(deploymentRows[name as keyof typeof deploymentRows]);
}
