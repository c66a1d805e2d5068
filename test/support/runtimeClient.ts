/** Clients of the control API and of running deployments. Each client is closed after its test. */
import { ControlClient, RuntimeClient, type RuntimeClientOptions } from "../../provider/client/index";

const clients: (ControlClient | RuntimeClient)[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

export function controlClient(options: ConstructorParameters<typeof ControlClient>[0]): ControlClient {
  const client = new ControlClient(options);
  clients.push(client);
  return client;
}

export function clientOf(deploymentUrl: string, options: Partial<RuntimeClientOptions> = {}): RuntimeClient {
  const client = new RuntimeClient({ deploymentUrl, maxRetries: 2, ...options });
  clients.push(client);
  return client;
}
