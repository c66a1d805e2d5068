/** What every resource class hands to the engine beside its arguments. */
import * as pulumi from "@pulumi/pulumi";
import type { Rows } from "../../provider/fields/kind";
import { PACKAGE, typeToken } from "../../provider/fields/naming";
import { isAnswered } from "../../provider/fields/wire";
import { READ_ONLY, RETAINED, SECRET_PATHS, TIMEOUTS, URN } from "../../provider/host/carried";
import { refuseBadConfiguration } from "./configuration";
import { refusal } from "./refusal";

const DEPLOYMENT = "Deployment";

export type Options = pulumi.CustomResourceOptions;
/** Stands for the arguments of a resource that is only read. */
export class Read {
  constructor(readonly connection: string | undefined) {}
}

type Values = { [name: string]: unknown };

/**
 * The code that the provider process runs for the resource: constant text, the same on every machine and in every
 * version. It stands in the state twice per resource, so it is kept short and captures nothing.
 */
export function providerText(resource: string): string {
  return `exports.handler = () => require("${PACKAGE}/provider").${resource};`;
}

/** The properties of a resource that is declared, with a place for each output. */
export function declared(
  resource: string,
  name: string,
  args: Values,
  outputs: readonly string[],
  options: Options | undefined,
): Values {
  refuseBadConfiguration();
  refuseOptions(resource, name, options);
  const timeouts = timeoutsOf(`${resource} "${name}"`, options?.customTimeouts);
  return {
    ...places(outputs),
    ...args,
    ...common(resource, name, options),
    ...(timeouts === undefined ? {} : { [TIMEOUTS]: timeouts }),
    ...(resource === DEPLOYMENT && options?.retainOnDelete === true ? { [RETAINED]: true } : {}),
    ...markedSecret(args),
  };
}

const NOT_GIVEN = pulumi.output(undefined);

/**
 * Makes the arguments that the program did not give known to be none. The engine answers nothing for them, and a
 * property without an answer is unknown in every plan, with all that depends on it.
 */
export function settleNotGiven(resource: pulumi.Resource, rows: object, args: object | undefined): void {
  const given = Object.entries(args ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const names = new Set(given.map(([name]) => name));
  const others = Object.keys(rows).filter((name) => !names.has(name));
  Object.assign(resource, Object.fromEntries(others.map((name) => [name, NOT_GIVEN])));
}

/** The same of a resource that is only read, for what no service answers. */
export function settleUnanswered(resource: pulumi.Resource, rows: Rows, { connection }: Read): void {
  const unanswered = Object.entries(rows).filter(([, field]) => !isAnswered(field));
  settleNotGiven(resource, Object.fromEntries(unanswered), { connection });
}

/** The properties of a resource that is only read. */
export function gotten(
  resource: string,
  name: string,
  outputs: readonly string[],
  options: Options | undefined,
  connection: string | undefined,
): Values {
  refuseBadConfiguration();
  return {
    ...places(outputs),
    ...common(resource, name, options),
    [READ_ONLY]: true,
    ...(connection === undefined ? {} : { connection }),
  };
}

function common(resource: string, name: string, options: Options | undefined): Values {
  const provider = resource.charAt(0).toLowerCase() + resource.slice(1);
  return {
    __provider: providerText(provider),
    [URN]: urnOf(typeToken(resource), name, options?.parent),
  };
}

/** Text where it can be: every output costs the program time, and most resources have no parent. */
function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): pulumi.Input<string> {
  if (parent !== undefined) return pulumi.createUrn(name, type, parent);
  return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
}

function places(outputs: readonly string[]): Values {
  return Object.fromEntries(outputs.map((output) => [output, undefined]));
}

function refuseOptions(resource: string, name: string, options: Options | undefined): void {
  if (options?.import !== undefined) {
    throw refusal(
      `${resource} "${name}": the option import does not work with dynamic resources. To take over what exists, set the argument adopt to its id`,
    );
  }
  if (resource === DEPLOYMENT) refuseForcedReplacement(`${resource} "${name}"`, options);
  if (options?.replaceOnChanges === undefined || options.replaceOnChanges.length === 0) return;
  throw refusal(
    `${resource} "${name}": the option replaceOnChanges has no effect on dynamic resources, so it is refused. ` +
      "Remove it; to force a new revision, change revisionTriggers; to replace, change name",
  );
}

/** The provider is not asked about a replacement of the engine's own, of which the plan would show no reason. */
function refuseForcedReplacement(label: string, options: Options | undefined): void {
  const given = (["replacementTrigger", "replaceWith"] as const).find(
    (each) => options?.[each] !== undefined,
  );
  if (given === undefined) return;
  throw refusal(
    `${label}: the option ${given} would replace the deployment under its own name, which the old one has, so it is refused. ` +
      "Remove it; to force a new revision, change revisionTriggers; to replace, change name",
  );
}

const SECONDS: { readonly [unit: string]: number } = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

/** The engine does not pass time-outs on to dynamic resources, so they travel as an input. */
function timeoutsOf(label: string, timeouts: pulumi.CustomTimeouts | undefined): Values | undefined {
  const given = Object.entries(timeouts ?? {}).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map(([operation, value]) => [operation, secondsIn(label, operation, value)]),
  );
}

function secondsIn(label: string, operation: string, duration: unknown): number {
  const parts = [...String(duration).matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  const seconds = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (SECONDS[unit as string] as number),
    0,
  );
  if (parts.map(([part]) => part).join("") === duration && seconds > 0) return seconds;
  throw refusal(
    `${label}: customTimeouts.${operation}: got ${JSON.stringify(duration)}; allowed: a duration such as "90s", "10m" or "1h30m"`,
  );
}

/** Paths of arguments whose values are secret outputs, so that no plan line shows them. */
function markedSecret(args: Values): Values {
  const outputs = outputsIn(args, []).filter(([path]) => path[0] !== "secrets");
  if (outputs.length === 0) return {};
  const secret = Promise.all(
    outputs.map(async ([path, output]) => ((await pulumi.isSecret(output)) ? path.join(".") : "")),
  );
  const paths = secret.then((found) => [...new Set(found.filter((path) => path !== ""))]);
  return { [SECRET_PATHS]: paths.then((found) => (found.length > 0 ? found : undefined)) };
}

type Found = [path: string[], output: pulumi.Output<unknown>];

function outputsIn(value: unknown, path: string[]): Found[] {
  if (pulumi.Output.isInstance(value)) return [[path, value]];
  // It may resolve to a secret output.
  if (value instanceof Promise) return [[path, pulumi.output(value)]];
  // A list is compared as a whole, so its path is where its value would show.
  if (Array.isArray(value)) return value.flatMap((element) => outputsIn(element, path));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => outputsIn(member, [...path, name]));
}
