import * as pulumi from "@pulumi/pulumi";
import { Deployment, Listener } from "pulumi-deployment-control";

// To change one of these settings, run a command such as `pulumi config set quickstart:minScale 2`.
const settings = new pulumi.Config("quickstart");
const minScale = settings.getNumber("minScale") ?? 1;
const imageTag = settings.get("imageTag") ?? "1.0.0";

// Set this with `pulumi config set --secret quickstart:modelKey …`. Secret settings stay encrypted in the state.
const modelKey = settings.getSecret("modelKey") ?? pulumi.secret("set quickstart:modelKey");

// The cluster that runs the deployments. This declaration takes over the listener that an operator has installed.
const cluster = new Listener("cluster", {
  computeType: "k8s",
  computeId: "quickstart-cluster",
});

const chat = new Deployment("chat", {
  name: "quickstart-chat",
  source: "external_docker",
  // A change in sourceConfig is made in place: the running revision stays.
  sourceConfig: {
    listenerId: cluster.id,
    resourceSpec: { minScale, maxScale: 4 },
  },
  // A change in sourceRevisionConfig creates a new revision, and the plan says so.
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${imageTag}` },
  // A change in secrets may create a new revision: the service decides.
  secrets: { MODEL_API_KEY: modelKey },
});

const research = new Deployment("research", {
  name: "quickstart-research",
  source: "external_docker",
  sourceConfig: { listenerId: cluster.id },
  sourceRevisionConfig: { imageUri: "registry.example.com/research:1.0.0" },
  secrets: { MODEL_API_KEY: modelKey },
  // If the cluster already has the key, a reference is enough: the key never leaves the cluster.
  secretReferences: { SEARCH_API_KEY: { secretName: "search", secretKey: "api-key" } },
});

// This resource stands for anything that must follow each new revision, such as a smoke test or a cache flush. The plan
// knows `revisionKey`, so it shows a change of this resource exactly when `chat` gets a new revision.
new pulumi.Stash("announced", { input: chat.revisionKey });

export const chatRevision = chat.latestRevisionId;
export const researchRevision = research.latestRevisionId;
