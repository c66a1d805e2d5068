/** Clients of running deployments. Each client is closed after its test. */
import { RuntimeClient, type RuntimeClientOptions } from "../../provider/client/index";

const clients: RuntimeClient[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

export function clientOf(deploymentUrl: string, options: Partial<RuntimeClientOptions> = {}): RuntimeClient {
  const client = new RuntimeClient({ deploymentUrl, maxRetries: 2, ...options });
  clients.push(client);
  return client;
}
