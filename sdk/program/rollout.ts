import * as pulumi from "@pulumi/pulumi";
import type { ValuesOf } from "../../provider/fields/kind";
import { typeToken } from "../../provider/fields/naming";
import { rolloutOutputRows, rolloutRows } from "../../provider/fields/rollout";
import type { Deployment } from "./deployment";
import { refusal } from "./refusal";
import { declared, type Options, settleNotGiven } from "./registration";
import { withoutStacks } from "./stacks";

type Values = ValuesOf<typeof rolloutRows>;
type Reported = Required<ValuesOf<typeof rolloutOutputRows>>;

/** Arguments of a rollout. */
export interface RolloutArgs {
  /** The deployments to wait for, each declared with `rollout: { wait: false }`. */
  deployments: readonly Deployment[];
  /** Longest wait in seconds, for all of them together; 1800 unless given. */
  timeoutSeconds?: pulumi.Input<number> | undefined;
  /** Name of the connection through which to ask; for each deployment its own unless given. */
  connection?: pulumi.Input<string> | undefined;
}

const OUTPUTS = [...Object.keys(rolloutRows), ...Object.keys(rolloutOutputRows)];

/**
 * Waits for the newest revisions of many deployments at once, instead of one after the other within the engine's
 * parallelism. It makes no revision, and updates exactly when one of the deployments gets one or is added, also when a
 * failed revision is made again without a change of arguments.
 */
export class Rollout extends pulumi.CustomResource {
  /** What it waits for, by the names in the program. */
  declare readonly deployments: pulumi.Output<Values["deployments"]>;
  /** Longest wait in seconds, for all of them together; 1800 unless given. */
  declare readonly timeoutSeconds: pulumi.Output<Values["timeoutSeconds"]>;
  /** Name of the connection through which to ask; for each deployment its own unless given. */
  declare readonly connection: pulumi.Output<Values["connection"]>;
  /** How many of the deployments run their newest revision. */
  declare readonly deployed: pulumi.Output<Reported["deployed"]>;
  /** How long the last wait took, in seconds. */
  declare readonly seconds: pulumi.Output<Reported["seconds"]>;
  /** The newest revision of each deployment, by its name in the program. */
  declare readonly revisions: pulumi.Output<Reported["revisions"]>;
  /** How the last wait ended: `deployed`, `failed` or `unfinished`. */
  declare readonly rolloutState: pulumi.Output<string>;

  /** Declares a rollout. Bad arguments are refused at preview. */
  constructor(name: string, args: RolloutArgs, options?: Options) {
    const deployments = byName(name, args.deployments);
    const properties = declared("Rollout", name, { ...args, deployments }, OUTPUTS, options);
    const stacks = withoutStacks();
    try {
      super(typeToken("Rollout"), name, properties, options);
    } catch (error) {
      throw stacks.placed(error);
    } finally {
      stacks.restore();
    }
    settleNotGiven(this, rolloutRows, args);
  }
}

/** What the provider has to know of each deployment; the same deployment given twice is one. */
function byName(rollout: string, deployments: readonly Deployment[]): { [name: string]: unknown } {
  if (!Array.isArray(deployments) || !deployments.every(isDeployment)) {
    throw refusal(
      `Rollout "${rollout}": deployments: allowed: a list of Deployment resources of this program`,
    );
  }
  const entries = new Map<string, Deployment>();
  for (const deployment of new Set(deployments))
    entries.set(freeName(nameOf(deployment), entries), deployment);
  return Object.fromEntries(
    [...entries].map(([name, { id, revisionKey, connection }]) => [name, { id, revisionKey, connection }]),
  );
}

function isDeployment(value: unknown): value is Deployment {
  return pulumi.CustomResource.isInstance(value) && "revisionKey" in value;
}

/** The SDK has the name of each resource, but its types do not say so. */
function nameOf(deployment: Deployment): string {
  return (deployment as unknown as { __name: string }).__name;
}

/** Two deployments may have one name where their parents are of different types. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`;
  return free;
}
