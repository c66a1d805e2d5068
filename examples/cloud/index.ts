import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-deployment-control";

const settings = new pulumi.Config("cloud");

// The repository, and the integration through which the service reads it.
const integrationId = settings.require("integrationId");
const repoUrl = settings.get("repoUrl") ?? "https://git.example.com/acme/support-agent";

// The release that production runs, and whether development follows each push.
const release = settings.get("release") ?? "v1.0.0";
const buildOnPush = settings.getBoolean("buildOnPush") ?? true;

// Set this with `pulumi config set --secret cloud:modelKey …`. Each stack has a separate key, which Pulumi encrypts.
const modelKey = settings.getSecret("modelKey") ?? pulumi.secret("set cloud:modelKey");

const graphConfigPath = "agents/support/graph.json";

// The development deployment follows the branch: each push makes a revision, without Pulumi. All other changes need a
// `pulumi up`.
const development = new Deployment("development", {
  name: "support-development",
  source: "repohost",
  sourceConfig: { integrationId, repoUrl, deploymentType: "dev", buildOnPush },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath },
  secrets: { MODEL_API_KEY: modelKey },
});

// The production deployment runs a tag. To release, set `release`; the plan then announces a new revision.
const production = new Deployment("production", {
  name: "support-production",
  source: "repohost",
  sourceConfig: { integrationId, repoUrl, deploymentType: "prod", buildOnPush: false },
  sourceRevisionConfig: { repoRef: `refs/tags/${release}`, graphConfigPath },
  secrets: { MODEL_API_KEY: modelKey },
  // If a release does not start, the last good release is deployed again, and `pulumi up` still fails.
  rollout: { timeoutSeconds: 1200, onFailure: "restore" },
});

export const developmentUrl = development.url;
export const productionUrl = production.url;
