import * as pulumi from "@pulumi/pulumi";
import { Deployment, Rollout } from "pulumi-deployment-control";
import { shardOf } from "./shardOf";
import stacks from "./stacks.json";

const settings = new pulumi.Config("shards");
const count = settings.getNumber("count") ?? 1000;
const release = settings.get("release") ?? "1.0.0";
const maxScale = settings.getNumber("maxScale") ?? 2;

const stack = pulumi.getStack();
if (!stacks.includes(stack)) throw new Error(`stacks.json has no stack ${stack}, but: ${stacks.join(", ")}`);

// The data of all stacks, which could come from a file, such as a table with a row for each customer.
const names = Array.from({ length: count }, (_, index) => `agent-${String(index + 1).padStart(4, "0")}`);

// Each stack declares only its share of the data.
const deployments = names
  .filter((name) => shardOf(name, stacks) === stack)
  .map(
    (name) =>
      new Deployment(name, {
        name: `sharded-${name}`,
        source: "external_docker",
        sourceConfig: { resourceSpec: { minScale: 1, maxScale } },
        sourceRevisionConfig: { imageUri: `registry.example.com/agent:${release}` },
        rollout: { wait: false },
      }),
  );

const rollout = new Rollout("together", { deployments, timeoutSeconds: 1200 });

export const deployed = rollout.deployed;
