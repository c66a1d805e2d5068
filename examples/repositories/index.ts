import * as pulumi from "@pulumi/pulumi";
import { Deployment, getRepositoriesOutput } from "pulumi-deployment-control";

const settings = new pulumi.Config("repositories");
const integrationId = settings.require("integrationId");
const owner = settings.get("owner") ?? "acme";
const name = settings.get("name") ?? "support-agent";
const buildOnPush = settings.getBoolean("buildOnPush") ?? true;
const graphConfigPath = settings.get("graphConfigPath") ?? "graph.json";

// Each preview and update reads the integration's repositories, so this program needs only the repository's name.
const repository = getRepositoriesOutput({ integrationId }).apply((repositories) => {
  const match = repositories.find((each) => each.owner === owner && each.name === name);
  if (match) return match;
  const names = repositories.map((each) => `${each.owner}/${each.name}`).join(", ");
  const error = new pulumi.RunError(
    `The integration reaches no ${owner}/${name}, but: ${names || "nothing"}`,
  );
  // Without this line, Pulumi's SDK would render the stack trace, which takes more than ten seconds and is never shown.
  error.stack = error.message;
  throw error;
});

const support = new Deployment("support", {
  name: "support-agent",
  source: "repohost",
  sourceConfig: {
    integrationId: repository.hostIntegrationId,
    repoUrl: repository.url,
    deploymentType: "dev",
    buildOnPush,
  },
  // If the repository's default branch is renamed, the plan announces a new revision.
  sourceRevisionConfig: { repoRef: repository.defaultBranch, graphConfigPath },
});

export const branch = repository.defaultBranch;
export const url = support.url;
export const revision = support.revisionKey;
