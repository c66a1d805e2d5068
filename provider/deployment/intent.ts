/** The journal's record of a creation or an update. The record has no secrets and no values marked secret. */
import { randomUUID } from "node:crypto";
import type { Call } from "../call";
import { forces } from "../diff/changes";
import type { Intent } from "../journal/attempt";
import { macsOf, provenValues } from "../journal/macs";
import type { Tried } from "../journal/resolve";
import { deploymentRows } from "../schema/deployment";
import type { Field } from "../schema/kind";
import type { Arguments, Inputs } from "../schema/recorded";
import { holdsSecret } from "../schema/secrecy";
import {
  isProperties,
  mergedOver,
  type Properties,
  propertiesIn,
  valueAt,
  withValueAt,
} from "../schema/value";
import { isOpenlySent, rowsToWire, wireName } from "../schema/wire";
import { argumentsOf } from "./arguments";
import type { Write } from "./state";
import { variablesOf } from "./variables";

/** `idsBefore`: ids of the deployments that had the name before the creation. */
export function creationIntent(call: Call, inputs: Inputs, idsBefore: readonly string[]): Intent {
  return {
    ...call.key("create"),
    kind: "deployment",
    name: journalName(call, inputs),
    ...traces(call, inputs, (name) => name === "secrets" || isSent(name)),
    secretNames: variableNames(inputs),
    known: idsBefore,
  };
}

export function updateIntent({
  call,
  id,
  state,
  inputs,
  body,
  current = [],
  carried = [],
  purpose = "update",
  known = [state.latestRevisionId],
}: Write): Intent & Required<Pick<Intent, "id" | "carries">> {
  const carries = Object.entries(deploymentRows).flatMap(([name, field]) =>
    carried.includes(name) || (field.wire !== undefined && wireName(field, name, call.profile) in body)
      ? [name]
      : [],
  );
  const isCarried = (name: string) => FORCING.includes(name) || carries.includes(name);
  const { revisionGeneration: generation } = inputs;
  return {
    ...call.key(purpose, id),
    kind: "deployment",
    name: journalName(call, inputs),
    id,
    carries,
    ...(current.length === 0 ? {} : { current }),
    ...traces(call, withoutPaths(inputs, current), isCarried),
    secretNames: carries.includes("secrets") ? variableNames(inputs) : [],
    known: known.filter((id) => typeof id === "string"),
    ...(typeof generation === "number" && generation !== state.revisionGeneration ? { generation } : {}),
  };
}

const withoutPaths = <T extends Arguments>(args: T, paths: readonly string[]): T =>
  paths.reduce((rest, path) => withValueAt(rest, path.split("."), undefined), args);

/** Arguments that make a revision when they change, but that never appear in the service's answers. */
export const FORCING: readonly string[] = Object.entries(deploymentRows).flatMap(([name, field]) =>
  forces(field) ? [name] : [],
);

export const UNSENT: readonly string[] = Object.entries<Field<unknown>>(deploymentRows).flatMap(
  ([name, { wire }]) => (wire === undefined && !FORCING.includes(name) ? [name] : []),
);

/** An attempt, and everything that the journal records or proves about the sent arguments. */
export interface SentArguments {
  readonly attempt: Tried;
  readonly sentArguments: Arguments;
  /** The program's secrets that were provably sent. */
  readonly secrets: Properties;
  readonly variables: Properties;
  /** The recorded arguments in wire form. */
  readonly body: Properties;
}

export function sentBy(attempt: Tried, { call, inputs }: Pick<Write, "call" | "inputs">): SentArguments {
  const proven = provenValues(attempt.macs, inputs, call.service.connection.macKey);
  const { secrets: provenSecrets, ...values } = proven;
  const secrets = propertiesIn(provenSecrets);
  const sentArguments = mergedOver(attempt.sent, values);
  const variables = { ...propertiesIn(sentArguments.environment), ...secrets };
  const body = rowsToWire(deploymentRows, attempt.sent, call.profile);
  return { attempt, sentArguments, secrets, variables, body };
}

/** The arguments that a creation sent. A placeholder stands for a secret that may have changed since then. */
export function createdWith({ attempt, sentArguments, secrets }: SentArguments, inputs: Inputs): Inputs {
  const unsent = Object.entries(inputs).filter(
    ([name]) => name !== "secrets" && (!Object.hasOwn(deploymentRows, name) || !isSent(name)),
  );
  const names = attempt.secretNames.filter(
    (name) => !Object.hasOwn(propertiesIn(sentArguments.environment), name),
  );
  // The name comes from the program, because the journal stores no secret name.
  const args: Properties = { ...Object.fromEntries(unsent), ...sentArguments, name: inputs.name };
  if (names.length > 0)
    args.secrets = Object.fromEntries(names.map((name) => [name, valueAt(secrets, [name]) ?? randomUUID()]));
  return args;
}

/** The name to record; empty if the name is or contains a secret. A recovery then uses the program's name. */
function journalName(call: Call, inputs: Inputs): string {
  return String(traces(call, inputs, (name) => name === "name").sent.name ?? "");
}

function variableNames(inputs: Inputs): string[] {
  return Object.keys(variablesOf(inputs) ?? {}).sort();
}

/** The values of the arguments that are not secret, and the MACs of the secret arguments. */
function traces(
  { hidden, service }: Call,
  inputs: Inputs,
  isWanted: (name: string) => boolean,
): Pick<Intent, "sent" | "macs"> {
  const isHidden = (value: unknown, path: string) => hidden(path) || holdsSecret(value);
  const part = (members: Properties, above: string, wantsHidden: boolean): Properties => {
    const entries = Object.entries(members).map(([name, value]) => {
      const path = `${above}${name}`;
      if (isProperties(value)) {
        const within = part(value, `${path}.`, wantsHidden);
        return [name, wantsHidden && Object.keys(within).length === 0 ? undefined : within];
      }
      return [name, isHidden(value, path) === wantsHidden ? value : undefined];
    });
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  };
  const entries = Object.entries(argumentsOf(inputs)).filter(([name]) => isWanted(name));
  const { secrets, ...otherArguments } = Object.fromEntries(entries);
  const values = { ...part(otherArguments, "", true), ...(isProperties(secrets) ? { secrets } : {}) };
  const macs = macsOf(values, service.connection.macKey);
  return { sent: part(otherArguments, "", false), ...(macs === undefined ? {} : { macs }) };
}

const isSent = (name: string): boolean => isOpenlySent(deploymentRows[name as keyof typeof deploymentRows]);
