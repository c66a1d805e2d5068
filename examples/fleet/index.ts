import * as pulumi from "@pulumi/pulumi";
import { Deployment, Rollout } from "pulumi-deployment-control";

const settings = new pulumi.Config("fleet");

// The number of agents, and the release of the image that they run. The first `canaries` agents run `canaryRelease`.
const count = settings.getNumber("count") ?? 100;
const release = settings.get("release") ?? "1.0.0";
const canaries = settings.getNumber("canaries") ?? 0;
const canaryRelease = settings.get("canaryRelease") ?? "1.1.0";
const maxScale = settings.getNumber("maxScale") ?? 2;

// The agents' data, which could come from a file, such as a table with a row for each customer.
const agents = Array.from({ length: count }, (_, index) => ({
  name: `agent-${String(index + 1).padStart(3, "0")}`,
  release: index < canaries ? canaryRelease : release,
}));

// No deployment waits for its own revision: the engine works on a few resources at a time, so a hundred waits would
// take many rounds.
const deployments = agents.map(
  (agent) =>
    new Deployment(agent.name, {
      name: `fleet-${agent.name}`,
      source: "external_docker",
      sourceConfig: { resourceSpec: { minScale: 1, maxScale } },
      sourceRevisionConfig: { imageUri: `registry.example.com/agent:${agent.release}` },
      rollout: { wait: false },
    }),
);

// Waits for all deployments at once, whenever any of them gets a new revision.
const fleet = new Rollout("together", { deployments, timeoutSeconds: 1200 });

export const deployed = fleet.deployed;
