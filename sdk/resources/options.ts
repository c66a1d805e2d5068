/** Gives the provider the options that the engine does not pass on, and refuses options that would have no effect. */
import type * as pulumi from "@pulumi/pulumi";
import type { Rows } from "../../provider/schema/kind";
import { isAbsent } from "../../provider/schema/value";
import { refusal } from "./refusal";

export type Options = pulumi.CustomResourceOptions;

/** The options about deletion, which the engine does not pass on. Empty for a resource that is never deleted. */
export function destructionOptions(
  argumentRows: Rows,
  { retainOnDelete, deleteBeforeReplace }: Options = {},
): { retained?: true | undefined; deleteBeforeReplace?: boolean | undefined } {
  if (!Object.hasOwn(argumentRows, "onDestroy")) return {};
  return { retained: retainOnDelete === true ? true : undefined, deleteBeforeReplace };
}

const INSTEAD = "Remove it; to force a new revision, change revisionTriggers; to replace, change name";

// The engine would replace the deployment without asking the provider, so the plan would show no reason.
const REPLACES = `would replace the deployment under its own name, which the old one has, so it is refused. ${INSTEAD}`;

/** The reason why each option is refused. Only a Deployment refuses the options that force a replacement. */
const REFUSED = {
  import: "does not work with dynamic resources. To take over what exists, set the argument adopt to its id",
  replaceOnChanges: `has no effect on dynamic resources, so it is refused. ${INSTEAD}`,
  replacementTrigger: REPLACES,
  replaceWith: REPLACES,
} as const;

/** Refuses options that would have no effect on a dynamic resource, or would replace a deployment without a plan. */
export function refuseOptions(resource: string, name: string, options: Options = {}): void {
  for (const [option, why] of Object.entries(REFUSED)) {
    const value: unknown = options[option as keyof typeof REFUSED];
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
    if (isEmpty || (why === REPLACES && resource !== "Deployment")) continue;
    throw refusal(`${resource} "${name}": the option ${option} ${why}`);
  }
}

const SECONDS: { readonly [unit: string]: number } = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

/** The resource's time-outs in seconds; undefined if there are none. */
export function timeoutsIn(
  label: string,
  options: Options | undefined,
): { [operation: string]: number } | undefined {
  const timeouts = Object.entries(options?.customTimeouts ?? {})
    .filter(([, duration]) => !isAbsent(duration))
    .map(([operation, duration]) => [operation, secondsIn(label, operation, duration)]);
  return timeouts.length === 0 ? undefined : Object.fromEntries(timeouts);
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
