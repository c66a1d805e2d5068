import { agent, ask, complaints, started } from "../../support/embeddedService";

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

test("a body must be JSON and have JSON's content type", async () => {
  const emulator = await started();
  const send = (body: string, type: string) =>
    ask(emulator, "POST", "/v2/deployments", body, { "Content-Type": type });
  expect((await send("{}", "text/plain")).status).toBe(415);
  expect((await send("{", "application/json")).body.detail[0].type).toBe("json_invalid");
  expect((await send("[]", "application/json")).status).toBe(422);
  expect((await send(JSON.stringify(agent), "application/json; charset=utf-8")).status).toBe(201);
  expect((await ask(emulator, "POST", "/v2/deployments")).status).toBe(422);
});
