import { RefusedError } from "../../../../provider/failure";
import { type Properties, UNKNOWN } from "../../../../provider/schema/value";
import type { EmulatorOptions } from "../../../../sdk/emulator";
import { createdDeployment } from "../../../support/createdDeployment";
import { chat, failureOf, provided, URN } from "../../../support/providerRun";
import { createDeployment, deployment } from "../../../support/resourceCalls";

const ABSENT = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
/** Arguments without secrets. An adoption sends secrets even if they are equal, because it cannot compare them. */
const { secrets: _, secretGenerations: __, ...open } = chat;

async function existing(options: EmulatorOptions = {}, settings = {}, args: Properties = open) {
  const { emulator, id, later } = await createdDeployment(args, options, settings);
  return { emulator, id, ...later() };
}

const patches = (requests: readonly string[]) => requests.filter((request) => request.startsWith("PATCH"));
const posts = (requests: readonly string[]) => requests.filter((request) => request.startsWith("POST"));

test.each(["by name", "by id", "by id in capitals", "by the configuration"])(
  "the adoption of a deployment that matches the program sends no write (%s)",
  async (how) => {
    const { emulator, id, session, service, told, sent } = await existing(
      {},
      how === "by the configuration" ? { adopt: "true" } : {},
    );
    const adopt = { "by name": true, "by id": id, "by id in capitals": id.toUpperCase() }[how];
    const created = await createDeployment(session, { ...open, ...(adopt === undefined ? {} : { adopt }) });
    expect(created).toMatchObject({
      id,
      outputs: { name: "chat", latestRevisionId: emulator.deployments()[0]?.latest_revision_id },
    });
    expect(sent().every((request) => request.startsWith("GET"))).toBe(true);
    expect(told[0]).toContain(`takes over the existing deployment ${id}`);
    expect(emulator.deployments()).toHaveLength(1);
    expect(service.fleet.keepers.of(id)).toBe(URN);
  },
);

test("an adoption sends all differences in one PATCH, and one line of the apply announces the PATCH", async () => {
  const { emulator, id, session, told, sent } = await existing();
  const args = { ...open, adopt: true, sourceConfig: { buildOnPush: false } };
  const { inputs } = await deployment.check(session, undefined, args);
  const { outputs } = await createDeployment(session, { ...args, ...inputs });
  expect(told.filter((line) => line.includes("takes over"))).toEqual([
    expect.stringContaining(`deployment ${id}; it updates in place, no new revision`),
  ]);
  const body = emulator.requests.find(({ method }) => method === "PATCH")?.body;
  expect(body).toEqual({ source_config: { build_on_push: false } });
  const requests = sent();
  expect([patches(requests).length, posts(requests).length]).toEqual([1, 0]);
  expect(outputs.sourceConfig).toEqual({ buildOnPush: false });
  expect(emulator.deployments()).toMatchObject([
    { id, source_config: { build_on_push: false }, revisions: [{}] },
  ]);
});

test("adopting an unknown id is refused", async () => {
  const { emulator, session, sent } = await provided();
  const error = await failureOf(createDeployment(session, { ...open, adopt: ABSENT }));
  expect(error).toBeInstanceOf(RefusedError);
  expect(error.message).toContain(`adopt: ${emulator.url} has no deployment with the id ${ABSENT}`);
  expect(posts(sent())).toEqual([]);
});

test("adopting a name that two deployments share is refused, and the error names both ids", async () => {
  const { emulator, id, session, sent } = await existing();
  const [namesakeId = ""] = emulator.seed(1);
  emulator.change(namesakeId, { name: "chat" });
  const error = await failureOf(createDeployment(session, { ...open, adopt: true }));
  expect(error.message).toContain('adopt: 2 deployments are named "chat"');
  for (const each of [id, namesakeId]) expect(error.message).toContain(each);
  expect(patches(sent())).toEqual([]);
});

test("an adoption that would remove secrets is refused, the error names the secrets, and nothing is sent", async () => {
  const { id, session, sent } = await existing({}, {}, chat);
  const error = await failureOf(
    createDeployment(session, { ...open, adopt: id, secrets: { OTHER: "other-secret-value" } }),
  );
  expect(error.message).toContain("adopting it would remove them: TOKEN. Add them to secrets or environment");
  expect(error.message).not.toContain("secret-value");
  expect(patches(sent())).toEqual([]);
});

test("an argument that cannot change must match the adopted deployment", async () => {
  const { id, session, sent } = await existing();
  const error = await failureOf(
    createDeployment(session, { ...open, adopt: id, name: "other", source: "internal_source" }),
  );
  expect(error.message).toContain("differs in arguments that cannot be changed");
  expect(error.message).toContain("name chat -> other");
  expect(error.message).toContain("source repohost -> internal_source");
  expect(patches(sent())).toEqual([]);
});

test("an adoption that would make a revision is refused if revisions are forbidden", async () => {
  const { id, session, sent } = await existing({}, { newRevisions: "forbid" });
  const adoptingArgs = { ...open, adopt: id, sourceRevisionConfig: { repoRef: "next" } };
  expect((await failureOf(createDeployment(session, adoptingArgs))).message).toContain('is "forbid"');
  expect(patches(sent())).toEqual([]);
});

test("a deployment that is being deleted is not adopted by its id", async () => {
  const { emulator, id, session } = await existing();
  emulator.change(id, { status: "AWAITING_DELETE" });
  await expect(createDeployment(session, { ...open, adopt: id })).rejects.toThrow("is being deleted");
});

test("the plan of an adoption distinguishes between new secrets and secrets that are set again", async () => {
  for (const [secretsInResponses, happens] of [
    ["masked", "secret TOKEN set again; secret NEW added"],
    ["echoed", "secret TOKEN set again; secret NEW added"],
    ["hidden", "secret TOKEN added; secret NEW added"],
  ] as const) {
    const { emulator, id, session, told } = await existing({ secretsInResponses }, {}, chat);
    const secrets = { TOKEN: "token-secret-value", NEW: "new-secret-value" };
    const adoptingArgs = { ...chat, adopt: id, secrets };
    expect((await deployment.check(session, undefined, adoptingArgs)).failures).toEqual([]);
    for (const words of happens.split("; ")) expect(told.at(-1)).toContain(words);
    const { outputs } = await createDeployment(session, adoptingArgs);
    expect(told.join("\n")).not.toContain("secret-value");
    expect(outputs.secrets).toEqual(secrets);
    const patch = emulator.requests.find(({ method }) => method === "PATCH");
    expect(patch?.body).toEqual({
      secrets: [
        { name: "NEW", value: "new-secret-value" },
        { name: "TOKEN", value: "token-secret-value" },
      ],
    });
  }
});

test("another resource may adopt a deployment that is being replaced", async () => {
  const { id, session } = await existing();
  await deployment.diff(session, id, open, { ...open, name: "other" }, true);
  const { failures } = await deployment.check(session, undefined, {
    ...open,
    __urn: `${URN}-again`,
    adopt: id,
  });
  expect(failures).toEqual([]);
});

describe("while the preview does not know which deployment the creation adopts", () => {
  const checked = async (args: Properties, settings = {}) => {
    const { session, told, sent } = await existing({}, settings);
    sent();
    const check = deployment.check(session, undefined, { ...open, ...args });
    const refusal = await check.then(
      () => undefined,
      ({ message }: Error) => message,
    );
    return { told, refusal, requests: sent() };
  };
  const said = (part: string) => `may create a new revision (adopt: the ${part} is not known yet)`;

  test.each([
    ["the argument and an unknown name", { adopt: true, name: UNKNOWN }, {}, "name"],
    ["the setting and an unknown name", { name: UNKNOWN }, { adopt: "true" }, "name"],
    ["an unknown id", { adopt: UNKNOWN }, {}, "id"],
    ["an unknown id and an unknown name", { adopt: UNKNOWN, name: UNKNOWN }, {}, "id"],
  ])("with %s, one line says that the creation may make a revision", async (_, args, settings, part) => {
    const { told, refusal, requests } = await checked(args, settings);
    expect(told).toEqual([`info ${URN} deployment "chat": ${said(part)}`]);
    expect(refusal).toBeUndefined();
    expect(requests).toEqual([]);
    const remedy = 'Set adopt to an id or false, or newRevisions to "allow" for this run';
    for (const [from, forbids, setting] of [
      ["its argument newRevisions", { newRevisions: "forbid" }, {}],
      ["the configuration's newRevisions", {}, { newRevisions: "forbid" }],
    ] as const) {
      const { refusal } = await checked({ ...args, ...forbids }, { ...settings, ...setting });
      const words = `${from} is "forbid", but this creation ${said(part)}. ${remedy}`;
      expect(refusal).toBe(`deployment "chat": ${words}`);
    }
  });

  test.each([
    ['adopt: "identical", which sends no write,', { adopt: "identical", name: UNKNOWN }],
    ["no adoption", { adopt: false, name: UNKNOWN }],
  ])("with %s no line is shown, and nothing is refused", async (_, args) => {
    const { told, refusal } = await checked({ ...args, newRevisions: "forbid" });
    expect([told, refusal]).toEqual([[], undefined]);
  });

  test("with a known id and an unknown name, the line says what the adoption changes", async () => {
    const { id, session, told } = await existing({}, { newRevisions: "forbid" });
    const args = { ...open, adopt: id, name: UNKNOWN };
    expect((await deployment.check(session, undefined, args)).failures).toEqual([]);
    expect(told.at(-1)).toContain(
      `takes over the existing deployment ${id}; it may be replaced; otherwise it has no changes; replaced if it differs (name chat ->`,
    );
    const changed = { ...args, sourceRevisionConfig: { repoRef: "next" } };
    const error = await failureOf(deployment.check(session, undefined, changed));
    expect(error.message).toMatch(/ is "forbid", but this update creates a new revision \(.*main -> next/);
  });
});
