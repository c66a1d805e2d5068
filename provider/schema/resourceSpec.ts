/**
 * ResourceSpec: the compute on which a deployment runs. Memory is in MB, storage in GiB, and CPU in cores.
 *
 * Containers, volumes and mounts follow Kubernetes and keep its spelling on the wire.
 */
import {
  boolean,
  decimal,
  integer,
  json,
  jsonObject,
  type Kind,
  listOf,
  mapOf,
  object,
  part,
  text,
  type ValuesOf,
} from "./kind";

const volumeMountRows = {
  /** Name of the volume to mount. */
  name: part("name", text),
  /** Path within the container. */
  mountPath: part("mountPath", text),
  /** Path within the volume. */
  subPath: part("subPath", text),
  /** How mounts propagate between host and container. */
  mountPropagation: part("mountPropagation", text),
  /** Path within the volume, with environment variables expanded. */
  subPathExpr: part("subPathExpr", text),
  /** Whether the mount is read-only. */
  readOnly: part("readOnly", boolean),
} as const;

/** A container's mount of a volume. */
export interface VolumeMount extends ValuesOf<typeof volumeMountRows> {}

const volumeMount: Kind<VolumeMount> = object(volumeMountRows);

const volumeRows = {
  /** Name by which volume mounts refer to the volume. */
  name: part("name", text),
  /** A ConfigMap, presented as files. */
  configMap: part("configMap", jsonObject),
  /** A Kubernetes Secret, presented as files. */
  secret: part("secret", jsonObject),
  /** A directory that lives as long as the pod. */
  emptyDir: part("emptyDir", jsonObject),
  /** A persistent volume claim. */
  persistentVolumeClaim: part("persistentVolumeClaim", jsonObject),
  /** An NFS export. */
  nfs: part("nfs", jsonObject),
  /** Several sources in one directory. */
  projected: part("projected", jsonObject),
  /** The pod's own metadata, presented as files. */
  downwardAPI: part("downwardAPI", jsonObject),
  /** A volume of a CSI driver. */
  csi: part("csi", jsonObject),
} as const;

/** A volume of the pods. */
export interface Volume extends ValuesOf<typeof volumeRows> {}

const volume: Kind<Volume> = object(volumeRows);

const containerRows = {
  /** Name of the container. */
  name: part("name", text),
  /** Image that the container runs. */
  image: part("image", text),
  /** When the image is pulled, such as `IfNotPresent`. */
  imagePullPolicy: part("imagePullPolicy", text),
  /** Working directory. */
  workingDir: part("workingDir", text),
  /** Restart policy; `Always` makes an init container a sidecar. */
  restartPolicy: part("restartPolicy", text),
  /** Entry point. */
  command: part("command", listOf(text)),
  /** Arguments of the entry point. */
  args: part("args", listOf(text)),
  /** Environment variables. */
  env: part(
    "env",
    listOf(
      object({
        /** Name of the variable. */
        name: part("name", text),
        /** Value of the variable. */
        value: part("value", text),
        /** Source of the value, instead of `value`. */
        valueFrom: part("valueFrom", jsonObject),
      } as const),
    ),
  ),
  /** Sources in which each key becomes an environment variable. */
  envFrom: part("envFrom", listOf(jsonObject)),
  /** Compute that the container requests and may use. */
  resources: part(
    "resources",
    object({
      /** The most compute that the container may use. */
      limits: part("limits", mapOf(json)),
      /** Compute that is reserved for the container. */
      requests: part("requests", mapOf(json)),
    } as const),
  ),
  /** Volumes that the container mounts. */
  volumeMounts: part("volumeMounts", listOf(volumeMount)),
  /** Security options. */
  securityContext: part("securityContext", jsonObject),
} as const;

/** A container of the pods. */
export interface Container extends ValuesOf<typeof containerRows> {}

const container: Kind<Container> = object(containerRows);

/** The path of the spec among the arguments. */
export const SPEC = "sourceConfig.resourceSpec";

export const resourceSpecRows = {
  /** Minimum number of replicas of the API server. */
  minScale: part("min_scale", integer),
  /** Maximum number of replicas of the API server. */
  maxScale: part("max_scale", integer),
  /** CPU request of one replica, in cores. */
  cpu: part("cpu", decimal),
  /** CPU limit of one replica, in cores. */
  cpuLimit: part("cpu_limit", decimal),
  /** Memory request of one replica, in MB. */
  memoryMb: part("memory_mb", integer),
  /** Memory limit of one replica, in MB. */
  memoryLimitMb: part("memory_limit_mb", integer),

  /** Minimum number of replicas of the queue. */
  queueMinScale: part("queue_min_scale", integer),
  /** Maximum number of replicas of the queue. */
  queueMaxScale: part("queue_max_scale", integer),
  /** CPU request of a queue replica, in cores. */
  queueCpu: part("queue_cpu", decimal),
  /** CPU limit of a queue replica, in cores. */
  queueCpuLimit: part("queue_cpu_limit", decimal),
  /** Memory request of a queue replica, in MB. */
  queueMemoryMb: part("queue_memory_mb", integer),
  /** Memory limit of a queue replica, in MB. */
  queueMemoryLimitMb: part("queue_memory_limit_mb", integer),

  /** CPU request of the orchestrator, in cores. */
  orchestratorCpu: part("orchestrator_cpu", decimal),
  /** CPU limit of the orchestrator, in cores. */
  orchestratorCpuLimit: part("orchestrator_cpu_limit", decimal),
  /** Memory request of the orchestrator, in MB. */
  orchestratorMemoryMb: part("orchestrator_memory_mb", decimal),
  /** Memory limit of the orchestrator, in MB. */
  orchestratorMemoryLimitMb: part("orchestrator_memory_limit_mb", decimal),
  /** Minimum number of replicas of the orchestrator. */
  orchestratorMinScale: part("orchestrator_min_scale", decimal),
  /** Maximum number of replicas of the orchestrator. */
  orchestratorMaxScale: part("orchestrator_max_scale", decimal),

  /** CPU request of an executor, in cores. */
  executorCpu: part("executor_cpu", decimal),
  /** CPU limit of an executor, in cores. */
  executorCpuLimit: part("executor_cpu_limit", decimal),
  /** Memory request of an executor, in MB. */
  executorMemoryMb: part("executor_memory_mb", decimal),
  /** Memory limit of an executor, in MB. */
  executorMemoryLimitMb: part("executor_memory_limit_mb", decimal),

  /** CPU request of the key-value store, in cores. */
  redisCpu: part("redis_cpu", decimal),
  /** CPU limit of the key-value store, in cores. */
  redisCpuLimit: part("redis_cpu_limit", decimal),
  /** Memory request of the key-value store, in MB. */
  redisMemoryMb: part("redis_memory_mb", integer),
  /** Memory limit of the key-value store, in MB. */
  redisMemoryLimitMb: part("redis_memory_limit_mb", integer),

  /** CPU request of the database, in cores. */
  dbCpu: part("db_cpu", decimal),
  /** CPU limit of the database, in cores. */
  dbCpuLimit: part("db_cpu_limit", decimal),
  /** Memory request of the database, in MB. */
  dbMemoryMb: part("db_memory_mb", decimal),
  /** Memory limit of the database, in MB. */
  dbMemoryLimitMb: part("db_memory_limit_mb", decimal),
  /** Storage of the database, in GiB. */
  dbStorageGi: part("db_storage_gi", decimal),
  /** Maximum number of connections to the database. */
  dbMaxConnections: part("db_max_connections", decimal),

  /** Labels of the pods. */
  labels: part("labels", mapOf(text)),
  /** Annotations of the pods. */
  annotations: part("annotations", mapOf(text)),
  /** Service account of the pods. */
  serviceAccountName: part("service_account_name", text),
  /** Kubernetes Secrets for pulling images. */
  imagePullSecrets: part(
    "image_pull_secrets",
    listOf(
      object({
        /** Name of the Kubernetes Secret. */
        name: part("name", text),
      } as const),
    ),
  ),
  /** Volumes of the pods. */
  volumes: part("volumes", listOf(volume)),
  /** Mounts of the volumes in the API server. */
  volumeMounts: part("volume_mounts", listOf(volumeMount)),
  /** Containers that run before the API server. */
  initContainers: part("init_containers", listOf(container)),
  /** Containers that run next to the API server. */
  sidecars: part("sidecars", listOf(container)),
} as const;

/** Compute on which a deployment runs. */
export interface ResourceSpec extends ValuesOf<typeof resourceSpecRows> {}

export const resourceSpec: Kind<ResourceSpec> = object(resourceSpecRows);
