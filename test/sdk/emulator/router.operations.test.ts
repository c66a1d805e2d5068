/** Operations of the public service that are not in the contract. */
import { ask, started } from "../../support/embeddedService";

test("a caller can list all of their own tokens, or those of one provider, and never sees the owner's key", async () => {
  const emulator = await started({ profile: "langsmith" });
  emulator.addToken({ id: "mine", owner: "key-1", provider_id: "github" });
  emulator.addToken({ id: "other", owner: "key-2" });
  emulator.addToken({ id: "anybody", provider_id: "slack" });
  const list = async (query = "") =>
    (await ask(emulator, "GET", `/v2/auth/tokens${query}`, undefined, { "x-api-key": "key-1" })).body;
  expect((await list()).map(({ id }: { id: string }) => id)).toEqual(["mine", "anybody"]);
  expect(await list("?provider_id=slack")).toMatchObject([{ id: "anybody", provider_id: "slack" }]);
  expect(JSON.stringify(await list())).not.toContain("key-1");
});
