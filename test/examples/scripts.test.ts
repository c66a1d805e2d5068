/** Runs the scripts in `examples/scripts`, which the reference shows. */
import * as pulumi from "@pulumi/pulumi";
import { ControlClient } from "pulumi-deployment-control/client";
import { mocks } from "pulumi-deployment-control/testing";
import { overview } from "../../examples/scripts/control";
import { failedRevision } from "../../examples/scripts/emulator";
import { ask } from "../../examples/scripts/runtime";
import { started } from "../support/embeddedService";

const KEY = "key-of-the-tests";
const DEPLOYMENT = "9d2c7a54-2f0e-4f3b-8f57-0a6a5de2c111";
const INTEGRATION = "5b0cbb6c-3c4e-4f7b-9d1e-6a2f0c1d7e42";

async function serviceWithChat() {
  const emulator = await started({ apiKey: KEY, hosting: "self-hosted", revisionSeconds: 0 });
  const client = new ControlClient({ baseUrl: emulator.url, apiKey: KEY });
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
  pulumi.runtime.setAllConfig({ "scripts:deploymentId": DEPLOYMENT, "scripts:integrationId": INTEGRATION });
  const repository = { hostIntegrationId: INTEGRATION, id: 1, owner: "acme", name: "support-agent" };
  await pulumi.runtime.setMocks(
    mocks({
      deployments: [
        {
          id: DEPLOYMENT,
          name: "chat",
          status: "READY",
          revisions: [
            { id: "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21", status: "DEPLOYED" },
            { id: "6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d10", status: "BUILD_FAILED" },
          ],
        },
      ],
      listeners: [
        { id: "0e2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b2f", computeType: "k8s", computeId: "production" },
      ],
      repositories: [
        { ...repository, url: "https://repohost.example.com/acme/support-agent", defaultBranch: "trunk" },
      ],
    }),
  );
  const lookUps =
    require("../../examples/scripts/lookUps") as typeof import("../../examples/scripts/lookUps");
  expect(await lookUps.running).toEqual(["chat"]);
  expect(await lookUps.clusters).toEqual(["production"]);
  expect(await lookUps.branch).toBe("trunk");
  const failures = await new Promise<readonly { status: string }[]>((resolve) =>
    lookUps.failures.apply(resolve),
  );
  expect(failures.map(({ status }) => status)).toEqual(["BUILD_FAILED"]);
});
