/**
 * Servers whose answers are chosen by the suite and may be broken. Requests to these servers are still checked against
 * the profile's endpoints.
 */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { watch } from "../../endpoints/watching";

export interface BadServer {
  readonly url: string;
  readonly server: Server;
  close(): Promise<void>;
}

export async function badServer(answer?: RequestListener): Promise<BadServer> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  watch(url, "contract");
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url, server, close };
}
