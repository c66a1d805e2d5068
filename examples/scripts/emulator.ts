/** Uses the embedded service as a test does, and shows how a script sees a failed revision. */
import { ControlClient } from "pulumi-deployment-control/client";
import { startEmulator } from "pulumi-deployment-control/emulator";

export async function failedRevision(): Promise<string | undefined> {
  const emulator = await startEmulator({ hosting: "self-hosted", revisionSeconds: 0 });
  try {
    emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
    const client = new ControlClient({ baseUrl: emulator.url });
    const { id } = await client.createDeployment({
      name: "chat",
      source: "external_docker",
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.0.0" },
    });
    const [newest] = await client.listRevisions(id);
    return newest?.status;
  } finally {
    await emulator.close();
  }
}
