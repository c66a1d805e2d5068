/**
 * Checks the page of control calls: it has every control call of the embedded service, and the service accepts the
 * page's examples.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { CONTROL_CALLS } from "../../sdk/emulator/control";
import { created, started } from "../support/embeddedService";

const PAGE = path.join(__dirname, "..", "..", "docs", "reference", "control-calls.md");

const sections = readFileSync(PAGE, "utf8")
  .split("\n## ")
  .slice(1)
  .map((section) => {
    const [, method, place] = /^`(GET|POST) (\S+)`\n/.exec(section) ?? [];
    const [, body] = /^```json\n(.*)\n```$/m.exec(section) ?? [];
    const members = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    return { method, place: place ?? section, body, members };
  });

test("the page has every control call once, in the service's order", () => {
  const calls = CONTROL_CALLS.map(({ method, path: name }) => `${method} /_emulator/${name}`);
  expect(calls.length).toBeGreaterThan(12);
  expect(sections.map(({ method, place }) => `${method} ${place}`)).toEqual(calls);
});

test("the page has a table of each control call's body", () => {
  const rows = CONTROL_CALLS.map((call) => (call.method === "POST" ? Object.keys(call.rows) : []));
  expect(sections.map(({ members }) => members)).toEqual(rows);
});

test.each(sections)(
  "the service accepts $method $place with the body that the page shows",
  async ({ method, place, body }) => {
    const emulator = await started();
    const { id } = await created(emulator);
    const post = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: (body ?? "").replace(/(?<="deploymentId": ")[^"]+/, id),
    };
    expect(body !== undefined).toBe(method === "POST");
    const answer = await fetch(`${emulator.url}${place}`, method === "POST" ? post : {});
    expect({ status: answer.status, text: await answer.text() }).toMatchObject({ status: 200 });
  },
);
