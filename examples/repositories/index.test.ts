import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import type { DeploymentArgs } from "pulumi-deployment-control";
import { mocks, planOf, valueOf } from "pulumi-deployment-control/testing";

const integrationId = "5b0cbb6c-3c4e-4f7b-9d1e-6a2f0c1d7e42";

// The mocks, with the repositories that the look-up finds. The mocks check arguments as a plan does: a bad argument
// fails the test.
const service = mocks({
  repositories: [
    {
      hostIntegrationId: integrationId,
      id: 1,
      owner: "acme",
      name: "support-agent",
      url: "https://repohost.example.com/acme/support-agent",
      defaultBranch: "trunk",
    },
  ],
});

let program: typeof import("./index");
before(async () => {
  pulumi.runtime.setAllConfig({ "repositories:integrationId": integrationId });
  await pulumi.runtime.setMocks(service);
  program = require("./index");
});

test("the deployment takes its arguments from the repository that the configuration names", async () => {
  assert.equal(await valueOf(program.branch), "trunk");
  assert.match(String(await valueOf(program.url)), /^https:/);
});

test("a first up makes one revision", async () => {
  assert.match(await valueOf(program.revision), /^[0-9a-f-]{36}:1$/);
});

test("turning buildOnPush on is planned as an edit in place, and a change of the graph as a new revision", async () => {
  const agent: DeploymentArgs = {
    name: "support-agent",
    source: "repohost",
    sourceConfig: { integrationId, repoUrl: "https://repohost.example.com/acme/support-agent" },
    sourceRevisionConfig: { repoRef: "trunk", graphConfigPath: "agents/graph.json" },
  };
  const pushed = { ...agent, sourceConfig: { ...agent.sourceConfig, buildOnPush: true } };
  assert.equal((await planOf(agent, pushed)).verdict, "in-place");
  const regraphed = { ...agent, sourceRevisionConfig: { graphConfigPath: "agents/support.json" } };
  assert.equal((await planOf(agent, regraphed)).verdict, "new-revision");
});
