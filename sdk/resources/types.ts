/**
 * The arguments and outputs of the resources and look-ups, derived from the tables of fields. Each nested object has
 * a separate interface, so that a compiler's message names the interface and stays short.
 */
import type * as pulumi from "@pulumi/pulumi";
import type {
  DeploymentSecretReference,
  deploymentComputedRows,
  deploymentOutputRows,
  deploymentRows,
  revisionKeyRows,
  SourceConfig,
  SourceRevisionConfig,
} from "../../provider/schema/deployment";
import type { deploymentFilterRows, rangeRows, revisionFilterRows } from "../../provider/schema/filters";
import type { Field, Json, Rows, ValuesOf } from "../../provider/schema/kind";
import type {
  ListenerComputeConfig,
  listenerComputedRows,
  listenerOutputRows,
  listenerRows,
} from "../../provider/schema/listener";
import type { ofDeploymentRows, ofIntegrationRows, onConnectionRows } from "../../provider/schema/lookups";
import type { Container, ResourceSpec, Volume, VolumeMount } from "../../provider/schema/resourceSpec";
import type { rolloutOutputRows, rolloutRows } from "../../provider/schema/rollout";
import type {
  expectationRows,
  messageRows,
  smokeTestOutputRows,
  smokeTestRows,
} from "../../provider/schema/smokeTest";
import type {
  tokenMetadataArgumentRows,
  tokenMetadataComputedRows,
  tokenMetadataOutputRows,
} from "../../provider/schema/tokenMetadata";
import type { Verification, verificationRows } from "../../provider/schema/verification";

/** Plain values as arguments. Any part of them may be an output. `Parts`: the interfaces of nested objects, by name. */
type Args<V, Parts = unknown> = {
  -readonly [N in keyof V]: pulumi.Input<ArgumentOf<V[N], N extends keyof Parts ? Parts[N] : never>>;
};
// biome-ignore lint/suspicious/noExplicitAny: a JSON value is not checked further.
type ArgumentOf<V, Part> = Json extends V ? any : Argument<V, Part>;
type Argument<V, Part> = V extends string | number | boolean | null | undefined
  ? V
  : V extends readonly (infer E)[]
    ? pulumi.Input<ArgumentOf<E, Part>>[]
    : string extends keyof V
      ? { [name: string]: pulumi.Input<ArgumentOf<V[string & keyof V], Part>> }
      : [Part] extends [never]
        ? Args<V>
        : Part;

/** A second base, without members. With only one base, the compiler's messages would name that base. */
type Named = Record<never, never>;

type ValueOf<F> = F extends Field<infer T> ? T : never;
type EntryOf<F> = F extends Field<{ [name: string]: infer T }> ? T : never;
/** The members of a table as outputs. `Parts`: the types of values with nested objects, by name. */
type Outputs<R extends Rows, Parts = unknown> = {
  readonly [N in keyof R]: pulumi.Output<
    | (N extends keyof Parts ? Parts[N] : ValueOf<R[N]>)
    | (R[N] extends { readonly nullable: true } ? null : never)
    | (R[N] extends { readonly required: true } ? never : undefined)
  >;
};
/** A nullable output is null if the service reports nothing. */
type ReportedOutputs<R extends Rows> = {
  readonly [N in keyof R]: pulumi.Output<
    ValueOf<R[N]> | (R[N] extends { readonly nullable: true } ? null : undefined)
  >;
};

/** Arguments of a Deployment. */
export interface DeploymentArgs
  extends Args<
      ValuesOf<typeof deploymentRows>,
      {
        sourceConfig: SourceConfigArgs;
        sourceRevisionConfig: SourceRevisionConfigArgs;
        secretReferences: DeploymentSecretReferenceArgs;
        rollout: DeploymentRolloutArgs;
      }
    >,
    Named {}

/** Settings of the deployment itself. The profile decides which of them need a new revision. */
export interface SourceConfigArgs extends Args<SourceConfig, { resourceSpec: ResourceSpecArgs }> {}

/** Compute on which a deployment runs. */
export interface ResourceSpecArgs
  extends Args<
    ResourceSpec,
    {
      volumes: VolumeArgs;
      volumeMounts: VolumeMountArgs;
      initContainers: ContainerArgs;
      sidecars: ContainerArgs;
    }
  > {}

/** A volume of the pods. */
export interface VolumeArgs extends Args<Volume> {}

/** A container's mount of a volume. */
export interface VolumeMountArgs extends Args<VolumeMount> {}

/** A container of the pods. */
export interface ContainerArgs extends Args<Container, { volumeMounts: VolumeMountArgs }> {}

/** Settings that create a new revision when they change. */
export interface SourceRevisionConfigArgs extends Args<SourceRevisionConfig> {}

/** The Kubernetes Secret with the value of a variable, and the key in that Secret. */
export interface DeploymentSecretReferenceArgs extends Args<DeploymentSecretReference> {}

/** How to wait for a rollout. */
export interface DeploymentRolloutArgs
  extends Args<ValueOf<typeof deploymentRows.rollout>, { verify: DeploymentRolloutVerifyArgs }> {}

/** Conversations that verify each new revision after it is deployed. */
export interface DeploymentRolloutVerifyArgs
  extends Args<
    ValuesOf<typeof verificationRows>,
    { messages: SmokeTestMessageArgs; expect: SmokeTestExpectArgs }
  > {}

/** How to wait for a rollout. */
interface DeploymentRollout extends ValueOf<typeof deploymentRows.rollout> {}

/** Outputs of a Deployment. */
export interface DeploymentOutputs
  extends Outputs<
      typeof deploymentRows,
      {
        sourceConfig: SourceConfig;
        sourceRevisionConfig: SourceRevisionConfig;
        secretReferences: { [name: string]: DeploymentSecretReference };
        rollout: DeploymentRollout;
      }
    >,
    ReportedOutputs<typeof deploymentOutputRows>,
    Outputs<typeof deploymentComputedRows>,
    Outputs<typeof revisionKeyRows> {}

/** Arguments of a Listener. */
export interface ListenerArgs
  extends Args<ValuesOf<typeof listenerRows>, { computeConfig: ListenerComputeConfigArgs }>,
    Named {}

/** Settings of the infrastructure. */
export interface ListenerComputeConfigArgs extends Args<ListenerComputeConfig> {}

/** Outputs of a Listener. */
export interface ListenerOutputs
  extends Outputs<typeof listenerRows, { computeConfig: ListenerComputeConfig }>,
    ReportedOutputs<typeof listenerOutputRows>,
    Outputs<typeof listenerComputedRows> {}

/** Arguments of a TokenMetadata. */
export interface TokenMetadataArgs extends Args<ValuesOf<typeof tokenMetadataArgumentRows>>, Named {}

/** Outputs of a TokenMetadata. */
export interface TokenMetadataOutputs
  extends Outputs<typeof tokenMetadataArgumentRows>,
    ReportedOutputs<typeof tokenMetadataOutputRows>,
    Outputs<typeof tokenMetadataComputedRows> {}

/** Arguments of a Rollout, besides the deployments, which the class takes as resources. */
export interface RolloutOwnArgs extends Args<Omit<ValuesOf<typeof rolloutRows>, "deployments" | "verify">> {}

interface RolloutDeployment extends EntryOf<typeof rolloutRows.deployments> {}

/** Outputs of a Rollout. */
export interface RolloutOutputs
  extends Outputs<
      typeof rolloutRows,
      { deployments: { [name: string]: RolloutDeployment }; verify: { [name: string]: Verification } }
    >,
    Outputs<typeof rolloutOutputRows> {}

/** Arguments of a SmokeTest. */
export interface SmokeTestArgs
  extends Args<
      ValuesOf<typeof smokeTestRows>,
      { messages: SmokeTestMessageArgs; expect: SmokeTestExpectArgs }
    >,
    Named {}

/** A message to send. */
export interface SmokeTestMessageArgs extends Args<ValuesOf<typeof messageRows>> {}

/** Exactly one condition on the text of the last message. */
export interface SmokeTestExpectArgs extends Args<ValuesOf<typeof expectationRows>> {}

interface SmokeTestMessage extends ValuesOf<typeof messageRows> {}
interface SmokeTestExpect extends ValuesOf<typeof expectationRows> {}

/** Outputs of a SmokeTest. */
export interface SmokeTestOutputs
  extends Outputs<typeof smokeTestRows, { messages: SmokeTestMessage[]; expect: SmokeTestExpect }>,
    Outputs<typeof smokeTestOutputRows> {}

/** Arguments of getDeployments. */
export interface GetDeploymentsArgs extends ValuesOf<typeof deploymentFilterRows>, GetListenersArgs {}
/** Arguments of getDeploymentsOutput. */
export interface GetDeploymentsOutputArgs extends Args<GetDeploymentsArgs>, Named {}
/** Arguments of getRevisions. */
export interface GetRevisionsArgs
  extends ValuesOf<typeof ofDeploymentRows>,
    ValuesOf<typeof revisionFilterRows>,
    GetListenersArgs {}
/** Arguments of getRevisionsOutput. */
export interface GetRevisionsOutputArgs extends Args<GetRevisionsArgs>, Named {}
/** Arguments of getListeners. */
export interface GetListenersArgs extends ValuesOf<typeof rangeRows>, ValuesOf<typeof onConnectionRows> {}
/** Arguments of getListenersOutput. */
export interface GetListenersOutputArgs extends Args<GetListenersArgs>, Named {}
/** Arguments of getRepositories. */
export interface GetRepositoriesArgs
  extends ValuesOf<typeof ofIntegrationRows>,
    ValuesOf<typeof onConnectionRows> {}
/** Arguments of getRepositoriesOutput. */
export interface GetRepositoriesOutputArgs extends Args<GetRepositoriesArgs>, Named {}
/** Arguments of getIntegrations. */
export interface GetIntegrationsArgs extends ValuesOf<typeof onConnectionRows> {}
/** Arguments of getIntegrationsOutput. */
export interface GetIntegrationsOutputArgs extends Args<GetIntegrationsArgs>, Named {}
