/** Checks that every test notices a request of the client or the provider outside the endpoints of its profile. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { takeStrangers } from "../endpoints/watching";
import { started } from "../support/embeddedService";
import { httpTo } from "../support/httpServer";

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
