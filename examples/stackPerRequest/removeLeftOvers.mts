/**
 * Deletes the deployments that previews of closed pull requests left on the service.
 *
 * Standard input has the numbers of the open pull requests, one per line, after the line "# open". If this line is
 * missing, the command that lists the requests has failed, and the script deletes nothing.
 */
import { text } from "node:stream/consumers";
import { ControlClient, type ControlClientOptions } from "pulumi-deployment-control/client";

const DAY_MS = 24 * 60 * 60 * 1000;

const [title, ...open] = (await text(process.stdin)).split(/\s*\n/);
if (title !== "# open") throw new Error('the list of open pull requests does not begin with "# open"');

const client = new ControlClient({
  baseUrl: process.env.DEPLOYMENT_CONTROL_BASE_URL ?? "",
  apiKey: process.env.DEPLOYMENT_CONTROL_API_KEY,
  profile: process.env.DEPLOYMENT_CONTROL_PROFILE as ControlClientOptions["profile"],
});

for await (const { id, name, status, createdAt = "" } of client.listDeployments()) {
  const [, number] = /^chat-pr-(\d+)$/.exec(name) ?? [];
  if (number === undefined || open.includes(number) || status === "AWAITING_DELETE") continue;
  // A preview that is less than a day old stays until the next night, because its request may be newer than the list.
  if (!(Date.now() - Date.parse(createdAt) > DAY_MS)) continue;
  try {
    await client.deleteDeployment(id);
    console.log(`${name} (${id}): deleted`);
  } catch (error) {
    console.error(`${name} (${id}): stays: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
await client.close();
