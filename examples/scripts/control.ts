/** A script without Pulumi: the name of every deployment, with the status of its newest revision. */
import { ControlClient } from "pulumi-deployment-control/client";

export async function overview(baseUrl: string, apiKey: string): Promise<string[]> {
  const client = new ControlClient({ baseUrl, apiKey });
  const lines: string[] = [];
  // The loop reads the list page by page.
  for await (const { id, name } of client.listDeployments({ status: "READY" })) {
    const [newest] = await client.listRevisions(id, { limit: 1 });
    lines.push(`${name}: ${newest?.status ?? "no revision"}`);
  }
  await client.close();
  return lines;
}
