/** Made by `npm run docs` from the tables of fields. */
import type { ChangeOf, Json, JsonObject } from "../schema/kind";

/** Fields of a new deployment. */
export interface NewDeployment {
  /** Unique name of the deployment. The service makes a tracing project of the same name. */
  readonly name: string;
  /** Kind of source that the deployment is built from. */
  readonly source: "repohost" | "external_docker" | "internal_docker" | "internal_source" | "internal_template";
  /** Settings that need no new revision. */
  readonly sourceConfig?: SourceConfig;
  /** Settings that create a new revision when they change. */
  readonly sourceRevisionConfig?: SourceRevisionConfig;
  /** Secrets of the deployment, by name. */
  readonly secrets?: { [name: string]: string };
  /** Variables whose values come from Kubernetes Secrets: by variable name, the Secret and its key (only for source `external_docker`). */
  readonly secretReferences?: { [name: string]: DeploymentSecretReference };
}

/** Settings that need no new revision. */
export interface SourceConfig {
  /** Id of the repository-host integration, as in the `hostIntegrationId` of a listed repository. */
  readonly integrationId?: string;
  /** URL of the repository, as in the `url` of a listed repository. */
  readonly repoUrl?: string;
  /** Size and durability of the deployment. */
  readonly deploymentType?: "dev_free" | "dev" | "prod" | "dev_zero" | "dev_free_zero" | (string & Record<never, never>);
  /** Whether a push to the branch builds a revision. */
  readonly buildOnPush?: boolean;
  /** Address at which the deployment is reached. */
  readonly customUrl?: string;
  /** Compute on which the deployment runs. */
  readonly resourceSpec?: ResourceSpec;
  /** Template from which the deployment is made (only for source `internal_template`). */
  readonly templateId?: string;
  /** Listener on whose infrastructure the deployment runs. */
  readonly listenerId?: string;
  /** Place on the listener's infrastructure. */
  readonly listenerConfig?: SourceConfigListenerConfig;
  /** Command that installs dependencies. */
  readonly installCommand?: string;
  /** Command that builds. */
  readonly buildCommand?: string;
}

/** Compute on which a deployment runs. */
export interface ResourceSpec {
  /** Minimum number of replicas of the API server. */
  readonly minScale?: number;
  /** Maximum number of replicas of the API server. */
  readonly maxScale?: number;
  /** CPU request of one replica, in cores. */
  readonly cpu?: number;
  /** CPU limit of one replica, in cores. */
  readonly cpuLimit?: number;
  /** Memory request of one replica, in MB. */
  readonly memoryMb?: number;
  /** Memory limit of one replica, in MB. */
  readonly memoryLimitMb?: number;
  /** Minimum number of replicas of the queue. */
  readonly queueMinScale?: number;
  /** Maximum number of replicas of the queue. */
  readonly queueMaxScale?: number;
  /** CPU request of a queue replica, in cores. */
  readonly queueCpu?: number;
  /** CPU limit of a queue replica, in cores. */
  readonly queueCpuLimit?: number;
  /** Memory request of a queue replica, in MB. */
  readonly queueMemoryMb?: number;
  /** Memory limit of a queue replica, in MB. */
  readonly queueMemoryLimitMb?: number;
  /** CPU request of the orchestrator, in cores. */
  readonly orchestratorCpu?: number;
  /** CPU limit of the orchestrator, in cores. */
  readonly orchestratorCpuLimit?: number;
  /** Memory request of the orchestrator, in MB. */
  readonly orchestratorMemoryMb?: number;
  /** Memory limit of the orchestrator, in MB. */
  readonly orchestratorMemoryLimitMb?: number;
  /** Minimum number of replicas of the orchestrator. */
  readonly orchestratorMinScale?: number;
  /** Maximum number of replicas of the orchestrator. */
  readonly orchestratorMaxScale?: number;
  /** CPU request of an executor, in cores. */
  readonly executorCpu?: number;
  /** CPU limit of an executor, in cores. */
  readonly executorCpuLimit?: number;
  /** Memory request of an executor, in MB. */
  readonly executorMemoryMb?: number;
  /** Memory limit of an executor, in MB. */
  readonly executorMemoryLimitMb?: number;
  /** CPU request of the key-value store, in cores. */
  readonly redisCpu?: number;
  /** CPU limit of the key-value store, in cores. */
  readonly redisCpuLimit?: number;
  /** Memory request of the key-value store, in MB. */
  readonly redisMemoryMb?: number;
  /** Memory limit of the key-value store, in MB. */
  readonly redisMemoryLimitMb?: number;
  /** CPU request of the database, in cores. */
  readonly dbCpu?: number;
  /** CPU limit of the database, in cores. */
  readonly dbCpuLimit?: number;
  /** Memory request of the database, in MB. */
  readonly dbMemoryMb?: number;
  /** Memory limit of the database, in MB. */
  readonly dbMemoryLimitMb?: number;
  /** Storage of the database, in GiB. */
  readonly dbStorageGi?: number;
  /** Maximum number of connections to the database. */
  readonly dbMaxConnections?: number;
  /** Labels of the pods. */
  readonly labels?: { [name: string]: string };
  /** Annotations of the pods. */
  readonly annotations?: { [name: string]: string };
  /** Service account of the pods. */
  readonly serviceAccountName?: string;
  /** Kubernetes Secrets for pulling images. */
  readonly imagePullSecrets?: ResourceSpecImagePullSecret[];
  /** Volumes of the pods. */
  readonly volumes?: Volume[];
  /** Mounts of the volumes in the API server. */
  readonly volumeMounts?: VolumeMount[];
  /** Containers that run before the API server. */
  readonly initContainers?: Container[];
  /** Containers that run next to the API server. */
  readonly sidecars?: Container[];
}

/** Kubernetes Secrets for pulling images. */
export interface ResourceSpecImagePullSecret {
  /** Name of the Kubernetes Secret. */
  readonly name?: string;
}

/** A volume of the pods. */
export interface Volume {
  /** Name by which volume mounts refer to the volume. */
  readonly name?: string;
  /** A ConfigMap as files. */
  readonly configMap?: JsonObject;
  /** A Kubernetes Secret, presented as files. */
  readonly secret?: JsonObject;
  /** A directory that lives as long as the pod. */
  readonly emptyDir?: JsonObject;
  /** A persistent volume claim. */
  readonly persistentVolumeClaim?: JsonObject;
  /** An NFS export. */
  readonly nfs?: JsonObject;
  /** Several sources in one directory. */
  readonly projected?: JsonObject;
  /** The pod's own metadata, presented as files. */
  readonly downwardAPI?: JsonObject;
  /** A volume of a CSI driver. */
  readonly csi?: JsonObject;
}

/** A container's mount of a volume. */
export interface VolumeMount {
  /** Name of the volume to mount. */
  readonly name?: string;
  /** Path within the container. */
  readonly mountPath?: string;
  /** Path within the volume. */
  readonly subPath?: string;
  /** How mounts propagate between host and container. */
  readonly mountPropagation?: string;
  /** Path within the volume, with environment variables expanded. */
  readonly subPathExpr?: string;
  /** Mount without write access. */
  readonly readOnly?: boolean;
}

/** A container of the pods. */
export interface Container {
  /** Name of the container. */
  readonly name?: string;
  /** Image that the container runs. */
  readonly image?: string;
  /** When the image is pulled, such as `IfNotPresent`. */
  readonly imagePullPolicy?: string;
  /** Working directory. */
  readonly workingDir?: string;
  /** Restart policy; `Always` makes an init container a sidecar. */
  readonly restartPolicy?: string;
  /** Entry point. */
  readonly command?: string[];
  /** Arguments of the entry point. */
  readonly args?: string[];
  /** Environment variables. */
  readonly env?: ContainerEnv[];
  /** Sources in which each key becomes an environment variable. */
  readonly envFrom?: JsonObject[];
  /** Compute that the container requests and may use. */
  readonly resources?: ContainerResources;
  /** Volumes that the container mounts. */
  readonly volumeMounts?: VolumeMount[];
  /** Security options. */
  readonly securityContext?: JsonObject;
}

/** Environment variables. */
export interface ContainerEnv {
  /** Name of the variable. */
  readonly name?: string;
  /** Value of the variable. */
  readonly value?: string;
  /** Source of the value, instead of `value`. */
  readonly valueFrom?: JsonObject;
}

/** Compute that the container requests and may use. */
export interface ContainerResources {
  /** The most compute that the container may use. */
  readonly limits?: { [name: string]: Json };
  /** Compute that is reserved for the container. */
  readonly requests?: { [name: string]: Json };
}

/** Place on the listener's infrastructure. */
export interface SourceConfigListenerConfig {
  /** Kubernetes namespace. */
  readonly k8sNamespace?: string;
}

/** Settings that create a new revision when they change. */
export interface SourceRevisionConfig {
  /** Branch or ref to build, for example the `defaultBranch` of a listed repository. */
  readonly repoRef?: string;
  /** Path of the graph configuration file. */
  readonly graphConfigPath?: string;
  /** Image to run. */
  readonly imageUri?: string;
  /** Object path of the uploaded source. */
  readonly sourceTarballPath?: string;
}

/** Variables whose values come from Kubernetes Secrets: by variable name, the Secret and its key (only for source `external_docker`). */
export interface DeploymentSecretReference {
  /** Name of the Kubernetes Secret. */
  readonly secretName: string;
  /** Key in that Secret. */
  readonly secretKey: string;
}

/** A deployment as the service returns it, with secrets as far as the service shows them. */
export interface DeploymentAnswer extends NewDeployment {
  /** System-assigned id. */
  readonly id: string;
  /** Name that the service shows in place of `name`; once set, it can be changed but not cleared. */
  readonly displayName?: string;
  /** Tenant that owns the deployment. */
  readonly tenantId?: string;
  /** Time of creation, ISO 8601. */
  readonly createdAt?: string;
  /** Time of the last change, ISO 8601. */
  readonly updatedAt?: string;
  /** Status of the deployment (not of a revision), such as `READY`. */
  readonly status?: "AWAITING_DATABASE" | "READY" | "UNUSED" | "AWAITING_DELETE" | "UNKNOWN";
  /** Id of the newest revision. */
  readonly latestRevisionId?: string;
  /** Id of the revision that serves the deployment's users. */
  readonly activeRevisionId?: string;
  /** Image version of the deployment; null if the service names none. */
  readonly imageVersion?: string;
  /** Commit that the newest revision was built from; null if it was not built from a repository. */
  readonly repoCommitSha?: string;
  /** Address that the service reports for the deployment; null if there is none. */
  readonly url?: string;
}

/** Changes for a PATCH of a deployment. Fields left out stay as they are; null clears a field if the service can. */
export interface DeploymentChange {
  /** Name that the service shows in place of `name`; once set, it can be changed but not cleared. */
  displayName?: string | null;
  /** Source of the revisions that updates create; the deployment's own source unless set. */
  revisionSource?: "repohost" | "internal_docker" | "internal_source" | null;
  /** Settings that need no new revision. */
  sourceConfig?: ChangeOf<SourceConfig> | null;
  /** Settings that create a new revision when they change. */
  sourceRevisionConfig?: ChangeOf<SourceRevisionConfig> | null;
  /** Secrets of the deployment, by name. */
  secrets?: { [name: string]: string | null | undefined } | null;
  /** Variables whose values come from Kubernetes Secrets: by variable name, the Secret and its key (only for source `external_docker`). */
  secretReferences?: { [name: string]: ChangeOf<DeploymentSecretReference> | null | undefined } | null;
}

/** Filters: a deployment must meet all of them. */
export interface DeploymentFilters {
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
}

/** A deployment with only the names of its secrets. */
export interface ShownDeployment extends Omit<DeploymentAnswer, "secrets"> {
  /** Names of the deployment's secrets, as far as the service shows them. */
  readonly secretNames: string[];
}

/** A revision as the service returns it. */
export interface RevisionAnswer {
  /** System-assigned id. */
  readonly id: string;
  /** Time of creation. */
  readonly createdAt?: string;
  /** Time of the last change of the status. */
  readonly updatedAt?: string;
  /** Status of the revision. */
  readonly status: "CREATING" | "QUEUED" | "AWAITING_BUILD" | "BUILDING" | "AWAITING_DEPLOY" | "DEPLOYING" | "CREATE_FAILED" | "BUILD_FAILED" | "DEPLOY_FAILED" | "DEPLOYED" | "SKIPPED" | "INTERRUPTED" | "UNKNOWN";
  /** Kind of source that the revision was built from. */
  readonly source?: "repohost" | "external_docker" | "internal_docker" | "internal_source" | "internal_template";
  /** Settings of this revision. */
  readonly sourceRevisionConfig?: RevisionSourceRevisionConfig;
}

/** Settings of this revision. */
export interface RevisionSourceRevisionConfig {
  /** Branch or ref to build, for example the `defaultBranch` of a listed repository. */
  readonly repoRef?: string;
  /** Path of the graph configuration file. */
  readonly graphConfigPath?: string;
  /** Image to run. */
  readonly imageUri?: string;
  /** Object path of the uploaded source. */
  readonly sourceTarballPath?: string;
  /** Commit that the revision was built from. */
  readonly repoCommitSha?: string;
}

/** Filters: a revision must meet all of them. */
export interface RevisionFilters {
  /** Statuses, one of which the revision must have. */
  statuses?: readonly ("CREATING" | "QUEUED" | "AWAITING_BUILD" | "BUILDING" | "AWAITING_DEPLOY" | "DEPLOYING" | "CREATE_FAILED" | "BUILD_FAILED" | "DEPLOY_FAILED" | "DEPLOYED" | "SKIPPED" | "INTERRUPTED" | "UNKNOWN" | (string & Record<never, never>))[];
  /** Whether the revision's deployment is reconciled remotely. */
  remoteReconciled?: boolean;
}

/** Fields of a new listener. */
export interface NewListener {
  /** Kind of infrastructure. */
  readonly computeType: "k8s";
  /** Id that the user gave the infrastructure, such as the cluster's name. */
  readonly computeId: string;
  /** Settings of the infrastructure. */
  readonly computeConfig?: ListenerComputeConfig;
  /** Version of the listener; managed only if given. The version is null if the listener is only read and the service reports no version. */
  readonly version?: string;
}

/** Settings of the infrastructure. */
export interface ListenerComputeConfig {
  /** Kubernetes namespaces in which deployments may run. */
  readonly k8sNamespaces?: string[];
}

/** A listener as the service returns it. */
export interface ListenerAnswer extends NewListener {
  /** System-assigned id. */
  readonly id: string;
  /** Time of creation, ISO 8601. */
  readonly createdAt?: string;
  /** Time of the last change, ISO 8601. */
  readonly updatedAt?: string;
}

/** Changes for a PATCH of a listener. */
export interface ListenerChange {
  /** Settings of the infrastructure. */
  computeConfig?: ChangeOf<ListenerComputeConfig> | null;
  /** Version of the listener; managed only if given. The version is null if the listener is only read and the service reports no version. */
  version?: string | null;
}

/** A repository of an integration. */
export interface RepositoryAnswer {
  /** Use as `sourceConfig.integrationId`. */
  readonly hostIntegrationId: string;
  /** Id of the repository. */
  readonly id: number;
  /** Name of the repository. */
  readonly name: string;
  /** Owner of the repository. */
  readonly owner: string;
  /** Use as `sourceConfig.repoUrl`. */
  readonly url: string;
  /** Use as `sourceRevisionConfig.repoRef`. */
  readonly defaultBranch: string;
}

/** Metadata of a stored token. */
export interface TokenMetadataAnswer {
  /** Id of the token. */
  readonly id: string;
  /** Provider that issued the token. */
  readonly providerId?: string;
  /** Time at which the token was stored, ISO 8601. */
  readonly createdAt?: string;
  /** Time of the last change, ISO 8601. */
  readonly updatedAt?: string;
  /** Permissions of the token, as the provider names them. */
  readonly scopes?: Json[];
  /** Time at which the token expires, ISO 8601; null if it never expires. */
  readonly expiresAt?: string;
  /** Label of the token. */
  readonly providerAccountLabel?: string;
  /** Whether the token is the default token of its provider. */
  readonly isDefault?: boolean;
}

/** Changes for a PATCH of a token's metadata. */
export interface TokenMetadataChange {
  /** Label of the token. */
  providerAccountLabel?: string | null;
  /** Whether the token is the default token of its provider. */
  isDefault?: boolean | null;
}
