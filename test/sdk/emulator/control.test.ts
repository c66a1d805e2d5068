import { randomUUID } from "node:crypto";
import { startEmulator } from "../../../sdk/emulator";
import { agent, ask, complaints, created, started } from "../../support/embeddedService";

test.each(["0.0.0.0", "::"])(
  "the emulator does not listen on all addresses (%s) unless a key is set",
  async (host) => {
    await expect(startEmulator({ host })).rejects.toThrow("option host: listening on all addresses needs");
    const emulator = await startEmulator({ host, apiKey: "key" });
    await emulator.close();
  },
);

test("an operation that cannot be done is refused, and the error says why", async () => {
  const emulator = await started();
  const { id } = await created(emulator);
  expect(() => emulator.failNext({ kind: "explode" } as never)).toThrow('unknown kind of fault "explode"');
  expect(() => emulator.failNext({ kind: "status", status: "x" } as never)).toThrow("needs a status");
  expect(() => emulator.change(id, { image_verson: "9" })).toThrow("no such field: image_verson");
  expect(() => emulator.push(randomUUID())).toThrow("not found");
  await expect(startEmulator({ pageCap: 0, apiKey: 7 } as never)).rejects.toThrow(
    "option apiKey: got a number (secret, so not shown); allowed: a string that is not empty; option pageCap: got 0 (a number); allowed: an integer of at least 1",
  );
});

const posted = async (body: unknown) => ask(await started(), "POST", "/v2/deployments", body);

const image = { name: "image", source: "external_docker" };

test.each([
  [{ ...image, secrets: [{ name: "A", value: ["hunter2"] }] }, "body.secrets.0.value", "got a list (secret"],
  [{ ...image, secrets: "hunter2" }, "body.secrets", "got a string (secret"],
  [["hunter2"], "body", "got a list (secret"],
])("a refusal of %j shows no secret", async (body, path, words) => {
  const answer = await posted(body);
  expect(complaints(answer)[path]).toContain(words);
  expect(JSON.stringify(answer.body)).not.toContain("hunter2");
});

test("a request's body must be JSON, and must have the content type of JSON", async () => {
  const emulator = await started();
  const send = (body: string, type: string) =>
    ask(emulator, "POST", "/v2/deployments", body, { "Content-Type": type });
  expect((await send("{}", "text/plain")).status).toBe(415);
  expect((await send("{", "application/json")).body.detail[0].type).toBe("json_invalid");
  expect((await send("[]", "application/json")).status).toBe(422);
  expect((await send(JSON.stringify(agent), "application/json; charset=utf-8")).status).toBe(201);
  expect((await ask(emulator, "POST", "/v2/deployments")).status).toBe(422);
});
