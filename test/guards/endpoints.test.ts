/** Checks that every test notices a request of the client or the provider outside the endpoints of its profile. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endpointOf } from "../endpoints/table";
import { takeStrangers } from "../endpoints/watching";
import { ask, started } from "../support/embeddedService";
import { httpTo, json, serving } from "../support/httpServer";

const TESTS = join(__dirname, "..");

/** The two support files that start the services for all tests and watch their requests. */
const STARTERS = ["support/httpServer.ts", "support/embeddedService.ts"];

const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".ts") && !STARTERS.includes(name));

test("no test file with a client or a provider starts a service that is not watched", () => {
  const startingFiles = files.filter((name) => {
    const text = readFileSync(join(TESTS, name), "utf8");
    return (
      /\bstartEmulator\(|from "node:(?:http)"/.test(text) &&
      !/\bwatch\(/.test(text) &&
      /from "[./]+\/(provider\/|sdk\/index"|client\/)/.test(text)
    );
  });
  expect(startingFiles).toEqual([]);
});

test("a request outside the profile is noticed, even if the test deletes the record of the request", async () => {
  const emulator = await started();
  const id = emulator.seed(1)[0] ?? "";
  const http = httpTo(emulator.url);
  const read = { operation: "read deployment", method: "GET", path: `/v2/deployments/${id}` } as const;
  await http.send(read).catch(() => undefined);
  await http.send({ ...read, path: "/v2/deployments" });
  emulator.requests.length = 0;
  expect(takeStrangers()).toEqual([`contract: GET /v2/deployments/${id}`]);
});

test("a request outside the profile is noticed, even on a plain HTTP server", async () => {
  const emulator = await started({ profile: "langsmith" });
  const id = emulator.seed(1)[0] ?? "";
  const read = { operation: "read deployment", method: "GET", path: `/v2/deployments/${id}` } as const;
  await httpTo(emulator.url).send(read);
  expect(takeStrangers()).toEqual([]);
  const { url } = await serving((_, response) => json(response, {}));
  await httpTo(url).send(read);
  expect(takeStrangers()).toEqual([`contract: GET /v2/deployments/${id}`]);
});

test("a request outside the profile is allowed if the test itself sends it", async () => {
  const emulator = await started();
  expect((await ask(emulator, "GET", "/v2/nothing")).status).toBe(404);
  expect(takeStrangers()).toEqual([]);
});

test.each([
  ["contract", "GET", "/v2/deployments", "GET /v2/deployments"],
  ["contract", "GET", "/v2/deployments/1", undefined],
  ["contract", "PATCH", "/v2/deployments/1/revisions", undefined],
  ["contract", "POST", "/threads", "POST /threads"],
  ["contract", "POST", "/runtime/1/threads", "POST /threads"],
  ["contract", "GET", "/v1/integrations/github/1/repos", undefined],
  [
    "langsmith",
    "GET",
    "/v1/integrations/github/1/repos",
    "GET /v1/integrations/github/{integration_id}/repos",
  ],
  ["langsmith", "GET", "/v1/integrations/forge/repohost/1/repos", undefined],
] as const)("under the profile %s, the endpoint of %s %s is %s", (profile, method, path, endpoint) => {
  expect(endpointOf(profile, method, path)).toBe(endpoint);
});
