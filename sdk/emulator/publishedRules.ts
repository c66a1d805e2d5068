/** The rules of values that the public service documents beyond the contract, as data for the checks and the defaults. */

/** A number's bounds; a missing one does not bound it. */
export interface Bound {
  readonly minimum?: number;
  readonly maximum?: number;
  /** Steps of which it is a multiple: 1 for whole numbers, 0.1 for one decimal place. */
  readonly step?: number;
}

/** A default that is computed: a field, and another one times a factor. */
type DerivedDefault = readonly [field: string, from: string, times: number];

export interface PublishedRules {
  /** The only sources with which a field may have a value, by its path in a body. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
  /** The sources for which a creation must give a field. */
  readonly requiredFor: Readonly<Record<string, readonly string[]>>;
  /** Bounds within `resource_spec`. */
  readonly bounds: Readonly<Record<string, Bound>>;
  /** Members that each element of a list in `resource_spec` must have. */
  readonly requiredMembers: Readonly<Record<string, readonly string[]>>;
  /** Values in `resource_spec` that are computed from others when left out, in this order. */
  readonly derived: readonly DerivedDefault[];
}

const BUILT = ["github", "internal_source"];
const IMAGES = ["external_docker", "internal_docker"];

const sources = {
  "source_config.integration_id": ["github"],
  "source_config.repo_url": ["github"],
  "source_config.deployment_type": ["github"],
  "source_config.build_on_push": ["github"],
  "source_config.custom_url": ["external_docker"],
  "source_config.resource_spec": ["external_docker"],
  "source_config.listener_id": ["external_docker"],
  "source_config.listener_config": ["external_docker"],
  "source_revision_config.repo_ref": ["github"],
  "source_revision_config.langgraph_config_path": BUILT,
  "source_revision_config.image_uri": IMAGES,
  "source_revision_config.source_tarball_path": ["internal_source"],
};

const cpu: Bound = { minimum: 0.1, maximum: 8, step: 0.1 };
const cpuLimit: Bound = { minimum: 0.1, maximum: 16, step: 0.1 };
const whole: Bound = { step: 1 };

const bounds = {
  cpu,
  cpu_limit: cpuLimit,
  queue_cpu: cpu,
  queue_cpu_limit: cpuLimit,
  redis_cpu: cpu,
  redis_cpu_limit: cpuLimit,
  orchestrator_memory_mb: whole,
  orchestrator_memory_limit_mb: whole,
  orchestrator_min_scale: whole,
  orchestrator_max_scale: whole,
  executor_memory_mb: whole,
  executor_memory_limit_mb: whole,
  db_memory_mb: whole,
  db_memory_limit_mb: whole,
  db_storage_gi: whole,
  db_max_connections: whole,
};

const derived: readonly DerivedDefault[] = [
  ["queue_min_scale", "min_scale", 1],
  ["queue_max_scale", "max_scale", 1],
  ["queue_cpu", "cpu", 1],
  ["queue_memory_mb", "memory_mb", 1],
  ["cpu_limit", "cpu", 2],
  ["memory_limit_mb", "memory_mb", 2],
  ["queue_cpu_limit", "queue_cpu", 2],
  ["queue_memory_limit_mb", "queue_memory_mb", 2],
  ["redis_cpu_limit", "redis_cpu", 2],
  ["redis_memory_limit_mb", "redis_memory_mb", 1],
  ["db_cpu_limit", "db_cpu", 2],
  ["db_memory_limit_mb", "db_memory_mb", 2],
];

/** From the reference of the public service. */
export const published: PublishedRules = {
  sources,
  requiredFor: { "source_revision_config.langgraph_config_path": BUILT },
  bounds,
  requiredMembers: {
    image_pull_secrets: ["name"],
    init_containers: ["name", "image"],
    sidecars: ["name", "image"],
  },
  derived,
};
