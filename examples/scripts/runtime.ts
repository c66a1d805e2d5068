/** A script without Pulumi: asks a running deployment a question. */
import { RunFailedError, RuntimeClient } from "pulumi-deployment-control/client";

export async function ask(deploymentUrl: string, apiKey: string, question: string): Promise<string> {
  const client = new RuntimeClient({ deploymentUrl, apiKey });
  try {
    const { threadId } = await client.createThread();
    const messages = [{ role: "user", content: question }];
    const { runId } = await client.createRun(threadId, { assistantId: "echo", input: { messages } });
    const { values } = await client.joinRun(threadId, runId);
    return String(values.messages.at(-1)?.content);
  } catch (error) {
    if (error instanceof RunFailedError) return `the run failed: ${error.detail}`;
    throw error;
  } finally {
    await client.close();
  }
}
