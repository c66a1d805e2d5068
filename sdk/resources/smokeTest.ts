import * as pulumi from "@pulumi/pulumi";
import { DEPLOYMENT_TRIGGER, smokeTestOutputRows, smokeTestRows } from "../../provider/schema/smokeTest";
import { isAbsent } from "../../provider/schema/value";
import { type Deployment, isDeployment, isUnawaited } from "./deployment";
import { refusal } from "./refusal";
import { definition, type Options, Registration } from "./registration";
import type { SmokeTestArgs, SmokeTestOutputs } from "./types";

const SMOKE_TEST = definition("SmokeTest", smokeTestRows, smokeTestOutputRows);

/** Arguments of a smoke test for a Deployment that the program declares. */
export interface DeploymentTestArgs extends Omit<SmokeTestArgs, "deploymentUrl" | "triggers"> {
  /** The deployment whose `url` is tested after each new revision; replaces `deploymentUrl` and `triggers`. */
  deployment: Deployment;
  deploymentUrl?: undefined;
  triggers?: undefined;
}

export interface SmokeTest extends SmokeTestOutputs {}

/**
 * A question to a running deployment. `pulumi up` asks the question when it creates the test, and whenever the
 * question, the expectation or a trigger changes. A wrong answer fails the update, and the next `pulumi up` asks again.
 * A refresh and a destroy send nothing.
 */
export class SmokeTest extends pulumi.CustomResource {
  /** Declares a smoke test. Bad arguments are refused at preview. */
  constructor(name: string, args: SmokeTestArgs | DeploymentTestArgs, options?: Options) {
    const facts = "deployment" in args && !isAbsent(args.deployment) ? ({ ofDeployment: true } as const) : {};
    const registration = new Registration(
      SMOKE_TEST,
      name,
      withDeployment(name, args, options),
      options,
      facts,
    );
    try {
      super(...registration.begin());
    } catch (error) {
      throw registration.failed(error);
    }
    registration.end(this);
  }
}

function withDeployment(
  name: string,
  args: SmokeTestArgs | DeploymentTestArgs,
  options: Options | undefined,
): object {
  const { deployment, ...otherArgs } = { deployment: undefined, ...args };
  if (isAbsent(deployment)) return otherArgs;
  const label = `SmokeTest "${name}": deployment:`;
  if (!isDeployment(deployment)) throw refusal(`${label} allowed: a Deployment resource of this program`);
  const conflicting = (["deploymentUrl", "triggers"] as const).filter((each) => !isAbsent(args[each]));
  if (conflicting.length > 0)
    throw refusal(
      `${label} is set beside ${conflicting.join(" and ")}. Set only deployment for a deployment of this program, and only the others for any other address`,
    );
  if (isUnawaited(deployment) && isAbsent(options?.dependsOn))
    throw refusal(
      `${label} has rollout.wait false, so the test would ask its old revision. Set the option dependsOn to the Rollout that waits for it`,
    );
  const { sourceConfig, url, revisionKey } = deployment as Deployment;
  return {
    ...otherArgs,
    // A preview knows a `customUrl`, because the program sets it.
    deploymentUrl: sourceConfig.apply((settings) => settings?.customUrl ?? url),
    triggers: { [DEPLOYMENT_TRIGGER]: revisionKey },
  };
}
