import { ask, complaints, started } from "../../../support/embeddedService";

test("only the owner of a token can change its metadata", async () => {
  const emulator = await started();
  emulator.addToken({ id: "token/1", owner: "mine", provider_account_label: "old" });
  const path = "/v2/auth/tokens/token%2F1/metadata";
  const patch = { provider_account_label: "new", is_default: true };
  const patchWith = (key: string, body: object) => ask(emulator, "PATCH", path, body, { "X-Api-Key": key });
  expect((await patchWith("other", patch)).status).toBe(403);
  const { status, body } = await patchWith("mine", patch);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: "token/1",
    provider_id: "repohost",
    ...patch,
    scopes: [],
    expires_at: null,
  });
  expect(body).not.toHaveProperty("owner");
  expect(
    Object.keys(complaints(await patchWith("mine", { id: "x", is_default: "yes", label: 1 }))).sort(),
  ).toEqual(["body.id", "body.is_default", "body.label"]);
  expect((await ask(emulator, "PATCH", "/v2/auth/tokens/none/metadata", patch)).status).toBe(404);
});
