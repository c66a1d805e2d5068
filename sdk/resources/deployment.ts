import * as pulumi from "@pulumi/pulumi";
import {
  deploymentComputedRows,
  deploymentOutputRows,
  deploymentRows,
} from "../../provider/schema/deployment";
import { valueAt } from "../../provider/schema/value";
import {
  definition,
  type Options,
  Read,
  type ReadOptions,
  Registration,
  readResource,
  whenKnown,
} from "./registration";
import type { DeploymentArgs, DeploymentOutputs } from "./types";

const DEPLOYMENT = definition("Deployment", deploymentRows, deploymentOutputRows, deploymentComputedRows);

/** The deployments that the program reads with `Deployment.get` and does not manage. */
const onlyRead = new WeakSet<pulumi.Resource>();

/** The `rollout` argument of each deployment that has one. */
const rollouts = new WeakMap<pulumi.Resource, DeploymentArgs["rollout"]>();

/** The deployment's `rollout.verify`, for the Rollout that waits for the deployment. */
export const verificationOf = (deployment: Deployment): unknown =>
  whenKnown(rollouts.get(deployment), (settings) => valueAt(settings, ["verify"]));

/** Whether the deployment's update ends before the new revision is serving. False if `wait` is an output. */
export const isUnawaited = (deployment: Deployment): boolean =>
  valueAt(rollouts.get(deployment), ["wait"]) === false;

export interface Deployment extends DeploymentOutputs {}

/**
 * A deployment of an agent graph. The plan says whether an update creates a new revision, and why. The apply waits
 * until that revision runs.
 */
export class Deployment extends pulumi.CustomResource {
  /** Declares a deployment. Bad arguments are refused at preview. */
  constructor(name: string, args: DeploymentArgs, options?: Options);
  constructor(name: string, args: DeploymentArgs | Read, options?: Options) {
    const registration = new Registration(DEPLOYMENT, name, args, options);
    try {
      super(...registration.begin());
    } catch (error) {
      throw registration.failed(error);
    }
    registration.end(this);
    if (args instanceof Read) onlyRead.add(this);
    else if (args.rollout !== undefined) rollouts.set(this, args.rollout);
  }

  /**
   * `id` and `revisionGeneration` in one string, for resources that must follow each new revision. Known at preview.
   * For a deployment that is only read, the string consists of `id` and the newest revision's id.
   */
  get revisionKey(): pulumi.Output<string> {
    if (onlyRead.has(this))
      return pulumi.interpolate`${this.id}:${this.latestRevisionId.apply((id) => id ?? "none")}`;
    // Mocks that only repeat the arguments return no generation.
    return pulumi.interpolate`${this.id}:${this.revisionGeneration.apply((generation) => generation ?? 1)}`;
  }

  /** Reads a deployment that this program does not manage, and leaves it unchanged. An unknown id is an error. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: ReadOptions): Deployment {
    return readResource(Deployment, name, id, options);
  }
}

export function isDeployment(value: unknown): value is Deployment {
  return pulumi.CustomResource.isInstance(value) && "revisionKey" in value;
}
