/** Gives the provider the options that the engine does not pass on, and refuses options that would have no effect. */
import type * as pulumi from "@pulumi/pulumi";
import type { Rows } from "../../provider/schema/kind";
import { isAbsent } from "../../provider/schema/value";
import { refusal } from "./refusal";

export type Options = pulumi.CustomResourceOptions;

/**
 * The options about deletion, which the engine does not pass on; empty for a resource that the provider never deletes.
 */
export function destructionOptions(
  argumentRows: Rows,
  { retainOnDelete, deleteBeforeReplace }: Options = {},
): { retained?: true | undefined; deleteBeforeReplace?: boolean | undefined } {
  if (!Object.hasOwn(argumentRows, "onDestroy")) return {};
  return { retained: retainOnDelete === true ? true : undefined, deleteBeforeReplace };
}

/** Refuses options that would have no effect on a dynamic resource, or would replace a deployment without a plan. */
export function refuseOptions(resource: string, name: string, options: Options | undefined): void {
  const label = `${resource} "${name}"`;
  if (options?.import !== undefined) {
    throw refusal(
      `${label}: the option import does not work with dynamic resources. To take over what exists, set the argument adopt to its id`,
    );
  }
  if (resource === "Deployment") refuseForcedReplacement(label, options);
  if (options?.replaceOnChanges === undefined || options.replaceOnChanges.length === 0) return;
  throw refusal(
    `${label}: the option replaceOnChanges has no effect on dynamic resources, so it is refused. ${INSTEAD}`,
  );
}

const INSTEAD = "Remove it; to force a new revision, change revisionTriggers; to replace, change name";

/** Refuses options that make the engine replace a deployment without asking the provider: no reason would be shown. */
function refuseForcedReplacement(label: string, options: Options | undefined): void {
  const option = (["replacementTrigger", "replaceWith"] as const).find(
    (each) => options?.[each] !== undefined,
  );
  if (option === undefined) return;
  throw refusal(
    `${label}: the option ${option} would replace the deployment under its own name, which the old one has, so it is refused. ${INSTEAD}`,
  );
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
