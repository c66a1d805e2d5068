/** Calls that are not in the contract, and that only some services accept. */
import { BadRequestError, ControlClient } from "../../../provider/client";
import type { Emulator } from "../../../sdk/emulator";
import type { ProfileName } from "../../endpoints/table";
import { started } from "../../support/embeddedService";
import { failureOf } from "../../support/httpServer";

const clients: ControlClient[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

async function clientOf(profile: ProfileName): Promise<{ client: ControlClient; emulator: Emulator }> {
  const emulator = await started({ profile });
  const client = new ControlClient({ baseUrl: emulator.url, profile, maxRetries: 0 });
  clients.push(client);
  return { client, emulator };
}

test.each<[string, (client: ControlClient) => Promise<unknown>]>([
  ["getDeployment", (client) => client.getDeployment("id")],
  ["deleteDeployment", (client) => client.deleteDeployment("id")],
  ["createListener", (client) => client.createListener({ computeType: "k8s", computeId: "one" })],
  ["deleteListener", (client) => client.deleteListener("id")],
])("%s is refused before anything is sent if the profile has no such call", async (call, use) => {
  const { client, emulator } = await clientOf("contract");
  const error = await failureOf(use(client));
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error.message).toContain(`${call}: the service of profile "contract" has no such call`);
  expect(emulator.requests).toEqual([]);
});
