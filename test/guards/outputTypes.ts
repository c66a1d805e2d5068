/**
 * Only the type checker reads this file: it compares the outputs of the classes with the types that are written here.
 */
import type * as pulumi from "@pulumi/pulumi";
import type { Json } from "../../provider/fields/kind";
import type {
  Deployment,
  Listener,
  Rollout,
  SmokeTest,
  SourceConfig,
  SourceRevisionConfig,
  TokenMetadata,
} from "../../sdk/index";

type Strings = { [name: string]: string };

interface Waiting {
  readonly wait?: boolean;
  readonly timeoutSeconds?: number;
  readonly onFailure?: "fail" | "restore";
  readonly verify?: Verification;
}

interface Verification {
  readonly deploymentUrl?: string;
  readonly assistantId: string;
  readonly messages: { readonly role: string; readonly content: Json }[];
  readonly expect: { readonly contains?: string; readonly matches?: string; readonly equals?: string };
  readonly runs?: number;
  readonly atLeast?: number;
  readonly timeoutSeconds?: number;
  readonly apiKey?: string;
}

interface DeploymentOutputs {
  name: string;
  source: "repohost" | "external_docker" | "internal_docker" | "internal_source" | "internal_template";
  sourceConfig: SourceConfig | undefined;
  sourceRevisionConfig: SourceRevisionConfig | undefined;
  secrets: Strings | undefined;
  secretReferences:
    | { [name: string]: { readonly secretName: string; readonly secretKey: string } }
    | undefined;
  revisionSource: "repohost" | "internal_docker" | "internal_source" | undefined;
  revisionTriggers: Strings | undefined;
  newRevisions: "allow" | "forbid" | undefined;
  rollout: Waiting | undefined;
  adopt: boolean | string | undefined;
  onDestroy: "retain" | "delete" | "fail" | undefined;
  connection: string | undefined;
  tenantId: string | undefined;
  createdAt: string | undefined;
  updatedAt: string | undefined;
  status: "AWAITING_DATABASE" | "READY" | "UNUSED" | "AWAITING_DELETE" | "UNKNOWN" | undefined;
  latestRevisionId: string | null;
  latestRevisionStatus: string | null;
  activeRevisionId: string | null;
  imageVersion: string | null;
  repoCommitSha: string | null;
  url: string | null;
  serviceUrl: string;
  rolloutState: string;
  revisionGeneration: number;
  secretGenerations: { [name: string]: number } | undefined;
  id: string;
  urn: string;
  revisionKey: string;
}

interface ListenerOutputs {
  computeType: "k8s";
  computeId: string;
  computeConfig: { readonly k8sNamespaces?: string[] } | undefined;
  version: string | null | undefined;
  onDestroy: "retain" | "delete" | "fail" | undefined;
  connection: string | undefined;
  createdAt: string | undefined;
  updatedAt: string | undefined;
  serviceUrl: string;
}

interface RolloutOutputs {
  deployments: {
    [name: string]: { readonly id: string; readonly revisionKey: string; readonly connection?: string };
  };
  timeoutSeconds: number | undefined;
  connection: string | undefined;
  deployed: number;
  seconds: number;
  revisions: Strings;
  rolloutState: string;
}

interface SmokeTestOutputs {
  deploymentUrl: string;
  assistantId: string;
  messages: { readonly role: string; readonly content: Json }[];
  expect: { readonly contains?: string; readonly matches?: string; readonly equals?: string };
  triggers: Strings | undefined;
  timeoutSeconds: number | undefined;
  connection: string | undefined;
  apiKey: string | undefined;
  authHeader: string | undefined;
  authScheme: string | undefined;
  allowInsecure: boolean | undefined;
  reply: string;
  threadId: string;
  runId: string;
  seconds: number;
}

interface TokenMetadataOutputs {
  tokenId: string;
  providerAccountLabel: string | undefined;
  isDefault: boolean | undefined;
  connection: string | undefined;
  providerId: string | null;
  createdAt: string | null;
  updatedAt: string | null;
  scopes: Json[] | null;
  expiresAt: string | null;
  serviceUrl: string;
}

/**
 * Gives an intersection the same form as an object with the same members. The type `Json` stays unchanged, because
 * `Json` is recursive.
 */
type Flat<T> = Json extends T ? T : Members<T>;
type Members<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The names of the outputs whose type differs from the type in this file. This file need not have every output. */
type Differing<C, Expected> = {
  [K in keyof Expected]-?: Same<Flat<OutputOf<C, K>>, Flat<Expected[K]>> extends true ? never : K;
}[keyof Expected];

type OutputOf<C, K> = K extends keyof C ? (C[K] extends pulumi.Output<infer T> ? T : "no output") : "missing";

type None<Names extends never> = Names;

export type Checked = [
  None<Differing<Deployment, DeploymentOutputs>>,
  None<Differing<Listener, ListenerOutputs>>,
  None<Differing<Rollout, RolloutOutputs>>,
  None<Differing<SmokeTest, SmokeTestOutputs>>,
  None<Differing<TokenMetadata, TokenMetadataOutputs>>,
];

// @ts-expect-error an output with another type
export type Other = None<Differing<Listener, { computeType: string }>>;
// @ts-expect-error an output that may be null although its type says otherwise
export type Null = None<Differing<Listener, { version: string | undefined }>>;
// @ts-expect-error an output that does not exist
export type Missing = None<Differing<Listener, { status: string }>>;
