import * as pulumi from "@pulumi/pulumi";
import { Deployment, Listener } from "pulumi-deployment-control";

const settings = new pulumi.Config("selfHosted");

// The name under which the cluster's listener is installed, and the namespace in which the agent runs.
const computeId = settings.get("cluster") ?? "production";
const namespace = settings.get("namespace") ?? "agents";

// These settings change from day to day: the replicas, the image, the version of the log shipper.
const minScale = settings.getNumber("minScale") ?? 2;
const imageTag = settings.get("imageTag") ?? "1.0.0";
const shipperTag = settings.get("shipperTag") ?? "3.1";

// The listener runs deployments on the cluster. The declaration takes over the installed listener, and sets the
// namespaces that the listener serves.
const cluster = new Listener("cluster", {
  computeType: "k8s",
  computeId,
  computeConfig: { k8sNamespaces: [namespace] },
});

// The volumes and containers below use the field names of a pod's manifest in Kubernetes.
const promptsVolume = { name: "prompts", configMap: { name: "support-prompts" } };
const authorityVolume = { name: "authority", secret: { secretName: "internal-ca" } };
const logsVolume = { name: "logs", emptyDir: { sizeLimit: "256Mi" } };

// A sidecar that ships the files in /var/log/agent. The sidecar runs beside each replica of the agent, and shares a
// volume with the replica.
const logShipper = {
  name: "log-shipper",
  image: `registry.example.com/log-shipper:${shipperTag}`,
  args: ["--source", "/var/log/agent"],
  env: [
    { name: "LOG_TARGET", value: "https://logs.example.com" },
    { name: "LOG_TOKEN", valueFrom: { secretKeyRef: { name: "log-shipper", key: "token" } } },
  ],
  volumeMounts: [{ name: "logs", mountPath: "/var/log/agent", readOnly: true }],
  resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "128Mi" } },
  securityContext: { runAsNonRoot: true, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
};

const agent = new Deployment("agent", {
  name: "support-agent",
  source: "external_docker",
  sourceConfig: {
    listenerId: cluster.id,
    listenerConfig: { k8sNamespace: namespace },
    customUrl: settings.get("url") ?? "https://support.agents.example.com",
    resourceSpec: {
      // The replicas that answer requests, and the resources of each.
      minScale,
      maxScale: 6,
      cpu: 1,
      cpuLimit: 2,
      memoryMb: 2048,
      memoryLimitMb: 4096,
      // The replicas that work through the queue of runs.
      queueMinScale: 1,
      queueMaxScale: 4,
      queueCpu: 0.5,
      // The storage of the agent's database.
      dbStorageGi: 20,
      // The identity of the pods, and the secret that they use to pull the image.
      serviceAccountName: "support-agent",
      imagePullSecrets: [{ name: "registry" }],
      labels: { "app.kubernetes.io/part-of": "support", team: "agents" },
      volumes: [promptsVolume, authorityVolume, logsVolume],
      volumeMounts: [
        { name: "prompts", mountPath: "/etc/agent/prompts", readOnly: true },
        { name: "authority", mountPath: "/etc/ssl/internal", readOnly: true },
        { name: "logs", mountPath: "/var/log/agent" },
      ],
      sidecars: [logShipper],
    },
  },
  sourceRevisionConfig: { imageUri: `registry.example.com/support-agent:${imageTag}` },
  // Keys stay in the cluster: the deployment gets them as environment variables, and neither Pulumi nor the service sees them.
  secretReferences: {
    MODEL_API_KEY: { secretName: "model-provider", secretKey: "api-key" },
    TICKETS_TOKEN: { secretName: "ticket-system", secretKey: "token" },
  },
  // The service does not notice when a key in the cluster is rotated. Increment this number to make a new revision,
  // which reads the new key.
  revisionTriggers: { keys: settings.get("keys") ?? "1" },
  // If a revision does not start, the last good revision is deployed again, and `pulumi up` still fails.
  rollout: { timeoutSeconds: 900, onFailure: "restore" },
});

export const url = agent.url;
export const revision = agent.latestRevisionId;
