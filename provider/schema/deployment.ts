/** Deployment: every argument and output, one row each. Only the rows and the profiles set change classes. */
import {
  afterCreation,
  boolean,
  type ClassedRows,
  choice,
  choiceOrUuid,
  computed,
  type Field,
  group,
  IDENTICAL,
  imageReference,
  inPlace,
  integer,
  integerFrom,
  type Kind,
  keyedByName,
  keyedText,
  mapOf,
  mayRevise,
  newRevision,
  nonEmptyText,
  notSent,
  nullable,
  object,
  part,
  patchOnly,
  replace,
  required,
  secret,
  sharesListWith,
  text,
  timestamp,
  uuid,
  type ValuesOf,
  withDefault,
} from "./kind";
import { resourceSpec } from "./resourceSpec";
import { verificationRows } from "./verification";

export const SOURCES = [
  "repohost",
  "external_docker",
  "internal_docker",
  "internal_source",
  "internal_template",
] as const;
export const REVISION_SOURCES = ["repohost", "internal_docker", "internal_source"] as const;
export const DEPLOYMENT_TYPES = ["dev_free", "dev", "prod"] as const;
/** The contract's types of deployments. Newer services, and services that scale to zero, have more types. */
export type DeploymentType =
  | (typeof DEPLOYMENT_TYPES)[number]
  | "dev_zero"
  | "dev_free_zero"
  | (string & Record<never, never>);
/** Longest wait for a rollout. */
export const ROLLOUT_TIMEOUT_SECONDS = 1_800;

export const sourceConfigRows = {
  /** Id of the repository-host integration, for example the `hostIntegrationId` of a listed repository. */
  integrationId: inPlace("integration_id", uuid),
  /** URL of the repository, for example the `url` of a listed repository. */
  repoUrl: inPlace("repo_url", text),
  /** Size and durability of the deployment. */
  deploymentType: inPlace("deployment_type", choice(...DEPLOYMENT_TYPES) as Kind<DeploymentType>),
  /** Whether a push to the branch builds a revision. */
  buildOnPush: inPlace("build_on_push", boolean),
  /** Address at which the deployment is reached. */
  customUrl: inPlace("custom_url", text),
  /** Compute on which the deployment runs. */
  resourceSpec: inPlace("resource_spec", resourceSpec),
  /** Template from which the deployment is made (only for source `internal_template`). */
  templateId: inPlace("template_id", nonEmptyText),
  /** Listener on whose infrastructure the deployment runs. */
  listenerId: inPlace("listener_id", uuid),
  /** Place on the listener's infrastructure. */
  listenerConfig: inPlace(
    "listener_config",
    object({
      /** Kubernetes namespace. */
      k8sNamespace: part("k8s_namespace", text),
    } as const),
  ),
  /** Command that installs dependencies. */
  installCommand: inPlace("install_command", text),
  /** Command that runs the build. */
  buildCommand: inPlace("build_command", text),
} as const;

export const sourceRevisionConfigRows = {
  /** Branch or ref to build, for example the `defaultBranch` of a listed repository. */
  repoRef: newRevision("repo_ref", text),
  /** Path of the graph configuration file. */
  graphConfigPath: newRevision("graph_config_path", nonEmptyText),
  /** Image to run. */
  imageUri: newRevision("image_uri", imageReference),
  /** Object path of the uploaded source. */
  sourceTarballPath: newRevision("source_tarball_path", text),
} as const;

/** Settings of the deployment itself. The profile decides which of them need a new revision. */
export interface SourceConfig extends ValuesOf<typeof sourceConfigRows> {}

/** Settings that create a new revision when they change. */
export interface SourceRevisionConfig extends ValuesOf<typeof sourceRevisionConfigRows> {}

const secretReferenceRows = {
  /** Name of the Kubernetes Secret. */
  secretName: required(part("secret_name", nonEmptyText)),
  /** Key in that Secret. */
  secretKey: required(part("secret_key", nonEmptyText)),
} as const;

/** The place of a variable's value: a key of a Kubernetes Secret. */
export interface DeploymentSecretReference extends ValuesOf<typeof secretReferenceRows> {}

export const deploymentRows = {
  /** Unique name of the deployment. The service makes a tracing project of the same name. */
  name: required(replace("name", nonEmptyText)),
  /** Kind of source that the deployment is built from. */
  source: required(replace("source", choice(...SOURCES))),
  /** Name that the service shows in place of `name`; once set, it can be changed but not cleared. */
  displayName: afterCreation(inPlace("display_name", nonEmptyText)),
  /** Settings of the deployment itself. The profile decides which of them need a new revision. */
  sourceConfig: group("source_config", sourceConfigRows) as Field<SourceConfig, "inPlace">,
  /** Settings that create a new revision when they change. */
  sourceRevisionConfig: group("source_revision_config", sourceRevisionConfigRows) as Field<
    SourceRevisionConfig,
    "inPlace"
  >,
  /** Secrets of the deployment, by name. */
  secrets: secret(mayRevise("secrets", keyedText("value"))),
  /**
   * Plain environment variables, by name; the plan and the state show their values. The service keeps `environment` and
   * `secrets` in a single list.
   */
  environment: sharesListWith("secrets")(mayRevise("secrets", keyedText("value"))),
  /** Variables whose values are in Kubernetes Secrets, by variable name (only for source `external_docker`). */
  secretReferences: mayRevise(
    "secret_references",
    keyedByName(secretReferenceRows) as Kind<{ [name: string]: DeploymentSecretReference }>,
  ),
  /** Source of the revisions that updates create; defaults to the deployment's own source. */
  revisionSource: patchOnly(newRevision("revision_source", choice(...REVISION_SOURCES))),

  /** Any change to this map forces a new revision. The provider then sends the managed revision fields again. */
  revisionTriggers: notSent("newRevision", mapOf(text)),
  /**
   * `forbid`: a preview or update fails if it may create a new revision; defaults to `allow`. A `forbid`
   * in the configuration overrides this argument.
   */
  newRevisions: withDefault("allow")(notSent("inPlace", choice("allow", "forbid"))),
  /** How to wait for a rollout. */
  rollout: notSent(
    "inPlace",
    object({
      /** Whether to wait until the new revision runs; defaults to true. */
      wait: withDefault(true)(part("wait", boolean)),
      /** Longest wait in seconds; defaults to 1800. */
      timeoutSeconds: withDefault(ROLLOUT_TIMEOUT_SECONDS)(part("timeoutSeconds", integerFrom(1))),
      /** `restore`: if the new revision fails, resend the arguments from before the update; defaults to `fail`. */
      onFailure: withDefault("fail")(part("onFailure", choice("fail", "restore"))),
      /** Conversations that verify each new revision after it is deployed. */
      verify: part("verify", object(verificationRows)),
    } as const),
  ),
  /**
   * Whether a creation takes over an existing deployment; defaults to the configuration's setting. `true` takes over
   * the deployment of the same name. `identical` does so only if that deployment matches what the program would
   * create. If `adopt` is an id, the resource takes over the deployment with that id.
   */
  adopt: notSent("inPlace", choiceOrUuid(true, false, IDENTICAL)),
  /** Effect of destroying the resource: leave the deployment running, delete the deployment, or fail. */
  onDestroy: notSent("inPlace", choice("retain", "delete", "fail")),
  /**
   * Name of the connection in the configuration; defaults to the default connection. Switching to another connection
   * to the same service does not replace the resource.
   */
  connection: notSent("replace", nonEmptyText),
} as const satisfies ClassedRows;

export const DEPLOYMENT_STATUSES = [
  "AWAITING_DATABASE",
  "READY",
  "UNUSED",
  "AWAITING_DELETE",
  "UNKNOWN",
] as const;

/** Whether the service is deleting a deployment with this status. The provider then treats the deployment as gone. */
export const isBeingDeleted = (status: unknown): boolean =>
  status === "AWAITING_DELETE" || status === "AWAITING_FINAL_DELETE";

/** The possible states of a revision's rollout after an operation. */
export const ROLLOUT_STATES = ["deployed", "failed", "unfinished", "not awaited"] as const;

const agentRows = {
  /** Id of the agent. */
  agentId: part("agent_id", text),
  /** Environment of the agent, such as `production`. */
  environment: part("environment", text),
} as const;

/** Outputs that the service reports. A dotted wire name is a path. */
export const deploymentOutputRows = {
  /** Tenant that owns the deployment. */
  tenantId: part("tenant_id", uuid),
  /** Time of creation, ISO 8601. */
  createdAt: part("created_at", timestamp),
  /** Time of the last change, ISO 8601. */
  updatedAt: part("updated_at", timestamp),
  /** Status of the deployment (not of a revision), such as `READY`. */
  status: part("status", choice(...DEPLOYMENT_STATUSES)),
  /** Id of the newest revision. */
  latestRevisionId: nullable(part("latest_revision_id", uuid)),
  /** Id of the revision that serves the deployment's users. */
  activeRevisionId: nullable(part("active_revision_id", uuid)),
  /** Image version of the deployment; null if the service names none. */
  imageVersion: nullable(part("image_version", text)),
  /** Commit that the newest revision was built from; null if it was not built from a repository. */
  repoCommitSha: nullable(part("source_revision_config.repo_commit_sha", text)),
  /** Address that the service reports for the deployment; null if there is none. */
  url: nullable(part("source_config.custom_url", text)),
  /** Agent to which the service has bound the deployment; null if there is none or the profile is `contract`. */
  agent: nullable(part("agent", object(agentRows))),
} as const;

/** The arguments that map names of variables to values. */
export const VARIABLE_MAPS: readonly string[] = Object.entries(deploymentRows).flatMap(([name, { kind }]) =>
  kind.type === "keyed" ? [name] : [],
);

/** Fields of answers that only look-ups show. */
export const deploymentLookUpRows = {
  /** Whether the service made the deployment for a pull request and also removes it (only with profile `langsmith`). */
  isPreview: part("is_preview", boolean),
} as const;

/** Outputs that the provider adds. */
export const deploymentComputedRows = {
  /**
   * Status of the newest revision, such as `DEPLOYED` or `BUILD_FAILED`; null if there is no revision or its status
   * was not read. `VERIFY_FAILED` means that the revision was deployed but its reply was wrong. `UNVERIFIED` means
   * that no reply could be judged.
   */
  latestRevisionStatus: nullable(required(computed(text))),
  /** How the last rollout ended: `deployed`, `failed`, `unfinished` or `not awaited`. */
  rolloutState: required(computed(text)),
  /** Base URL of the service that runs the deployment. */
  serviceUrl: required(computed(text)),
  /**
   * 1 at creation, then incremented by each argument change that creates or may create a new revision; known at
   * preview. In the plugin, with Pulumi 3.261 or later, each update that resumes or repeats a revision also
   * increments it. A replacement starts again at 1. A deployment that was imported or is only read has generation 0.
   */
  revisionGeneration: required(computed(integer)),
  /** For each secret, by name: 1 when it is added, then incremented by each change of its value. */
  secretGenerations: computed(mapOf(integer)),
} as const;

/** An output that only the plugin records, because the dynamic form computes the value in the program. */
export const revisionKeyRows = {
  /** `id` and `revisionGeneration` in one string, for resources that depend on a new revision; known at preview. */
  revisionKey: required(computed(text)),
} as const;
