/** How the services that speak the contract differ, as data: the rest of the emulator knows no service by name. */
import { type PublishedRules, published } from "./publishedRules";

export const PROFILES = ["contract", "langsmith"] as const;
export type ProfileName = (typeof PROFILES)[number];

export interface WireProfile {
  readonly name: ProfileName;
  /** Wire names that differ from those in the tables. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /** Values of a choice that differ from those in the tables; null: not offered. */
  readonly choices: Readonly<Record<string, string | null>>;
  /** Fields that a new deployment must have. */
  readonly requiredOnCreate: readonly string[];
  readonly repositoryPaths: readonly string[];
  /** Paths under which the integrations themselves are listed. */
  readonly integrationPaths: readonly string[];
  /** Query parameters that select deployments by name. */
  readonly nameFilters: Readonly<Record<string, "equals" | "contains">>;
  /** Whether null in a PATCH clears a field. */
  readonly nullClears: boolean;
  /** Whether an empty list of secrets in a PATCH clears them. */
  readonly emptySecretsClear: boolean;
  /** Whether `resource_spec` makes a revision and overwrites the stored one whole. */
  readonly specMakesRevision: boolean;
  /** Paths whose value a PATCH must not change. */
  readonly immutable: readonly string[];
  /** Whether it has the operations beyond the contract. */
  readonly moreOperations: boolean;
  /** Whether null may stand for what is left out, in creations and in PATCHes of listeners and tokens. */
  readonly nullIsLeftOut: boolean;
  /** Rules of values that the service documents beyond the contract. */
  readonly published: PublishedRules | undefined;
}

const contract: WireProfile = {
  name: "contract",
  fieldNames: {},
  choices: {},
  requiredOnCreate: ["name", "source"],
  repositoryPaths: ["/v1/integrations/forge/repohost/{integration_id}/repos"],
  integrationPaths: [],
  nameFilters: { name: "equals" },
  nullClears: true,
  emptySecretsClear: true,
  specMakesRevision: false,
  immutable: [],
  moreOperations: false,
  nullIsLeftOut: false,
  published: undefined,
};

const langsmith: WireProfile = {
  name: "langsmith",
  fieldNames: { graph_config_path: "langgraph_config_path" },
  choices: { repohost: "github", internal_template: null },
  requiredOnCreate: ["name", "source", "source_config", "source_revision_config", "secrets"],
  repositoryPaths: [
    "/v1/integrations/github/{integration_id}/repos",
    "/v1/integrations/forge/github/{integration_id}/repos",
  ],
  integrationPaths: ["/v1/integrations/github/install", "/v1/integrations/forge/github/install"],
  nameFilters: { name_contains: "contains", name: "equals" },
  nullClears: false,
  emptySecretsClear: false,
  specMakesRevision: true,
  immutable: [
    "source_config.integration_id",
    "source_config.repo_url",
    "source_config.deployment_type",
    "source_config.listener_id",
    "source_config.listener_config.k8s_namespace",
  ],
  moreOperations: true,
  nullIsLeftOut: true,
  published,
};

export const wireProfiles: Readonly<Record<ProfileName, WireProfile>> = { contract, langsmith };

/** The value of a choice as this service spells it; undefined when it does not offer it. */
export function choiceOf(profile: WireProfile, value: string): string | undefined {
  const other = profile.choices[value];
  return other === undefined ? value : (other ?? undefined);
}

export function fieldNameOf(profile: WireProfile, wire: string): string {
  return profile.fieldNames[wire] ?? wire;
}
