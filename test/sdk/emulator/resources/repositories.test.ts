import { randomUUID } from "node:crypto";
import { ask, started } from "../../../support/embeddedService";

test("the repositories of an integration are listed without pages", async () => {
  const emulator = await started();
  const id = randomUUID();
  emulator.addRepositories(id, [
    { owner: "acme", name: "agent" },
    { owner: "acme", name: "b", default_branch: "trunk" },
  ]);
  const path = `/v1/integrations/forge/repohost/${id}/repos`;
  const { status, body } = await ask(emulator, "GET", path);
  expect(status).toBe(200);
  expect(body[0]).toEqual({
    host_integration_id: id,
    id: 1,
    name: "agent",
    owner: "acme",
    url: "https://repohost.example.test/acme/agent",
    default_branch: "main",
  });
  expect(body[1]).toMatchObject({ id: 2, default_branch: "trunk" });
  expect((await ask(emulator, "GET", `/v1/integrations/forge/repohost/${randomUUID()}/repos`)).status).toBe(
    404,
  );
  expect((await ask(emulator, "GET", "/v1/integrations/forge/repohost/x/repos")).status).toBe(422);
});
