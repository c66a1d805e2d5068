/** Pods: containers, volumes and mounts. Their members follow Kubernetes, in whose own spelling they travel. */
import {
  boolean,
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
  /** Mount without write access. */
  readOnly: part("readOnly", boolean),
} as const;

/** Where a container mounts a volume. */
export interface VolumeMount extends ValuesOf<typeof volumeMountRows> {}

export const volumeMount: Kind<VolumeMount> = object(volumeMountRows);

const volumeRows = {
  /** Name by which volume mounts refer to it. */
  name: part("name", text),
  /** A ConfigMap as files. */
  configMap: part("configMap", jsonObject),
  /** A Kubernetes Secret as files. */
  secret: part("secret", jsonObject),
  /** A directory that lives as long as the pod. */
  emptyDir: part("emptyDir", jsonObject),
  /** A persistent volume claim. */
  persistentVolumeClaim: part("persistentVolumeClaim", jsonObject),
  /** An NFS export. */
  nfs: part("nfs", jsonObject),
  /** Several sources in one directory. */
  projected: part("projected", jsonObject),
  /** The pod's own metadata as files. */
  downwardAPI: part("downwardAPI", jsonObject),
  /** A volume of a CSI driver. */
  csi: part("csi", jsonObject),
} as const;

/** A volume of the pods. */
export interface Volume extends ValuesOf<typeof volumeRows> {}

export const volume: Kind<Volume> = object(volumeRows);

const containerRows = {
  /** Name of the container. */
  name: part("name", text),
  /** Image that it runs. */
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
        /** Its value. */
        value: part("value", text),
        /** Where its value comes from instead. */
        valueFrom: part("valueFrom", jsonObject),
      } as const),
    ),
  ),
  /** Sources whose every key becomes an environment variable. */
  envFrom: part("envFrom", listOf(jsonObject)),
  /** Compute that the container asks for and may use. */
  resources: part(
    "resources",
    object({
      /** The most that it may use. */
      limits: part("limits", mapOf(json)),
      /** What is kept for it. */
      requests: part("requests", mapOf(json)),
    } as const),
  ),
  /** Volumes that it mounts. */
  volumeMounts: part("volumeMounts", listOf(volumeMount)),
  /** Security options. */
  securityContext: part("securityContext", jsonObject),
} as const;

/** A container of the pods. */
export interface Container extends ValuesOf<typeof containerRows> {}

export const container: Kind<Container> = object(containerRows);
