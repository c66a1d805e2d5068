import { Deployment } from "pulumi-deployment-control";

const chat = new Deployment("chat", {
  name: "chat",
  source: "repohost",
  sourceConfig: {
    // The integration through which the service reads the repository.
    integrationId: "00000000-0000-4000-8000-000000000000",
    repoUrl: "https://github.com/OWNER/REPOSITORY",
    deploymentType: "dev",
  },
  // A change here creates a new revision, and the plan says so.
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
});

export const revision = chat.latestRevisionId;
