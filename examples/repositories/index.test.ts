import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { type Emulator, startEmulator } from "pulumi-deployment-control/emulator";
import { mocks, valueOf } from "pulumi-deployment-control/testing";

const integrationId = "5b0cbb6c-3c4e-4f7b-9d1e-6a2f0c1d7e42";

let service: Emulator;
let program: typeof import("./index");
before(async () => {
  // The service has the repository that the look-up finds. The mocks check arguments as a plan does: a bad argument
  // fails the test.
  service = await startEmulator({ revisionSeconds: 0 });
  service.addRepositories(integrationId, [{ owner: "acme", name: "support-agent", default_branch: "trunk" }]);
  pulumi.runtime.setAllConfig({ "repositories:integrationId": integrationId });
  await pulumi.runtime.setMocks(mocks({ service }));
  program = require("./index");
});
after(() => service.close());

test("the deployment takes its arguments from the repository that the configuration names", async () => {
  assert.equal(await valueOf(program.branch), "trunk");
  assert.match(String(await valueOf(program.url)), /^https:/);
});

test("the first update makes one revision", async () => {
  assert.match(await valueOf(program.revision), /^[0-9a-f-]{36}:1$/);
});
