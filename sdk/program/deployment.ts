import * as pulumi from "@pulumi/pulumi";
import {
  deploymentOutputRows,
  deploymentRows,
  type SourceConfig,
  type SourceRevisionConfig,
} from "../../provider/fields/deployment";
import type { ValuesOf } from "../../provider/fields/kind";
import { typeToken } from "../../provider/fields/naming";
import type { ArgumentsOf } from "./inputs";
import { refusal } from "./refusal";
import { declared, gotten, type Options, Read, settleNotGiven, settleUnanswered } from "./registration";
import { withoutStacks } from "./stacks";

type Values = ValuesOf<typeof deploymentRows>;
type Reported = ValuesOf<typeof deploymentOutputRows>;

/** Arguments of a deployment, nested as in the contract. */
export interface DeploymentArgs extends ArgumentsOf<Values> {}

const OUTPUTS = [
  ...Object.keys(deploymentRows),
  ...Object.keys(deploymentOutputRows),
  "latestRevisionStatus",
  "rolloutState",
  "serviceUrl",
  "revisionGeneration",
  "secretGenerations",
];

/** Those that their program does not manage. */
const onlyRead = new WeakSet<pulumi.Resource>();

/**
 * A deployment of an agent graph. The plan says whether an update creates a new revision, and why; the apply waits
 * until that revision runs.
 */
export class Deployment extends pulumi.CustomResource {
  // Declared, not defined: a class field would reset what the engine's answer has set.
  /** Name of the deployment, unique to it. A tracing project of the same name is made by the service. */
  declare readonly name: pulumi.Output<string>;
  /** What the deployment is made from. */
  declare readonly source: pulumi.Output<Values["source"]>;
  /** Settings that need no new revision. */
  declare readonly sourceConfig: pulumi.Output<SourceConfig | undefined>;
  /** Settings of which a change creates a new revision. */
  declare readonly sourceRevisionConfig: pulumi.Output<SourceRevisionConfig | undefined>;
  /** Secrets of the deployment: name to value. */
  declare readonly secrets: pulumi.Output<Values["secrets"]>;
  /** Kubernetes Secrets to use (only for source `external_docker`): name to where its value is kept. */
  declare readonly secretReferences: pulumi.Output<Values["secretReferences"]>;
  /** Source of the revisions that updates make, when it is another than the deployment's own. */
  declare readonly revisionSource: pulumi.Output<Values["revisionSource"]>;
  /** Any change of this map forces a new revision: the managed revision fields are sent again. */
  declare readonly revisionTriggers: pulumi.Output<Values["revisionTriggers"]>;
  /** `forbid`: a preview or update that would or may create a new revision fails. */
  declare readonly newRevisions: pulumi.Output<Values["newRevisions"]>;
  /** How the end of a rollout is awaited. */
  declare readonly rollout: pulumi.Output<Values["rollout"]>;
  /** Take over an existing deployment at creation: `true` by name, or its id. */
  declare readonly adopt: pulumi.Output<Values["adopt"]>;
  /** What destroying the resource does: leave the deployment running, delete it, or refuse. */
  declare readonly onDestroy: pulumi.Output<Values["onDestroy"]>;
  /** Name of the connection in the configuration; the default one unless given. */
  declare readonly connection: pulumi.Output<Values["connection"]>;

  /** Tenant that owns the deployment. */
  declare readonly tenantId: pulumi.Output<Reported["tenantId"]>;
  /** When it was created, ISO 8601. */
  declare readonly createdAt: pulumi.Output<Reported["createdAt"]>;
  /** When it was last changed, ISO 8601. */
  declare readonly updatedAt: pulumi.Output<Reported["updatedAt"]>;
  /** Status of the deployment, such as `READY`. */
  declare readonly status: pulumi.Output<Reported["status"]>;
  /** Its newest revision. */
  declare readonly latestRevisionId: pulumi.Output<Reported["latestRevisionId"] | null>;
  /** How far the newest revision has come, such as `DEPLOYED` or `BUILD_FAILED`. */
  declare readonly latestRevisionStatus: pulumi.Output<string | null>;
  /** The revision that serves its users. */
  declare readonly activeRevisionId: pulumi.Output<Reported["activeRevisionId"] | null>;
  /** Image version of the deployment, null where the service names none. */
  declare readonly imageVersion: pulumi.Output<Reported["imageVersion"] | null>;
  /** Commit of which the newest revision was built, null where it was not built from a repository. */
  declare readonly repoCommitSha: pulumi.Output<Reported["repoCommitSha"] | null>;
  /** Address that the service reports for it, null where there is none. */
  declare readonly url: pulumi.Output<Reported["url"] | null>;
  /** Base URL of the service on which it lives. */
  declare readonly serviceUrl: pulumi.Output<string>;
  /** How the last rollout ended: `deployed`, `failed`, `unfinished` or `not awaited`. */
  declare readonly rolloutState: pulumi.Output<string>;
  /**
   * 1 at creation, one more with each change of the arguments that creates, or may create, a new revision; known at
   * preview. After a replacement it starts again at 1. 0 for a deployment that is only read.
   */
  declare readonly revisionGeneration: pulumi.Output<number>;
  /** The same for each secret by its name. */
  declare readonly secretGenerations: pulumi.Output<{ [name: string]: number } | undefined>;

  /** Declares a deployment. Bad arguments are refused at preview. */
  constructor(name: string, args: DeploymentArgs, options?: Options);
  constructor(name: string, args: DeploymentArgs | Read, options?: Options) {
    const properties =
      args instanceof Read
        ? gotten("Deployment", name, OUTPUTS, options, args.connection)
        : declared(
            "Deployment",
            name,
            { ...args, ...(args?.secrets === undefined ? {} : { secrets: eachSecret(args.secrets) }) },
            OUTPUTS,
            options,
          );
    const registered = pulumi.mergeOptions(options, { additionalSecretOutputs: ["secrets"] });
    const stacks = withoutStacks();
    try {
      super(typeToken("Deployment"), name, properties, registered);
    } catch (error) {
      throw stacks.placed(error);
    } finally {
      stacks.restore();
    }
    if (args instanceof Read) {
      onlyRead.add(this);
      settleUnanswered(this, deploymentRows, args);
    } else settleNotGiven(this, deploymentRows, args);
  }

  /**
   * `id` and `revisionGeneration` in one text, for whatever depends on a new revision; known at preview. Of a deployment
   * that is only read: `id` and the newest revision.
   */
  get revisionKey(): pulumi.Output<string> {
    if (onlyRead.has(this))
      return pulumi.interpolate`${this.id}:${this.latestRevisionId.apply((id) => id ?? "none")}`;
    return pulumi.interpolate`${this.id}:${this.revisionGeneration}`;
  }

  /**
   * Reads a deployment that this program does not manage: it is never changed or deleted. An id that the service does
   * not have is an error.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    options?: Options & { connection?: string },
  ): Deployment {
    if (id === undefined || id === null) throw refusal(`Deployment.get("${name}"): the id is missing`);
    const { connection, ...others } = options ?? {};
    const construct = Deployment as unknown as new (name: string, args: Read, options: Options) => Deployment;
    return new construct(name, new Read(connection), { ...others, id });
  }
}

/** Each value secret on its own, so that the names stay readable and the plan shows each that changes. */
function eachSecret(
  secrets: NonNullable<DeploymentArgs["secrets"]>,
): pulumi.Input<{ [name: string]: pulumi.Input<string> }> {
  // Anything but a plain map (an output, or a mistake that the provider will name) is secret as a whole.
  const isMap =
    typeof secrets === "object" && secrets !== null && Object.getPrototypeOf(secrets) === Object.prototype;
  if (!isMap) return pulumi.secret(secrets as pulumi.Input<{ [name: string]: pulumi.Input<string> }>);
  const entries = Object.entries(secrets as { [name: string]: pulumi.Input<string> }).map(
    ([name, value]): [string, pulumi.Output<string>] => [name, pulumi.secret(value)],
  );
  return Object.fromEntries(entries);
}
