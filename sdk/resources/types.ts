/** Made by `npm run docs` from the tables of fields. */
import type * as pulumi from "@pulumi/pulumi";
import type { DeploymentSecretReference, ListenerComputeConfig, SourceConfig, SourceRevisionConfig } from "../../provider/client/types";
import type { Json } from "../../provider/schema/kind";
import type { InputsOf } from "./inputs";

/** Arguments of a Deployment. */
export interface DeploymentArgs {
  /** Unique name of the deployment. The service makes a tracing project of the same name. */
  name: pulumi.Input<string>;
  /** Kind of source that the deployment is built from. */
  source: pulumi.Input<"repohost" | "external_docker" | "internal_docker" | "internal_source" | "internal_template">;
  /** Name that the service shows in place of `name`; once set, it can be changed but not cleared. */
  displayName?: pulumi.Input<string | undefined>;
  /** Settings that need no new revision. */
  sourceConfig?: pulumi.Input<SourceConfigArgs | undefined>;
  /** Settings that create a new revision when they change. */
  sourceRevisionConfig?: pulumi.Input<SourceRevisionConfigArgs | undefined>;
  /** Secrets of the deployment, by name. */
  secrets?: pulumi.Input<{ [name: string]: pulumi.Input<string> } | undefined>;
  /** Plain environment variables, by name; the plan and the state show their values. The service keeps `environment` and `secrets` in a single list. */
  environment?: pulumi.Input<{ [name: string]: pulumi.Input<string> } | undefined>;
  /** Variables whose values come from Kubernetes Secrets: by variable name, the Secret and its key (only for source `external_docker`). */
  secretReferences?: pulumi.Input<{ [name: string]: pulumi.Input<DeploymentSecretReferenceArgs> } | undefined>;
  /** Source of the revisions that updates create; the deployment's own source unless set. */
  revisionSource?: pulumi.Input<"repohost" | "internal_docker" | "internal_source" | undefined>;
  /** Any change of this map forces a new revision: the provider sends the managed revision fields again. */
  revisionTriggers?: pulumi.Input<{ [name: string]: pulumi.Input<string> } | undefined>;
  /** `forbid`: a preview or update fails if it would or might create a new revision; defaults to `allow`. A `forbid` in the configuration overrides this argument. */
  newRevisions?: pulumi.Input<"allow" | "forbid" | undefined>;
  /** How to wait for a rollout. */
  rollout?: pulumi.Input<DeploymentRolloutArgs | undefined>;
  /** Whether to take over an existing deployment at creation: `true` takes over the deployment of the same name, `identical` does so only if that deployment is as the program would have made it, and an id takes over the deployment with that id; defaults to the configuration's setting. */
  adopt?: pulumi.Input<string | boolean | undefined>;
  /** Effect of destroying the resource: leave the deployment running, delete the deployment, or fail. */
  onDestroy?: pulumi.Input<"retain" | "delete" | "fail" | undefined>;
  /** Name of the connection in the configuration; defaults to the default connection. Another name for the same service replaces nothing. */
  connection?: pulumi.Input<string | undefined>;
}

/** Settings that need no new revision. */
export interface SourceConfigArgs {
  /** Id of the repository-host integration, as in the `hostIntegrationId` of a listed repository. */
  integrationId?: pulumi.Input<string | undefined>;
  /** URL of the repository, as in the `url` of a listed repository. */
  repoUrl?: pulumi.Input<string | undefined>;
  /** Size and durability of the deployment. */
  deploymentType?: pulumi.Input<"dev_free" | "dev" | "prod" | "dev_zero" | "dev_free_zero" | (string & Record<never, never>) | undefined>;
  /** Whether a push to the branch builds a revision. */
  buildOnPush?: pulumi.Input<boolean | undefined>;
  /** Address at which the deployment is reached. */
  customUrl?: pulumi.Input<string | undefined>;
  /** Compute on which the deployment runs. */
  resourceSpec?: pulumi.Input<ResourceSpecArgs | undefined>;
  /** Template from which the deployment is made (only for source `internal_template`). */
  templateId?: pulumi.Input<string | undefined>;
  /** Listener on whose infrastructure the deployment runs. */
  listenerId?: pulumi.Input<string | undefined>;
  /** Place on the listener's infrastructure. */
  listenerConfig?: pulumi.Input<SourceConfigListenerConfigArgs | undefined>;
  /** Command that installs dependencies. */
  installCommand?: pulumi.Input<string | undefined>;
  /** Command that builds. */
  buildCommand?: pulumi.Input<string | undefined>;
}

/** Compute on which a deployment runs. */
export interface ResourceSpecArgs {
  /** Minimum number of replicas of the API server. */
  minScale?: pulumi.Input<number | undefined>;
  /** Maximum number of replicas of the API server. */
  maxScale?: pulumi.Input<number | undefined>;
  /** CPU request of one replica, in cores. */
  cpu?: pulumi.Input<number | undefined>;
  /** CPU limit of one replica, in cores. */
  cpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of one replica, in MB. */
  memoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of one replica, in MB. */
  memoryLimitMb?: pulumi.Input<number | undefined>;
  /** Minimum number of replicas of the queue. */
  queueMinScale?: pulumi.Input<number | undefined>;
  /** Maximum number of replicas of the queue. */
  queueMaxScale?: pulumi.Input<number | undefined>;
  /** CPU request of a queue replica, in cores. */
  queueCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of a queue replica, in cores. */
  queueCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of a queue replica, in MB. */
  queueMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of a queue replica, in MB. */
  queueMemoryLimitMb?: pulumi.Input<number | undefined>;
  /** CPU request of the orchestrator, in cores. */
  orchestratorCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of the orchestrator, in cores. */
  orchestratorCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of the orchestrator, in MB. */
  orchestratorMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of the orchestrator, in MB. */
  orchestratorMemoryLimitMb?: pulumi.Input<number | undefined>;
  /** Minimum number of replicas of the orchestrator. */
  orchestratorMinScale?: pulumi.Input<number | undefined>;
  /** Maximum number of replicas of the orchestrator. */
  orchestratorMaxScale?: pulumi.Input<number | undefined>;
  /** CPU request of an executor, in cores. */
  executorCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of an executor, in cores. */
  executorCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of an executor, in MB. */
  executorMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of an executor, in MB. */
  executorMemoryLimitMb?: pulumi.Input<number | undefined>;
  /** CPU request of the key-value store, in cores. */
  redisCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of the key-value store, in cores. */
  redisCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of the key-value store, in MB. */
  redisMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of the key-value store, in MB. */
  redisMemoryLimitMb?: pulumi.Input<number | undefined>;
  /** CPU request of the database, in cores. */
  dbCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of the database, in cores. */
  dbCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of the database, in MB. */
  dbMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of the database, in MB. */
  dbMemoryLimitMb?: pulumi.Input<number | undefined>;
  /** Storage of the database, in GiB. */
  dbStorageGi?: pulumi.Input<number | undefined>;
  /** Maximum number of connections to the database. */
  dbMaxConnections?: pulumi.Input<number | undefined>;
  /** Labels of the pods. */
  labels?: pulumi.Input<{ [name: string]: pulumi.Input<string> } | undefined>;
  /** Annotations of the pods. */
  annotations?: pulumi.Input<{ [name: string]: pulumi.Input<string> } | undefined>;
  /** Service account of the pods. */
  serviceAccountName?: pulumi.Input<string | undefined>;
  /** Kubernetes Secrets for pulling images. */
  imagePullSecrets?: pulumi.Input<pulumi.Input<ResourceSpecImagePullSecretArgs>[] | undefined>;
  /** Volumes of the pods. */
  volumes?: pulumi.Input<pulumi.Input<VolumeArgs>[] | undefined>;
  /** Mounts of the volumes in the API server. */
  volumeMounts?: pulumi.Input<pulumi.Input<VolumeMountArgs>[] | undefined>;
  /** Containers that run before the API server. */
  initContainers?: pulumi.Input<pulumi.Input<ContainerArgs>[] | undefined>;
  /** Containers that run next to the API server. */
  sidecars?: pulumi.Input<pulumi.Input<ContainerArgs>[] | undefined>;
}

/** Kubernetes Secrets for pulling images. */
export interface ResourceSpecImagePullSecretArgs {
  /** Name of the Kubernetes Secret. */
  name?: pulumi.Input<string | undefined>;
}

/** A volume of the pods. */
export interface VolumeArgs {
  /** Name by which volume mounts refer to the volume. */
  name?: pulumi.Input<string | undefined>;
  /** A ConfigMap as files. */
  configMap?: pulumi.Input<{ [name: string]: any } | undefined>;
  /** A Kubernetes Secret, presented as files. */
  secret?: pulumi.Input<{ [name: string]: any } | undefined>;
  /** A directory that lives as long as the pod. */
  emptyDir?: pulumi.Input<{ [name: string]: any } | undefined>;
  /** A persistent volume claim. */
  persistentVolumeClaim?: pulumi.Input<{ [name: string]: any } | undefined>;
  /** An NFS export. */
  nfs?: pulumi.Input<{ [name: string]: any } | undefined>;
  /** Several sources in one directory. */
  projected?: pulumi.Input<{ [name: string]: any } | undefined>;
  /** The pod's own metadata, presented as files. */
  downwardAPI?: pulumi.Input<{ [name: string]: any } | undefined>;
  /** A volume of a CSI driver. */
  csi?: pulumi.Input<{ [name: string]: any } | undefined>;
}

/** A container's mount of a volume. */
export interface VolumeMountArgs {
  /** Name of the volume to mount. */
  name?: pulumi.Input<string | undefined>;
  /** Path within the container. */
  mountPath?: pulumi.Input<string | undefined>;
  /** Path within the volume. */
  subPath?: pulumi.Input<string | undefined>;
  /** How mounts propagate between host and container. */
  mountPropagation?: pulumi.Input<string | undefined>;
  /** Path within the volume, with environment variables expanded. */
  subPathExpr?: pulumi.Input<string | undefined>;
  /** Mount without write access. */
  readOnly?: pulumi.Input<boolean | undefined>;
}

/** A container of the pods. */
export interface ContainerArgs {
  /** Name of the container. */
  name?: pulumi.Input<string | undefined>;
  /** Image that the container runs. */
  image?: pulumi.Input<string | undefined>;
  /** When the image is pulled, such as `IfNotPresent`. */
  imagePullPolicy?: pulumi.Input<string | undefined>;
  /** Working directory. */
  workingDir?: pulumi.Input<string | undefined>;
  /** Restart policy; `Always` makes an init container a sidecar. */
  restartPolicy?: pulumi.Input<string | undefined>;
  /** Entry point. */
  command?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Arguments of the entry point. */
  args?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Environment variables. */
  env?: pulumi.Input<pulumi.Input<ContainerEnvArgs>[] | undefined>;
  /** Sources in which each key becomes an environment variable. */
  envFrom?: pulumi.Input<pulumi.Input<{ [name: string]: any }>[] | undefined>;
  /** Compute that the container requests and may use. */
  resources?: pulumi.Input<ContainerResourcesArgs | undefined>;
  /** Volumes that the container mounts. */
  volumeMounts?: pulumi.Input<pulumi.Input<VolumeMountArgs>[] | undefined>;
  /** Security options. */
  securityContext?: pulumi.Input<{ [name: string]: any } | undefined>;
}

/** Environment variables. */
export interface ContainerEnvArgs {
  /** Name of the variable. */
  name?: pulumi.Input<string | undefined>;
  /** Value of the variable. */
  value?: pulumi.Input<string | undefined>;
  /** Source of the value, instead of `value`. */
  valueFrom?: pulumi.Input<{ [name: string]: any } | undefined>;
}

/** Compute that the container requests and may use. */
export interface ContainerResourcesArgs {
  /** The most compute that the container may use. */
  limits?: pulumi.Input<{ [name: string]: pulumi.Input<any> } | undefined>;
  /** Compute that is reserved for the container. */
  requests?: pulumi.Input<{ [name: string]: pulumi.Input<any> } | undefined>;
}

/** Place on the listener's infrastructure. */
export interface SourceConfigListenerConfigArgs {
  /** Kubernetes namespace. */
  k8sNamespace?: pulumi.Input<string | undefined>;
}

/** Settings that create a new revision when they change. */
export interface SourceRevisionConfigArgs {
  /** Branch or ref to build, for example the `defaultBranch` of a listed repository. */
  repoRef?: pulumi.Input<string | undefined>;
  /** Path of the graph configuration file. */
  graphConfigPath?: pulumi.Input<string | undefined>;
  /** Image to run. */
  imageUri?: pulumi.Input<string | undefined>;
  /** Object path of the uploaded source. */
  sourceTarballPath?: pulumi.Input<string | undefined>;
}

/** Variables whose values come from Kubernetes Secrets: by variable name, the Secret and its key (only for source `external_docker`). */
export interface DeploymentSecretReferenceArgs {
  /** Name of the Kubernetes Secret. */
  secretName: pulumi.Input<string>;
  /** Key in that Secret. */
  secretKey: pulumi.Input<string>;
}

/** How to wait for a rollout. */
export interface DeploymentRolloutArgs {
  /** Whether to wait until the new revision runs; defaults to true. */
  wait?: pulumi.Input<boolean | undefined>;
  /** Longest wait in seconds; defaults to 1800. */
  timeoutSeconds?: pulumi.Input<number | undefined>;
  /** `restore`: when the new revision fails, send the arguments from before the update again; defaults to `fail`. */
  onFailure?: pulumi.Input<"fail" | "restore" | undefined>;
  /** Conversations by which each new revision must pass verification after it is deployed. */
  verify?: pulumi.Input<DeploymentRolloutVerifyArgs | undefined>;
}

/** Conversations by which each new revision must pass verification after it is deployed. */
export interface DeploymentRolloutVerifyArgs {
  /** Address of the running deployment; defaults to the address that the service reports. */
  deploymentUrl?: pulumi.Input<string | undefined>;
  /** Name that the graph is deployed under. */
  assistantId: pulumi.Input<string>;
  /** Messages to send in each conversation, in this order. */
  messages: pulumi.Input<pulumi.Input<DeploymentRolloutVerifyMessageArgs>[]>;
  /** Exactly one condition on the text of a conversation's last message; the message's parts are joined. */
  expect: pulumi.Input<DeploymentRolloutVerifyExpectArgs>;
  /** Maximum number of conversations, held one after the other; defaults to 1. */
  runs?: pulumi.Input<number | undefined>;
  /** How many of these conversations must end as expected; defaults to all. */
  atLeast?: pulumi.Input<number | undefined>;
  /** Longest time of one conversation, in seconds; defaults to 120. */
  timeoutSeconds?: pulumi.Input<number | undefined>;
  /** The deployment's credential. No API key from the configuration is sent to a deployment. */
  apiKey?: pulumi.Input<string | undefined>;
}

/** Messages to send in each conversation, in this order. */
export interface DeploymentRolloutVerifyMessageArgs {
  /** Role of the author, such as `user`. */
  role: pulumi.Input<string>;
  /** Text, or a list of parts. */
  content: pulumi.Input<any>;
}

/** Exactly one condition on the text of a conversation's last message; the message's parts are joined. */
export interface DeploymentRolloutVerifyExpectArgs {
  /** Text that the reply contains. */
  contains?: pulumi.Input<string | undefined>;
  /** A JavaScript regular expression that matches some part of the reply. */
  matches?: pulumi.Input<string | undefined>;
  /** The whole text of the reply. */
  equals?: pulumi.Input<string | undefined>;
}

/** Outputs of a Deployment. */
export interface DeploymentOutputs {
  /** Unique name of the deployment. The service makes a tracing project of the same name. */
  readonly name: pulumi.Output<string>;
  /** Kind of source that the deployment is built from. */
  readonly source: pulumi.Output<"repohost" | "external_docker" | "internal_docker" | "internal_source" | "internal_template">;
  /** Name that the service shows in place of `name`; once set, it can be changed but not cleared. */
  readonly displayName: pulumi.Output<string | undefined>;
  /** Settings that need no new revision. */
  readonly sourceConfig: pulumi.Output<SourceConfig | undefined>;
  /** Settings that create a new revision when they change. */
  readonly sourceRevisionConfig: pulumi.Output<SourceRevisionConfig | undefined>;
  /** Secrets of the deployment, by name. */
  readonly secrets: pulumi.Output<{ [name: string]: string } | undefined>;
  /** Plain environment variables, by name; the plan and the state show their values. The service keeps `environment` and `secrets` in a single list. */
  readonly environment: pulumi.Output<{ [name: string]: string } | undefined>;
  /** Variables whose values come from Kubernetes Secrets: by variable name, the Secret and its key (only for source `external_docker`). */
  readonly secretReferences: pulumi.Output<{ [name: string]: DeploymentSecretReference } | undefined>;
  /** Source of the revisions that updates create; the deployment's own source unless set. */
  readonly revisionSource: pulumi.Output<"repohost" | "internal_docker" | "internal_source" | undefined>;
  /** Any change of this map forces a new revision: the provider sends the managed revision fields again. */
  readonly revisionTriggers: pulumi.Output<{ [name: string]: string } | undefined>;
  /** `forbid`: a preview or update fails if it would or might create a new revision; defaults to `allow`. A `forbid` in the configuration overrides this argument. */
  readonly newRevisions: pulumi.Output<"allow" | "forbid" | undefined>;
  /** How to wait for a rollout. */
  readonly rollout: pulumi.Output<DeploymentRollout | undefined>;
  /** Whether to take over an existing deployment at creation: `true` takes over the deployment of the same name, `identical` does so only if that deployment is as the program would have made it, and an id takes over the deployment with that id; defaults to the configuration's setting. */
  readonly adopt: pulumi.Output<string | boolean | undefined>;
  /** Effect of destroying the resource: leave the deployment running, delete the deployment, or fail. */
  readonly onDestroy: pulumi.Output<"retain" | "delete" | "fail" | undefined>;
  /** Name of the connection in the configuration; defaults to the default connection. Another name for the same service replaces nothing. */
  readonly connection: pulumi.Output<string | undefined>;
  /** Tenant that owns the deployment. */
  readonly tenantId: pulumi.Output<string | undefined>;
  /** Time of creation, ISO 8601. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** Time of the last change, ISO 8601. */
  readonly updatedAt: pulumi.Output<string | undefined>;
  /** Status of the deployment (not of a revision), such as `READY`. */
  readonly status: pulumi.Output<"AWAITING_DATABASE" | "READY" | "UNUSED" | "AWAITING_DELETE" | "UNKNOWN" | undefined>;
  /** Id of the newest revision. */
  readonly latestRevisionId: pulumi.Output<string | null>;
  /** Id of the revision that serves the deployment's users. */
  readonly activeRevisionId: pulumi.Output<string | null>;
  /** Image version of the deployment; null if the service names none. */
  readonly imageVersion: pulumi.Output<string | null>;
  /** Commit that the newest revision was built from; null if it was not built from a repository. */
  readonly repoCommitSha: pulumi.Output<string | null>;
  /** Address that the service reports for the deployment; null if there is none. */
  readonly url: pulumi.Output<string | null>;
  /** Status of the newest revision, such as `DEPLOYED` or `BUILD_FAILED`; null if there is no revision or its status was not read. The status is `VERIFY_FAILED` if the revision was deployed but its reply was wrong, and `UNVERIFIED` if no reply could be judged. */
  readonly latestRevisionStatus: pulumi.Output<string | null>;
  /** How the last rollout ended: `deployed`, `failed`, `unfinished` or `not awaited`. */
  readonly rolloutState: pulumi.Output<string>;
  /** Base URL of the service that runs the deployment. */
  readonly serviceUrl: pulumi.Output<string>;
  /** 1 at creation, then incremented by each argument change that creates or may create a new revision; known at preview. A replacement starts again at 1. A deployment that was imported or is only read has generation 0. */
  readonly revisionGeneration: pulumi.Output<number>;
  /** For each secret, by name: 1 when it is added, then incremented by each change of its value; known at preview. */
  readonly secretGenerations: pulumi.Output<{ [name: string]: number } | undefined>;
  /** `id` and `revisionGeneration` in one string, for resources that depend on a new revision; known at preview. */
  readonly revisionKey: pulumi.Output<string>;
}

/** How to wait for a rollout. */
export interface DeploymentRollout {
  /** Whether to wait until the new revision runs; defaults to true. */
  readonly wait?: boolean;
  /** Longest wait in seconds; defaults to 1800. */
  readonly timeoutSeconds?: number;
  /** `restore`: when the new revision fails, send the arguments from before the update again; defaults to `fail`. */
  readonly onFailure?: "fail" | "restore";
  /** Conversations by which each new revision must pass verification after it is deployed. */
  readonly verify?: DeploymentRolloutVerify;
}

/** Conversations by which each new revision must pass verification after it is deployed. */
export interface DeploymentRolloutVerify {
  /** Address of the running deployment; defaults to the address that the service reports. */
  readonly deploymentUrl?: string;
  /** Name that the graph is deployed under. */
  readonly assistantId: string;
  /** Messages to send in each conversation, in this order. */
  readonly messages: DeploymentRolloutVerifyMessage[];
  /** Exactly one condition on the text of a conversation's last message; the message's parts are joined. */
  readonly expect: DeploymentRolloutVerifyExpect;
  /** Maximum number of conversations, held one after the other; defaults to 1. */
  readonly runs?: number;
  /** How many of these conversations must end as expected; defaults to all. */
  readonly atLeast?: number;
  /** Longest time of one conversation, in seconds; defaults to 120. */
  readonly timeoutSeconds?: number;
  /** The deployment's credential. No API key from the configuration is sent to a deployment. */
  readonly apiKey?: string;
}

/** Messages to send in each conversation, in this order. */
export interface DeploymentRolloutVerifyMessage {
  /** Role of the author, such as `user`. */
  readonly role: string;
  /** Text, or a list of parts. */
  readonly content: Json;
}

/** Exactly one condition on the text of a conversation's last message; the message's parts are joined. */
export interface DeploymentRolloutVerifyExpect {
  /** Text that the reply contains. */
  readonly contains?: string;
  /** A JavaScript regular expression that matches some part of the reply. */
  readonly matches?: string;
  /** The whole text of the reply. */
  readonly equals?: string;
}

/** Arguments of a Listener. */
export interface ListenerArgs {
  /** Kind of infrastructure. */
  computeType: pulumi.Input<"k8s">;
  /** Id that the user gave the infrastructure, such as the cluster's name. */
  computeId: pulumi.Input<string>;
  /** Settings of the infrastructure. */
  computeConfig?: pulumi.Input<ListenerComputeConfigArgs | undefined>;
  /** Version of the listener; managed only if given. The version is null if the listener is only read and the service reports no version. */
  version?: pulumi.Input<string | undefined>;
  /** Effect of destroying the resource: leave the listener, delete the listener, or fail. */
  onDestroy?: pulumi.Input<"retain" | "delete" | "fail" | undefined>;
  /** Name of the connection in the configuration; defaults to the default connection. Another name for the same service replaces nothing. */
  connection?: pulumi.Input<string | undefined>;
}

/** Settings of the infrastructure. */
export interface ListenerComputeConfigArgs {
  /** Kubernetes namespaces in which deployments may run. */
  k8sNamespaces?: pulumi.Input<pulumi.Input<string>[] | undefined>;
}

/** Outputs of a Listener. */
export interface ListenerOutputs {
  /** Kind of infrastructure. */
  readonly computeType: pulumi.Output<"k8s">;
  /** Id that the user gave the infrastructure, such as the cluster's name. */
  readonly computeId: pulumi.Output<string>;
  /** Settings of the infrastructure. */
  readonly computeConfig: pulumi.Output<ListenerComputeConfig | undefined>;
  /** Version of the listener; managed only if given. The version is null if the listener is only read and the service reports no version. */
  readonly version: pulumi.Output<string | null | undefined>;
  /** Effect of destroying the resource: leave the listener, delete the listener, or fail. */
  readonly onDestroy: pulumi.Output<"retain" | "delete" | "fail" | undefined>;
  /** Name of the connection in the configuration; defaults to the default connection. Another name for the same service replaces nothing. */
  readonly connection: pulumi.Output<string | undefined>;
  /** Time of creation, ISO 8601. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** Time of the last change, ISO 8601. */
  readonly updatedAt: pulumi.Output<string | undefined>;
  /** Base URL of the service that has the listener. */
  readonly serviceUrl: pulumi.Output<string>;
}

/** Arguments of a TokenMetadata. */
export interface TokenMetadataArgs {
  /** Id of the stored token, which must belong to the key's owner. */
  tokenId: pulumi.Input<string>;
  /** Label of the token. */
  providerAccountLabel?: pulumi.Input<string | undefined>;
  /** Whether the token is the default token of its provider. */
  isDefault?: pulumi.Input<boolean | undefined>;
  /** Name of the connection in the configuration; defaults to the default connection. Another name for the same service replaces nothing. */
  connection?: pulumi.Input<string | undefined>;
}

/** Outputs of a TokenMetadata. */
export interface TokenMetadataOutputs {
  /** Id of the stored token, which must belong to the key's owner. */
  readonly tokenId: pulumi.Output<string>;
  /** Label of the token. */
  readonly providerAccountLabel: pulumi.Output<string | undefined>;
  /** Whether the token is the default token of its provider. */
  readonly isDefault: pulumi.Output<boolean | undefined>;
  /** Name of the connection in the configuration; defaults to the default connection. Another name for the same service replaces nothing. */
  readonly connection: pulumi.Output<string | undefined>;
  /** Provider that issued the token. */
  readonly providerId: pulumi.Output<string | null>;
  /** Time at which the token was stored, ISO 8601. */
  readonly createdAt: pulumi.Output<string | null>;
  /** Time of the last change, ISO 8601. */
  readonly updatedAt: pulumi.Output<string | null>;
  /** Permissions of the token, as the provider names them. */
  readonly scopes: pulumi.Output<Json[] | null>;
  /** Time at which the token expires, ISO 8601; null if it never expires. */
  readonly expiresAt: pulumi.Output<string | null>;
  /** Base URL of the service that stores the token. */
  readonly serviceUrl: pulumi.Output<string>;
}

/** Arguments of a Rollout. */
export interface RolloutOwnArgs {
  /** Longest wait for all deployments together, in seconds; defaults to 1800. */
  timeoutSeconds?: pulumi.Input<number | undefined>;
  /** Name of the connection for all deployments; defaults to each deployment's own connection. */
  connection?: pulumi.Input<string | undefined>;
}

/** Outputs of a Rollout. */
export interface RolloutOutputs {
  /** Deployments to wait for, by their names in the program. */
  readonly deployments: pulumi.Output<{ [name: string]: RolloutDeployment }>;
  /** For each deployment, by its name in the program: conversations by which a new revision must pass verification. */
  readonly verify: pulumi.Output<{ [name: string]: RolloutVerify } | undefined>;
  /** Longest wait for all deployments together, in seconds; defaults to 1800. */
  readonly timeoutSeconds: pulumi.Output<number | undefined>;
  /** Name of the connection for all deployments; defaults to each deployment's own connection. */
  readonly connection: pulumi.Output<string | undefined>;
  /** How many of the deployments run their newest revision. */
  readonly deployed: pulumi.Output<number>;
  /** How long the last wait took, in seconds. */
  readonly seconds: pulumi.Output<number>;
  /** The newest revision of each deployment at the last wait, by the deployment's name in the program. */
  readonly revisions: pulumi.Output<{ [name: string]: string }>;
  /** The last status of each revision in `revisions`, by the same names; the status is `VERIFY_FAILED` if the revision's reply was wrong, and `UNVERIFIED` if no reply could be judged. */
  readonly statuses: pulumi.Output<{ [name: string]: string }>;
  /** How the last wait ended: `deployed`, `failed` or `unfinished`. */
  readonly rolloutState: pulumi.Output<string>;
}

/** Deployments to wait for, by their names in the program. */
export interface RolloutDeployment {
  /** Id of the deployment. */
  readonly id: string;
  /** A string that changes with each revision of the deployment. */
  readonly revisionKey: string;
  /** Name of the deployment's connection; defaults to the default connection. */
  readonly connection?: string;
}

/** For each deployment, by its name in the program: conversations by which a new revision must pass verification. */
export interface RolloutVerify extends DeploymentRolloutVerify {}

/** Arguments of a SmokeTest. */
export interface SmokeTestArgs {
  /** Address of the running deployment. In the TypeScript package, give `deployment`, a Deployment of the program, in place of `deploymentUrl` and `triggers`; in the plugin's SDKs, give the Deployment's `url` here and its `revisionKey` in `triggers`. */
  deploymentUrl: pulumi.Input<string>;
  /** Name that the graph is deployed under. */
  assistantId: pulumi.Input<string>;
  /** Messages to send, in this order. */
  messages: pulumi.Input<pulumi.Input<SmokeTestMessageArgs>[]>;
  /** Exactly one condition on the text of the thread's last message; the message's parts are joined. */
  expect: pulumi.Input<SmokeTestExpectArgs>;
  /** Any change of this map runs the test again; usually the `revisionKey` of the deployment. */
  triggers?: pulumi.Input<{ [name: string]: pulumi.Input<string> } | undefined>;
  /** Longest time that a run of the test may take, in seconds; defaults to 120. */
  timeoutSeconds?: pulumi.Input<number | undefined>;
  /** Name of a connection in the configuration; the connection's key, headers, time-outs and retries apply unless an argument here replaces them. Without a connection, no part of the configuration is sent: not every deployment should see the control API's key. */
  connection?: pulumi.Input<string | undefined>;
  /** The deployment's credential; defaults to the connection's credential. Over plain http the credential is refused unless the host is loopback or `allowInsecure` is set. */
  apiKey?: pulumi.Input<string | undefined>;
  /** Header of the credential; defaults to the connection's header, or `X-Api-Key`. */
  authHeader?: pulumi.Input<string | undefined>;
  /** Word before the credential, such as `Bearer`. */
  authScheme?: pulumi.Input<string | undefined>;
  /** Allows sending the credential over plain http; defaults to the connection's setting, or false. */
  allowInsecure?: pulumi.Input<boolean | undefined>;
}

/** Messages to send, in this order. */
export interface SmokeTestMessageArgs extends DeploymentRolloutVerifyMessageArgs {}

/** Exactly one condition on the text of the thread's last message; the message's parts are joined. */
export interface SmokeTestExpectArgs extends DeploymentRolloutVerifyExpectArgs {}

/** Outputs of a SmokeTest. */
export interface SmokeTestOutputs {
  /** Address of the running deployment. In the TypeScript package, give `deployment`, a Deployment of the program, in place of `deploymentUrl` and `triggers`; in the plugin's SDKs, give the Deployment's `url` here and its `revisionKey` in `triggers`. */
  readonly deploymentUrl: pulumi.Output<string>;
  /** Name that the graph is deployed under. */
  readonly assistantId: pulumi.Output<string>;
  /** Messages to send, in this order. */
  readonly messages: pulumi.Output<SmokeTestMessage[]>;
  /** Exactly one condition on the text of the thread's last message; the message's parts are joined. */
  readonly expect: pulumi.Output<SmokeTestExpect>;
  /** Any change of this map runs the test again; usually the `revisionKey` of the deployment. */
  readonly triggers: pulumi.Output<{ [name: string]: string } | undefined>;
  /** Longest time that a run of the test may take, in seconds; defaults to 120. */
  readonly timeoutSeconds: pulumi.Output<number | undefined>;
  /** Name of a connection in the configuration; the connection's key, headers, time-outs and retries apply unless an argument here replaces them. Without a connection, no part of the configuration is sent: not every deployment should see the control API's key. */
  readonly connection: pulumi.Output<string | undefined>;
  /** The deployment's credential; defaults to the connection's credential. Over plain http the credential is refused unless the host is loopback or `allowInsecure` is set. */
  readonly apiKey: pulumi.Output<string | undefined>;
  /** Header of the credential; defaults to the connection's header, or `X-Api-Key`. */
  readonly authHeader: pulumi.Output<string | undefined>;
  /** Word before the credential, such as `Bearer`. */
  readonly authScheme: pulumi.Output<string | undefined>;
  /** Allows sending the credential over plain http; defaults to the connection's setting, or false. */
  readonly allowInsecure: pulumi.Output<boolean | undefined>;
  /** Text of the thread's last message. */
  readonly reply: pulumi.Output<string>;
  /** Thread of the reply. */
  readonly threadId: pulumi.Output<string>;
  /** Run that gave the reply. */
  readonly runId: pulumi.Output<string>;
  /** Time from the thread's creation to the reply, in seconds. */
  readonly seconds: pulumi.Output<number>;
}

/** Messages to send, in this order. */
export interface SmokeTestMessage extends DeploymentRolloutVerifyMessage {}

/** Exactly one condition on the text of the thread's last message; the message's parts are joined. */
export interface SmokeTestExpect extends DeploymentRolloutVerifyExpect {}

/** Arguments of getDeployments. */
export interface GetDeploymentsArgs {
  /** Exact name of the deployment. */
  name?: string;
  /** Status of the deployment. */
  status?: "AWAITING_DATABASE" | "READY" | "UNUSED" | "AWAITING_DELETE" | "UNKNOWN" | (string & Record<never, never>);
  /** Whether the deployment is reconciled remotely. */
  remoteReconciled?: boolean;
  /** Ids of tag values, at least one of which the deployment must have. */
  tagValueIds?: readonly string[];
  /** Image version of the deployment. */
  imageVersion?: string;
  /** Size and durability of the deployment. */
  deploymentType?: "dev_free" | "dev" | "prod" | "dev_zero" | "dev_free_zero" | (string & Record<never, never>);
  /** Ids of the deployments to return. */
  deploymentIds?: readonly string[];
  /** Number of entries to skip first, counted before the provider filters the results again; defaults to 0. */
  offset?: number;
  /** Maximum number of entries in total, at least 1; defaults to no limit. */
  limit?: number;
  /** Name of the connection in the configuration; defaults to the default connection. */
  connection?: string;
}

/** Arguments of getDeploymentsOutput. */
export interface GetDeploymentsOutputArgs extends InputsOf<GetDeploymentsArgs> {}

/** Arguments of getRevisions. */
export interface GetRevisionsArgs {
  /** Id of the deployment. */
  deploymentId: string;
  /** Statuses, one of which the revision must have. */
  statuses?: readonly ("CREATING" | "QUEUED" | "AWAITING_BUILD" | "BUILDING" | "AWAITING_DEPLOY" | "DEPLOYING" | "CREATE_FAILED" | "BUILD_FAILED" | "DEPLOY_FAILED" | "DEPLOYED" | "SKIPPED" | "INTERRUPTED" | "UNKNOWN" | (string & Record<never, never>))[];
  /** Whether the revision's deployment is reconciled remotely. */
  remoteReconciled?: boolean;
  /** Number of entries to skip first, counted before the provider filters the results again; defaults to 0. */
  offset?: number;
  /** Maximum number of entries in total, at least 1; defaults to no limit. */
  limit?: number;
  /** Name of the connection in the configuration; defaults to the default connection. */
  connection?: string;
}

/** Arguments of getRevisionsOutput. */
export interface GetRevisionsOutputArgs extends InputsOf<GetRevisionsArgs> {}

/** Arguments of getListeners. */
export interface GetListenersArgs {
  /** Number of entries to skip first, counted before the provider filters the results again; defaults to 0. */
  offset?: number;
  /** Maximum number of entries in total, at least 1; defaults to no limit. */
  limit?: number;
  /** Name of the connection in the configuration; defaults to the default connection. */
  connection?: string;
}

/** Arguments of getListenersOutput. */
export interface GetListenersOutputArgs extends InputsOf<GetListenersArgs> {}

/** Arguments of getRepositories. */
export interface GetRepositoriesArgs {
  /** Id of the repository-host integration. */
  integrationId: string;
  /** Name of the connection in the configuration; defaults to the default connection. */
  connection?: string;
}

/** Arguments of getRepositoriesOutput. */
export interface GetRepositoriesOutputArgs extends InputsOf<GetRepositoriesArgs> {}
