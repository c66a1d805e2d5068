/** Runs the scripts in `examples/scripts`. The reference shows these scripts. */
import * as pulumi from "@pulumi/pulumi";
import { ControlClient } from "pulumi-deployment-control/client";
import { mocks } from "pulumi-deployment-control/testing";
import { overview } from "../../examples/scripts/control";
import { failedRevision } from "../../examples/scripts/emulator";
import { ask } from "../../examples/scripts/runtime";
import { started } from "../support/embeddedService";

const KEY = "key-of-the-tests";
const INTEGRATION = "5b0cbb6c-3c4e-4f7b-9d1e-6a2f0c1d7e42";

async function serviceWithChat(profile: "contract" | "langsmith" = "contract") {
  const emulator = await started({ apiKey: KEY, hosting: "self-hosted", revisionSeconds: 0, profile });
  const client = new ControlClient({ baseUrl: emulator.url, apiKey: KEY, profile });
  const { id } = await client.createDeployment({
    name: "chat",
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.0.0" },
  });
  await client.close();
  return { emulator, id };
}

test("control.ts lists each deployment with the status of its newest revision", async () => {
  const { emulator } = await serviceWithChat();
  expect(await overview(emulator.url, KEY)).toEqual(["chat: DEPLOYED"]);
});

test("runtime.ts asks a question and gets the graph's answer", async () => {
  const { emulator, id } = await serviceWithChat();
  expect(await ask(`${emulator.url}/runtime/${id}`, KEY, "Say hello.")).toContain("Say hello.");
});

test("emulator.ts makes a revision fail", async () => {
  expect(await failedRevision()).toBe("DEPLOY_FAILED");
});

test("the look-ups in lookUps.ts return the data of the service", async () => {
  const { emulator, id } = await serviceWithChat("langsmith");
  emulator.push(id);
  emulator.settle(id, "BUILD_FAILED");
  emulator.addListener({ compute_id: "production" });
  emulator.addRepositories(INTEGRATION, [{ owner: "acme", name: "support-agent", default_branch: "trunk" }]);
  pulumi.runtime.setAllConfig(
    {
      "scripts:deploymentId": id,
      "scripts:integrationId": INTEGRATION,
      "deployment-control:apiKey": KEY,
      "deployment-control:profile": "langsmith",
    },
    ["deployment-control:apiKey"],
  );
  await pulumi.runtime.setMocks(mocks({ service: emulator }));
  const lookUps =
    require("../../examples/scripts/lookUps") as typeof import("../../examples/scripts/lookUps");
  expect(await lookUps.running).toEqual(["chat"]);
  expect(await lookUps.clusters).toEqual(["production"]);
  expect(await lookUps.branch).toBe("trunk");
  expect(await lookUps.integration).toBe(INTEGRATION);
  const failures = await new Promise<readonly { status: string }[]>((resolve) =>
    lookUps.failures.apply(resolve),
  );
  expect(failures.map(({ status }) => status)).toEqual(["BUILD_FAILED"]);
});
