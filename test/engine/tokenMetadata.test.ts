import type { TokenMetadataArgs } from "../../sdk/index";
import { TokenMetadata } from "../support/engine/form";
import { bodiesOf, sent } from "../support/engine/programs";
import { closeAll, type Run, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

const KEY = "key-of-the-owner";
const owned = { apiKey: KEY };
const environment = { DEPLOYMENT_CONTROL_API_KEY: KEY };

const declares =
  (args: Partial<TokenMetadataArgs> = {}) =>
  () => {
    const { id, providerId, scopes, expiresAt } = new TokenMetadata("ci", { tokenId: "token/1", ...args });
    return { id, providerId, scopes, expiresAt };
  };

const says = (run: Run) => run.diagnostics.map(({ message }) => message);

test("up sets the label and the default flag once; what the service answers are outputs", async () => {
  const emulator = await service(owned);
  emulator.addToken({ id: "token/1", owner: KEY, scopes: ["repo"], expires_at: "2030-01-01T00:00:00Z" });
  const stack = await stackOn(emulator, { environment });
  const preview = await stack.preview(declares({ providerAccountLabel: "CI", isDefault: true }));
  expect([preview.error, sent(preview)]).toEqual([undefined, []]);

  const up = await stack.up(declares({ providerAccountLabel: "CI", isDefault: true }));
  expect(up.error).toBeUndefined();
  expect(sent(up)).toEqual(["PATCH /v2/auth/tokens/token%2F1/metadata"]);
  expect(bodiesOf(up, "PATCH")).toEqual([{ provider_account_label: "CI", is_default: true }]);
  expect(up.outputs).toEqual({
    id: "token/1",
    providerId: "repohost",
    scopes: ["repo"],
    expiresAt: "2030-01-01T00:00:00Z",
  });

  const again = await stack.up(declares({ providerAccountLabel: "CI", isDefault: true }));
  expect([again.steps, sent(again)]).toEqual([{}, []]);
});

test("an update says what it changes, and sends what the program manages; what it no longer manages stays", async () => {
  const emulator = await service(owned);
  emulator.addToken({ id: "token/1", owner: KEY });
  const stack = await stackOn(emulator, { environment });
  await stack.up(declares({ providerAccountLabel: "CI", isDefault: true }));
  const up = await stack.up(declares({ providerAccountLabel: "build", isDefault: true }));
  expect(says(up)).toContain('token metadata "ci": updates in place (providerAccountLabel CI -> build)');
  expect(bodiesOf(up, "PATCH")).toEqual([{ provider_account_label: "build", is_default: true }]);

  const less = await stack.up(declares({ providerAccountLabel: "build" }));
  expect(says(less)).toContain(
    'token metadata "ci": updates in place (isDefault no longer managed, the service keeps true)',
  );
  expect(sent(less)).toEqual([]);
  expect((await stack.recorded("ci")).outputs.providerId).toBe("repohost");
});

test("without a label and a flag nothing is sent, and the plan says so", async () => {
  const emulator = await service(owned);
  emulator.addToken({ id: "token/1", owner: KEY });
  const stack = await stackOn(emulator, { environment });
  const up = await stack.up(declares());
  expect([up.error, sent(up)]).toEqual([undefined, []]);
  expect(up.outputs).toEqual({ id: "token/1", providerId: null, scopes: null, expiresAt: null });
  expect(says(up)).toContain(
    'token metadata "ci": neither providerAccountLabel nor isDefault is given, so nothing is sent and nothing is known of the token',
  );
  expect((await stack.up(declares())).steps).toEqual({});

  const labelled = await stack.up(declares({ providerAccountLabel: "CI" }));
  expect(bodiesOf(labelled, "PATCH")).toEqual([{ provider_account_label: "CI" }]);
  expect(labelled.outputs.providerId).toBe("repohost");
});

test("a refresh keeps the state and asks nothing; destroying leaves the token and says so", async () => {
  const emulator = await service(owned);
  emulator.addToken({ id: "token/1", owner: KEY });
  const stack = await stackOn(emulator, { environment });
  await stack.up(declares({ isDefault: true }));
  const before = await stack.recorded("ci");
  const refresh = await stack.refresh();
  expect(refresh.text).toContain("2 unchanged");
  expect((await stack.recorded("ci")).outputs).toEqual(before.outputs);

  const destroy = await stack.destroy();
  expect(destroy.error).toBeUndefined();
  const warning = destroy.diagnostics.find(({ severity }) => severity === "warning");
  expect(warning?.message).toContain(
    `token metadata "ci": leaves the label and the default flag as they are on ${emulator.url} (token token/1)`,
  );
  expect([...sent(refresh), ...sent(destroy)]).toEqual([]);
});

test("another token is a replacement that leaves the first", async () => {
  const emulator = await service(owned);
  for (const id of ["token/1", "token/2"]) emulator.addToken({ id, owner: KEY });
  const stack = await stackOn(emulator, { environment });
  await stack.up(declares({ isDefault: true }));
  const moved = await stack.up(declares({ tokenId: "token/2", isDefault: true }));
  expect(moved.error).toBeUndefined();
  expect(says(moved)).toContain(
    'token metadata "ci": is replaced (tokenId token/1 -> token/2); the metadata of the token token/1 stays as it is',
  );
  expect(sent(moved)).toEqual(["PATCH /v2/auth/tokens/token%2F2/metadata"]);
  expect(moved.outputs.id).toBe("token/2");
});

test("a key of another owner, and an unknown token, are explained", async () => {
  const emulator = await service(owned);
  emulator.addToken({ id: "token/1", owner: "key-of-another" });
  const stack = await stackOn(emulator, { environment });
  const refused = await stack.up(declares({ isDefault: true }));
  expect(refused.error).toContain("only the owner of the token token/1 may set its metadata");
  expect(refused.error).toContain("the API key is not the owner's");
  const missing = await stack.up(declares({ tokenId: "none", isDefault: true }));
  expect(missing.error).toContain(`${emulator.url} has no token with the id none`);
  for (const { error, text } of [refused, missing]) expect(`${error}${text}`).not.toContain(KEY);
});

test("bad arguments are refused at preview by name, without a request", async () => {
  const emulator = await service(owned);
  const stack = await stackOn(emulator, { environment });
  const preview = await stack.preview(declares({ tokenId: " ", isDefault: "yes", lable: "CI" } as never));
  for (const words of ["tokenId: got", "isDefault: got", "lable: is not an argument"])
    expect(preview.error).toContain(words);
  expect(sent(preview)).toEqual([]);
});
