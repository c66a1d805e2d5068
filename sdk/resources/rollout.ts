import * as pulumi from "@pulumi/pulumi";
import { rolloutOutputRows, rolloutRows } from "../../provider/schema/rollout";
import { isAbsent } from "../../provider/schema/value";
import { type Deployment, isDeployment, verificationOf } from "./deployment";
import { refusal } from "./refusal";
import { definition, type Options, Registration } from "./registration";
import type { RolloutOutputs, RolloutOwnArgs } from "./types";

/** Arguments of a rollout. */
export interface RolloutArgs extends RolloutOwnArgs {
  /** The deployments to wait for, each declared with `rollout: { wait: false }`. */
  deployments: readonly Deployment[];
}

const ROLLOUT = definition("Rollout", rolloutRows, rolloutOutputRows);

export interface Rollout extends RolloutOutputs {}

/**
 * Waits for the newest revisions of many deployments at once, and verifies the deployments with `rollout.verify`.
 * Without a Rollout, the engine waits for only a few deployments at a time. A Rollout makes no revision. A Rollout
 * waits again when a deployment is added or gets a new revision, and after a wait that did not succeed.
 */
export class Rollout extends pulumi.CustomResource {
  /** Declares a rollout. Bad arguments are refused at preview. */
  constructor(name: string, args: RolloutArgs, options?: Options) {
    const deployments = byName(name, args.deployments);
    const registration = new Registration(ROLLOUT, name, { ...args, ...viewsOf(deployments) }, options);
    try {
      super(...registration.begin());
    } catch (error) {
      throw registration.failed(error);
    }
    registration.end(this);
  }
}

/** The id, revision key and connection of each deployment, and each `rollout.verify` that the program sets. */
function viewsOf(deployments: ReadonlyMap<string, Deployment>) {
  const entries = [...deployments];
  const verify = entries.flatMap(([name, deployment]) => {
    const verification = verificationOf(deployment);
    return isAbsent(verification) ? [] : [[name, verification]];
  });
  return {
    deployments: Object.fromEntries(
      entries.map(([name, { id, revisionKey, connection }]) => [name, { id, revisionKey, connection }]),
    ),
    ...(verify.length > 0 && { verify: Object.fromEntries(verify) }),
  };
}

/** The deployments by their names in the program. A deployment that is listed twice counts once. */
function byName(rollout: string, deployments: readonly Deployment[]): ReadonlyMap<string, Deployment> {
  if (!Array.isArray(deployments) || !deployments.every(isDeployment)) {
    throw refusal(
      `Rollout "${rollout}": deployments: allowed: a list of Deployment resources of this program`,
    );
  }
  const entries = new Map<string, Deployment>();
  for (const deployment of new Set(deployments))
    entries.set(freeName(nameOf(deployment), entries), deployment);
  return entries;
}

/** The SDK's types lack this field, which contains the deployment's name in the program. */
function nameOf(deployment: Deployment): string {
  return (deployment as unknown as { __name: string }).__name;
}

/** Two deployments may share a name if their parents have different types. */
function freeName(name: string, entries: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let count = 2; entries.has(free); count += 1) free = `${name} (${count})`;
  return free;
}
