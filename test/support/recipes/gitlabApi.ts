/** A stand-in for GitLab's API over HTTP. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export const TOKEN = "canary-of-the-token";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/**
 * Starts a stand-in with these answers for one test. Returns the stand-in's URL, and a list to which the stand-in adds
 * each write request with its fields.
 */
export async function gitlab(answers: Readonly<Record<string, unknown>>) {
  const written: [request: string, fields: Readonly<Record<string, string>>][] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (words) => (body += words));
    request.on("end", () => {
      if (request.headers["private-token"] !== TOKEN) return response.writeHead(401).end();
      if (request.method !== "GET") {
        written.push([`${request.method} ${request.url}`, Object.fromEntries(new URLSearchParams(body))]);
        return response.end("{}");
      }
      const answer = answers[request.url ?? ""];
      return answer === undefined ? response.writeHead(500).end() : response.end(JSON.stringify(answer));
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, written };
}
