/** Tests the life cycle of the resources that tables define: listeners and token metadata. */
import type { Properties } from "../../../provider/schema/value";
import { failureOf, provided, sessionOn } from "../../support/providerRun";
import { listener, refreshed, tokenMetadata } from "../../support/resourceCalls";

const urn = (type: string, name: string) =>
  `urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:${type}::${name}`;
const cluster = (args: Properties = {}) => ({
  __urn: urn("Listener", "cluster"),
  computeType: "k8s",
  computeId: "cluster-1",
  ...args,
});
const token = (args: Properties = {}) => ({ __urn: urn("TokenMetadata", "ci"), tokenId: "token", ...args });
const OWNER = "key-of-the-owner";

async function listening(profile: "contract" | "langsmith" = "contract") {
  const run = await provided({ profile });
  const { id } = run.emulator.addListener({
    compute_id: "cluster-1",
    compute_config: { k8s_namespaces: ["a"] },
    version: "7",
  });
  const patches = () =>
    run.emulator.requests.splice(0).flatMap(({ method, body }) => (method === "PATCH" ? [body] : []));
  return { ...run, id, patches };
}

async function owning() {
  const run = await provided({ apiKey: OWNER }, { apiKey: OWNER, allowInsecure: "true" });
  run.emulator.addToken({ id: "token", owner: OWNER });
  return run;
}

test("a creation takes over an existing resource, and patches only managed fields that differ", async () => {
  const { session, id, patches, told } = await listening();
  expect((await listener.create(session, cluster())).id).toBe(id);
  expect(told.at(-1)).toContain(`takes over the existing listener ${id}`);
  expect(patches()).toEqual([]);
  await listener.create(session, cluster({ computeConfig: { k8sNamespaces: ["a"] }, version: "8" }));
  expect(patches()).toEqual([{ version: "8" }]);
});

test("the service keeps a version that the program no longer sets, because no PATCH can clear a version", async () => {
  const { session, patches } = await listening();
  const { id, outputs } = await listener.create(session, cluster({ version: "8" }));
  patches();
  const after = await listener.update(session, id, outputs, cluster());
  expect(after).not.toHaveProperty("version");
  expect(patches()).toEqual([]);
});

test("two resources of a program cannot take over the same listener", async () => {
  const { session, id, patches } = await listening();
  await listener.create(session, cluster());
  const other = cluster({ __urn: urn("Listener", "other"), version: "8" });
  const operations = [() => listener.check(session, undefined, other), () => listener.create(session, other)];
  for (const operation of operations)
    expect((await failureOf(operation())).message).toContain(
      `the listener ${id} is managed by "cluster" of this program already`,
    );
  expect(patches()).toEqual([]);
});

test("a creation reports a take-over only if the plan did not already announce it", async () => {
  const { emulator, session, id, told } = await listening();
  const line = `takes over the existing listener ${id}; updates in place (version 7 -> 8)`;
  const args = cluster({ version: "8" });
  await listener.check(session, undefined, args);
  expect(told).toEqual([expect.stringContaining(line)]);
  const withoutPlan = sessionOn(emulator);
  await listener.create(withoutPlan.session, args);
  expect(withoutPlan.told).toEqual([expect.stringContaining(line)]);
  told.length = 0;
  await listener.create(session, args);
  expect(told).toEqual([]);
});

test("an update sends the changed fields, or sends nothing if it changes only arguments that no request carries", async () => {
  const { session, id, patches } = await listening();
  const { outputs } = await listener.create(session, cluster({ computeConfig: { k8sNamespaces: ["a"] } }));
  patches();
  const wider = cluster({ computeConfig: { k8sNamespaces: ["a", "b"] } });
  const after = await listener.update(session, id, outputs, wider);
  expect(patches()).toEqual([{ compute_config: { k8s_namespaces: ["a", "b"] } }]);
  expect(await listener.update(session, id, after, { ...wider, onDestroy: "fail" })).toMatchObject({
    computeId: "cluster-1",
    onDestroy: "fail",
  });
  expect(patches()).toEqual([]);
});

test("an update is refused if it would undo another tool's change, and passes if the service already has its value", async () => {
  const { emulator, session, id, patches } = await listening();
  const spaces = (...k8sNamespaces: string[]) => cluster({ computeConfig: { k8sNamespaces } });
  const { outputs } = await listener.create(session, spaces("a"));
  await fetch(`${emulator.url}/v2/listeners/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ compute_config: { k8s_namespaces: ["a", "pay"] } }),
  });
  patches();
  const error = await failureOf(listener.update(session, id, outputs, spaces("a", "b")));
  expect(error.message).toContain(
    "another tool has changed computeConfig.k8sNamespaces, which this plan did not compare. Run `pulumi refresh`",
  );
  expect(patches()).toEqual([]);
  await listener.update(session, id, outputs, { ...spaces("a"), version: "8" });
  await listener.update(session, id, outputs, spaces("a", "pay"));
  expect(patches()).toHaveLength(2);
});

test("onDestroy: delete is refused if the service cannot delete the resource", async () => {
  const deletes = cluster({ onDestroy: "delete" });
  const failures = async (profile: "contract" | "langsmith") =>
    (await listener.check((await listening(profile)).session, undefined, deletes)).failures;
  expect(await failures("contract")).toEqual([
    { path: ["onDestroy"], words: expect.stringContaining('got "delete"') },
  ]);
  expect(await failures("langsmith")).toEqual([]);
});

test("a refresh records the drift of managed fields only", async () => {
  const { emulator, session, id } = await listening();
  const { outputs } = await listener.create(session, cluster({ computeConfig: { k8sNamespaces: ["a"] } }));
  await fetch(`${emulator.url}/v2/listeners/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ compute_config: { k8s_namespaces: ["b"] }, version: "9" }),
  });
  const read = await listener.read(session, id, outputs);
  expect(read.inputs).toEqual({
    ...cluster({ computeConfig: { k8sNamespaces: ["b"] } }),
    __plan: refreshed("contract"),
  });
});

test("`get` of a missing resource is an error, but a managed resource that is missing counts as gone", async () => {
  const { session, id } = await listening();
  const missingId = "00000000-0000-4000-8000-000000000000";
  const error = await failureOf(listener.read(session, missingId, { __get: true }));
  expect(error.message).toContain(`has no listener with the id ${missingId}`);
  expect(error.message).toContain("Listener.get");
  expect(await listener.read(session, missingId, cluster())).toEqual({ id: undefined });
  expect(await listener.read(session, id, { __get: true })).toMatchObject({ id });
});

test("if a forced replacement takes over the old listener, the deletion of that listener fails; the next run then removes only the old state entry", async () => {
  const { emulator, session, id } = await listening();
  const { outputs } = await listener.create(session, cluster());
  const forced = sessionOn(emulator);
  await listener.create(forced.session, cluster());
  const { message } = await failureOf(listener.delete(forced.session, id, outputs));
  expect(message).toContain(`was not replaced: the new one would be the old one, ${id}`);
  const next = sessionOn(emulator);
  await listener.diff(next.session, id, outputs, cluster(), true);
  await listener.delete(next.session, id, outputs);
  expect(next.warnings().join()).toContain("leaves the listener as it is");
});

test("a change to a fixed field replaces the resource, and the plan says what happens to the old resource", async () => {
  const { session, id, told } = await listening();
  const { outputs } = await listener.create(session, cluster());
  const diff = await listener.diff(session, id, outputs, cluster({ computeId: "cluster-2" }), true);
  expect(diff).toMatchObject({ changes: true, replaces: ["computeId"] });
  expect(told.at(-1)).toContain(
    `is replaced (computeId cluster-1 -> cluster-2); the old one stays, id ${id}`,
  );
  const keeping = { ...outputs, onDestroy: "fail" };
  const forbidden = listener.diff(session, id, keeping, cluster({ computeId: "cluster-2" }), true);
  expect((await failureOf(forbidden)).message).toContain(
    'onDestroy is "fail", which forbids the replacement',
  );
});

test.each([
  [undefined, "contract", "leaves the listener as it is on"],
  ["retain", "langsmith", "leaves the listener as it is on"],
  ["fail", "contract", 'onDestroy is "fail"'],
] as const)("a deletion obeys onDestroy: %s under profile %s", async (onDestroy, profile, words) => {
  const { emulator, session: first, id } = await listening(profile);
  const { outputs } = await listener.create(first, cluster({ onDestroy }));
  const { session, warnings } = sessionOn(emulator, { profile });
  const ended = listener.delete(session, id, outputs).then(() => warnings().join());
  expect(await ended.catch(({ message }: Error) => message)).toContain(words);
  expect(emulator.requests.some(({ method }) => method === "DELETE")).toBe(false);
});

test("if the service can delete resources, a deletion with onDestroy `delete` deletes the resource, and succeeds even if the resource is already gone", async () => {
  const { emulator, session } = await provided({ profile: "langsmith" });
  const { id, outputs } = await listener.create(session, cluster({ onDestroy: "delete" }));
  const next = sessionOn(emulator, { profile: "langsmith" });
  next.sent();
  await listener.delete(next.session, id, outputs);
  expect(next.sent()).toEqual(["DELETE /v2/listeners/ID"]);
  await listener.delete(next.session, id, outputs);
  expect(next.warnings()).toEqual([]);
});

test("if the service has no POST, the creation of a missing resource is refused, and the error lists the existing resources", async () => {
  const { session, sent } = await listening();
  const error = await failureOf(listener.create(session, cluster({ computeId: "cluster-2" })));
  expect(error.message).toContain('has no listener with computeType "k8s" and computeId "cluster-2"');
  expect(error.message).toContain("(known: k8s cluster-1)");
  expect(sent().filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test("a PATCH of token metadata also sends unchanged fields, and omits fields that are no longer managed", async () => {
  const { emulator, session } = await owning();
  const args = token({ providerAccountLabel: "CI", isDefault: true });
  const { id, outputs } = await tokenMetadata.create(session, args);
  emulator.requests.length = 0;
  const build = await tokenMetadata.update(session, id, outputs, { ...args, providerAccountLabel: "build" });
  const less = token({ providerAccountLabel: "build" });
  expect(await tokenMetadata.update(session, id, build, less)).toMatchObject({ providerId: "repohost" });
  expect(emulator.requests.map(({ body }) => body)).toEqual([
    { provider_account_label: "build", is_default: true },
  ]);
});

test("token metadata that manages no field sends nothing, reports once that no field is set, and has null outputs", async () => {
  const { session, told, sent } = await owning();
  await tokenMetadata.check(session, undefined, token());
  expect(told).toEqual([expect.stringContaining("neither providerAccountLabel nor isDefault is set")]);
  const { outputs } = await tokenMetadata.create(session, token());
  expect(outputs).toMatchObject({ providerId: null, scopes: null, expiresAt: null });
  await tokenMetadata.check(session, outputs, token());
  expect(told).toHaveLength(1);
  expect(sent()).toEqual([]);
});

test("the deletion of token metadata leaves the label and the default flag as they are, and says so", async () => {
  const { session, warnings, sent } = await owning();
  await tokenMetadata.delete(session, "token", token({ isDefault: true }));
  expect(warnings().join()).toContain("leaves the label and the default flag as they are on");
  expect(sent()).toEqual([]);
});

test("a refresh keeps the recorded state of a resource that the service cannot read", async () => {
  const { session, sent } = await owning();
  const state = token({ isDefault: true, providerId: "repohost" });
  expect(await tokenMetadata.read(session, "token", state)).toMatchObject({ id: "token", outputs: state });
  expect(sent()).toEqual([]);
});

test("if the token is unknown or has another owner, the error says so", async () => {
  const { emulator, session } = await owning();
  const unknownToken = await failureOf(
    tokenMetadata.create(session, token({ tokenId: "none", isDefault: true })),
  );
  expect(unknownToken.message).toContain(`${emulator.url} has no token with the id none`);
  emulator.addToken({ id: "theirs", owner: "key-of-another" });
  const foreignToken = await failureOf(
    tokenMetadata.create(session, token({ tokenId: "theirs", isDefault: true })),
  );
  expect(foreignToken.message).toContain("only the owner of the token theirs may set its metadata");
  expect(`${unknownToken.message}${foreignToken.message}`).not.toContain(OWNER);
});
