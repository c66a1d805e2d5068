/** Tests plain environment variables and secrets, which are two maps in the program and one list on the service. */
import type { Properties } from "../../../provider/schema/value";
import type { EmulatorOptions } from "../../../sdk/emulator/index";
import { createdDeployment } from "../../support/createdDeployment";
import { failureOf, provided, sessionOn, chat as withoutPlain } from "../../support/providerRun";
import { createDeployment, deployment, updateDeployment } from "../../support/resourceCalls";

const SECRET = "token-secret-value";
const chat = { ...withoutPlain, environment: { LOG_LEVEL: "info" } };

async function running(options: EmulatorOptions = {}, args: Properties = chat) {
  const { profile = "contract" } = options;
  const created = await createdDeployment(forProfile(args, profile), options);
  const { emulator, id, stored, outputs } = created;
  const variables = () =>
    Object.fromEntries((stored()?.secrets ?? []).map(({ name, value }) => [name, value]));
  const plan = async (news: Properties, state: Properties = outputs) => {
    const { planned, told, warnings } = await created.plan(forProfile(news, profile), state);
    const lines = told.filter((words) => words.startsWith("info")).join();
    return { planned, lines, warnings: warnings() };
  };
  /** Applies the arguments; returns the outputs, and the number of writes and of new revisions. */
  const up = async (news: Properties, state: Properties = outputs) => {
    const { planned } = await plan(news, state);
    const before = stored()?.revisions.length ?? 0;
    emulator.requests.length = 0;
    const after = await updateDeployment(created.later().session, id, state, planned);
    return { after, writes: created.writes().length, revisions: (stored()?.revisions.length ?? 0) - before };
  };
  const refresh = async (state: Properties = outputs) => {
    const { outputs: refreshed = {}, inputs, warnings } = await created.refresh(state);
    return { state: refreshed, inputs, warnings: warnings() };
  };
  const change = (values: { [name: string]: string }) =>
    emulator.change(id, {
      secrets: Object.entries({ ...variables(), ...values }).map(([name, value]) => ({ name, value })),
    });
  return { emulator, id, outputs, variables, plan, up, refresh, change };
}

const forProfile = (args: Properties, profile: string): Properties =>
  profile === "langsmith"
    ? { ...args, sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" } }
    : args;

const shows = { secretsInResponses: "echoed" } as const;

test.each([
  ["contract", "may create a new revision"],
  ["langsmith", "creates a new revision"],
] as const)("under %s, a changed value %s, and the line shows the change", async (profile, words) => {
  const { plan, up, variables } = await running({ profile });
  const news = { ...chat, environment: { LOG_LEVEL: "debug" } };
  const { lines, planned, warnings } = await plan(news);
  expect(lines).toContain(`${words} (environment.LOG_LEVEL info -> debug)`);
  expect(warnings).toEqual([]);
  expect(planned).toMatchObject({ revisionGeneration: 2, secretGenerations: { TOKEN: 1 } });
  expect(await up(news)).toMatchObject({ writes: 1, revisions: 1 });
  expect(variables()).toEqual({ LOG_LEVEL: "debug", TOKEN: SECRET });
});

describe.each(["contract", "langsmith"] as const)("moves of a variable under %s", (profile) => {
  test("a move from secrets to environment with the same value sends nothing, and the line says that the value is now readable", async () => {
    const { plan, up, variables } = await running({ profile });
    const news = { ...chat, secrets: undefined, environment: { LOG_LEVEL: "info", TOKEN: SECRET } };
    const { lines, planned } = await plan(news);
    expect(lines).toContain(
      "updates in place, no new revision (environment.TOKEN now readable, its value stays)",
    );
    expect(planned.revisionGeneration).toBe(1);
    expect(planned).not.toHaveProperty("secretGenerations");
    const { after, writes } = await up(news);
    expect(writes).toBe(0);
    expect(after.environment).toEqual(news.environment);
    expect((await plan(news, after)).lines).toBe("");
    expect(variables()).toEqual({ LOG_LEVEL: "info", TOKEN: SECRET });
  });

  test("a move from environment to secrets with the same value sends nothing, and the line says that the value is no longer readable", async () => {
    const { plan, up } = await running({ profile });
    const news = { ...withoutPlain, secrets: { TOKEN: SECRET, LOG_LEVEL: "info" } };
    const { lines, planned } = await plan(news);
    expect(lines).toContain(
      "updates in place, no new revision (secret LOG_LEVEL no longer readable, its value stays)",
    );
    expect(planned).toMatchObject({ revisionGeneration: 1, secretGenerations: { LOG_LEVEL: 1, TOKEN: 1 } });
    expect((await up(news)).writes).toBe(0);
  });

  test("a move from secrets to environment with a different value is one change, and the line does not show the old secret", async () => {
    const { plan, up, variables } = await running({ profile });
    const news = { ...chat, secrets: undefined, environment: { TOKEN: "open" } };
    const { lines } = await plan(news);
    expect(lines).toContain("environment.TOKEN (secret) -> open");
    expect(lines).not.toMatch(/secret TOKEN|token-secret/);
    expect((await up(news)).writes).toBe(1);
    expect(variables()).toEqual({ TOKEN: "open" });
  });
});

test.each([
  [
    { secrets: { LOG_LEVEL: "info" } },
    "environment.LOG_LEVEL: is in secrets too. Take it out of one of them",
  ],
  [
    { source: "external_docker", secretReferences: { LOG_LEVEL: { secretName: "a", secretKey: "b" } } },
    "environment.LOG_LEVEL: is in secretReferences too. Take it out of one of them",
  ],
  [
    { source: "external_docker", secretReferences: { TOKEN: { secretName: "a", secretKey: "b" } } },
    "secrets.TOKEN: is in secretReferences too. Take it out of one of them",
  ],
  [
    { rollout: { wait: false, onFailure: "restore" } },
    'rollout.onFailure: got "restore", but with wait: false no update sees the failure',
  ],
  [{ environment: { PORT: 8080 } }, "environment.PORT: got 8080 (a number); allowed: a string"],
])("the arguments %j are refused", async (bad, words) => {
  const { session } = await provided();
  const { failures } = await deployment.check(session, undefined, { ...chat, ...bad });
  expect(failures.map(({ path, words: fault }) => `${path.join(".")}: ${fault}`)).toEqual([
    expect.stringContaining(words),
  ]);
});

test("an empty map equals a missing map", async () => {
  const { session } = await provided();
  const { inputs } = await deployment.check(session, undefined, { ...withoutPlain, environment: {} });
  expect(inputs).not.toHaveProperty("environment");
});

test("if the service cannot remove the last variable, the plan says that the variable stays", async () => {
  const { plan, up, variables } = await running({ profile: "langsmith" });
  const { lines, warnings } = await plan(forProfile({ ...withoutPlain, secrets: undefined }, "langsmith"));
  expect(lines).toContain("environment.LOG_LEVEL no longer managed, the service keeps info");
  expect(warnings.join()).toContain("secrets.TOKEN, environment.LOG_LEVEL");
  const { after } = await up({ ...withoutPlain, secrets: undefined });
  expect(Object.keys(variables())).toHaveLength(2);
  // While the program has one of the two maps, the list on the service is not empty, so the service can remove a
  // variable of the other map.
  const { lines: linesAfterRemoval } = await plan({
    ...withoutPlain,
    secrets: undefined,
    environment: chat.environment,
  });
  expect(linesAfterRemoval).toContain("creates a new revision (secret TOKEN removed)");
  expect(after).not.toHaveProperty("environment");
});

describe("drift", () => {
  test("a refresh reads a user's change to a declared plain variable, but never the value of an undeclared variable", async () => {
    const { change, refresh, plan } = await running({ profile: "langsmith", ...shows });
    change({ LOG_LEVEL: "by-hand", OTHER: "canary-undeclared" });
    const { state, inputs } = await refresh();
    expect(state.environment).toEqual({ LOG_LEVEL: "by-hand" });
    expect(inputs?.environment).toEqual({ LOG_LEVEL: "by-hand" });
    expect(JSON.stringify([state, inputs])).not.toContain("canary-undeclared");
    expect((await plan(chat, state)).lines).toContain("environment.LOG_LEVEL by-hand -> info");
  });

  test("a refresh warns about a secret that a user changed, and the next update sets the secret again and shows neither value", async () => {
    const { change, refresh, plan, up, variables, outputs } = await running({
      profile: "langsmith",
      ...shows,
    });
    change({ TOKEN: "canary-by-hand" });
    const { state, inputs, warnings } = await refresh();
    expect(warnings.join()).toContain("secret TOKEN has another value on the service");
    expect(state).toMatchObject({ secrets: {}, secretGenerations: { TOKEN: 1 } });
    expect(inputs).toMatchObject({ secrets: {}, secretGenerations: { TOKEN: 1 } });
    const { lines, planned } = await plan(chat, state);
    expect(lines).toContain(
      "creates a new revision (secret TOKEN set again, since its value differs on the service)",
    );
    expect(planned).toMatchObject({ revisionGeneration: 2, secretGenerations: { TOKEN: 2 } });
    const again = await refresh(state);
    expect(again.warnings).toEqual([]);
    expect(JSON.stringify([state, inputs, warnings, lines, again])).not.toContain("canary");
    const { after } = await up(chat, state);
    expect(variables().TOKEN).toBe(SECRET);
    expect(after.secrets).toEqual(outputs.secrets);
    expect((await refresh(after)).warnings).toEqual([]);
  });

  test.each([
    ["the value on the service", "by-hand"],
    ["the value from before", SECRET],
  ])(
    "a secret that a user changed is set again and no longer drifts if the program gives the secret %s",
    async (_, value) => {
      const { change, refresh, plan, up, variables } = await running({ profile: "langsmith", ...shows });
      change({ TOKEN: "by-hand" });
      const { state } = await refresh();
      const news = { ...chat, secrets: { TOKEN: value } };
      const { after, writes } = await up(news, state);
      expect([writes, variables().TOKEN]).toEqual([1, value]);
      expect((await plan(news, after)).lines).toBe("");
      expect((await refresh(after)).warnings).toEqual([]);
    },
  );

  test("the plan is refused if a user changed a secret that the program no longer sets, because ignoreChanges would look the same to the provider", async () => {
    const { change, refresh, plan, variables } = await running({ profile: "langsmith", ...shows });
    change({ TOKEN: "canary-by-hand" });
    const { state } = await refresh();
    const { message } = await failureOf(plan({ ...chat, secrets: {} }, state));
    expect(message).toContain("would remove secrets.TOKEN, whose value somebody changed on the service");
    expect(message).not.toContain("canary");
    expect(variables()).toHaveProperty("TOKEN");
  });

  test.each(["masked", "named", "hidden"] as const)(
    "changed values are not drift if variables are %s in answers",
    async (secretsInResponses) => {
      const { change, refresh, outputs } = await running({ profile: "langsmith", secretsInResponses });
      change({ TOKEN: "another", LOG_LEVEL: "another" });
      const { state, inputs, warnings } = await refresh();
      expect([state.secrets, state.environment]).toEqual([outputs.secrets, outputs.environment]);
      expect(inputs).toBeUndefined();
      expect(warnings).toEqual([]);
    },
  );

  test.each([
    ["••••••••", "two"],
    ["sk-…wxyz", "two"],
    ["xxxxxxxx", "two"],
    ["[hidden]", "two"],
    ["the same", "the same"],
  ])("a refresh treats %j as a mask, not as another value of the secret", async (mask, other) => {
    const { change, refresh } = await running(
      { profile: "langsmith", ...shows },
      {
        ...withoutPlain,
        secrets: { TOKEN: SECRET, OTHER: "two" },
      },
    );
    change({ TOKEN: mask, OTHER: other });
    expect((await refresh()).warnings).toEqual([]);
  });
});

describe("adoption", () => {
  const adopting = async (options: EmulatorOptions, args: Properties) => {
    const existing = await running(options, { ...withoutPlain, environment: { LOG_LEVEL: "info" } });
    const run = sessionOn(existing.emulator, { profile: "langsmith" });
    const news = { ...forProfile(args, "langsmith"), name: "chat", adopt: true };
    const work = async () => {
      await deployment.check(run.session, undefined, news);
      return createDeployment(run.session, news);
    };
    return { ...existing, run, work };
  };
  const plain = {
    ...withoutPlain,
    secrets: undefined,
    secretGenerations: undefined,
    environment: { LOG_LEVEL: "info" },
  };

  test("an adoption of plain values that the service shows changes nothing, and keeps the service's secrets", async () => {
    const { run, work, variables } = await adopting({ profile: "langsmith", ...shows }, plain);
    const { outputs } = await work();
    expect(run.told.join()).toContain("nothing in it changes");
    expect(outputs).toMatchObject({ environment: { LOG_LEVEL: "info" }, __observed: { secrets: ["TOKEN"] } });
    expect(variables()).toEqual({ LOG_LEVEL: "info", TOKEN: SECRET });
  });
});

// In the next tests, a user has added foreign secrets on the service. A change to the program's secrets removes them.

const BY_HAND = { name: "BY_HAND", value: "sk-added-by-hand" };
const LOST =
  "sending its secrets removes variables that the program does not set: BY_HAND. To keep one, set it in secrets or environment";
const STAYS =
  "the service has secrets that the program does not set: BY_HAND. The next change of its secrets removes them; to keep one, set it in secrets or environment";
const scaled = { ...withoutPlain, sourceConfig: { buildOnPush: false } };

async function withForeignSecret(inputs: Properties = withoutPlain) {
  const created = await createdDeployment(inputs);
  const { emulator, id, stored } = created;
  emulator.change(id, { secrets: [...(stored()?.secrets ?? []), BY_HAND] });
  return created;
}

const rotated = { ...withoutPlain, secrets: { TOKEN: "rotated-secret-value" } };

test("a refresh warns about a foreign secret, and the plan says which change would remove the secret", async () => {
  const { refresh, plan } = await withForeignSecret();
  const { outputs, warnings: refreshWarnings } = await refresh();
  expect(refreshWarnings()).toEqual([expect.stringContaining(STAYS)]);
  expect((await plan(withoutPlain, outputs)).told).toEqual([]);
  expect((await plan(scaled, outputs)).warnings()).toEqual([]);
  const { told, warnings } = await plan(rotated, outputs);
  expect(told.join()).toContain("secret BY_HAND removed, which the program does not set");
  expect(warnings()).toEqual([expect.stringContaining(LOST)]);
});

test("an update in place also records a foreign secret, so the next plan warns about the secret without a refresh", async () => {
  const { update, stored, plan } = await withForeignSecret();
  const after = await update(scaled);
  expect(stored()?.secrets).toContainEqual(BY_HAND);
  const { warnings } = await plan({ ...rotated, sourceConfig: scaled.sourceConfig }, after);
  expect(warnings()).toEqual([expect.stringContaining(LOST)]);
});

test("if the program begins to declare a foreign secret, the plan says that the secret is added", async () => {
  const { refresh, plan } = await withForeignSecret();
  const news = { ...withoutPlain, secrets: { ...withoutPlain.secrets, BY_HAND: BY_HAND.value } };
  const { told, warnings } = await plan(news, (await refresh()).outputs);
  expect(told.join()).toContain("secret BY_HAND added");
  expect(warnings()).toEqual([]);
});

test("an update refuses to set a variable again that another tool has removed, and the plan after a refresh shows it", async () => {
  const { emulator, id, up, refresh, plan, variables } = await running({ profile: "langsmith" });
  emulator.change(id, { secrets: [{ name: "TOKEN", value: SECRET }] });
  const news = { ...chat, secrets: { TOKEN: "rotated-secret-value" } };
  expect((await failureOf(up(news))).message).toContain("this plan did not compare: LOG_LEVEL. Run");
  const { state } = await refresh();
  expect((await plan(news, state)).lines).toContain("environment.LOG_LEVEL");
  await up(news, state);
  expect(variables()).toEqual({ LOG_LEVEL: "info", TOKEN: "rotated-secret-value" });
});

test("a foreign secret stays while the program has no variables, and the program's first variable removes the secret", async () => {
  const bare = { ...withoutPlain, secrets: undefined, secretGenerations: undefined };
  const { refresh, plan, update, stored } = await withForeignSecret(bare);
  const { outputs, warnings } = await refresh();
  expect(warnings()).toEqual([]);
  expect((await plan(bare, outputs)).told).toEqual([]);
  const plain = { ...bare, environment: { LOG_LEVEL: "info" } };
  for (const news of [rotated, plain])
    expect((await plan(news, outputs)).warnings()).toEqual([expect.stringContaining(LOST)]);
  await update(plain, outputs);
  expect(stored()?.secrets).toEqual([{ name: "LOG_LEVEL", value: "info" }]);
});

test.each(["contract", "langsmith"] as const)(
  "under %s, an update refuses to remove a variable that no plan has named, and the plan after a refresh names the variable",
  async (profile) => {
    const { emulator, id, up, refresh, plan, variables } = await running({ profile });
    emulator.change(id, {
      secrets: [...Object.entries(variables()).map(([name, value]) => ({ name, value })), BY_HAND],
    });
    const news = { ...chat, secrets: { TOKEN: "rotated-secret-value" } };
    const { message } = await failureOf(up(news));
    expect(message).toContain(
      "another tool has changed variables that this plan did not compare: BY_HAND. Run `pulumi refresh`",
    );
    expect(variables()).toMatchObject({ TOKEN: SECRET, BY_HAND: BY_HAND.value });
    const { state } = await refresh();
    expect((await plan(news, state)).lines).toContain(
      "secret BY_HAND removed, which the program does not set",
    );
    await up(news, state);
    expect(variables()).toEqual({ LOG_LEVEL: "info", TOKEN: "rotated-secret-value" });
  },
);

test("an update of one variable refuses to undo another tool's change of a variable whose value the service shows", async () => {
  const { change, up, variables } = await running({ profile: "langsmith", ...shows });
  change({ TOKEN: "rotated-by-another-tool" });
  const { message } = await failureOf(up({ ...chat, environment: { LOG_LEVEL: "debug" } }));
  expect(message).toContain("did not compare: TOKEN. Run `pulumi refresh`");
  expect(variables()).toEqual({ LOG_LEVEL: "info", TOKEN: "rotated-by-another-tool" });
});

test("if the service keeps a variable after the program drops all variables, the plan that removes this variable shows its name", async () => {
  const { plan, up, variables } = await running({ profile: "langsmith" }, withoutPlain);
  const { after } = await up({ ...withoutPlain, secrets: {} });
  expect(variables()).toEqual({ TOKEN: SECRET });
  const news = { ...withoutPlain, secrets: { EXTRA: "extra-secret-value" } };
  expect((await plan(news, after)).lines).toContain("secret TOKEN removed, which the program does not set");
  await up(news, after);
  expect(variables()).toEqual({ EXTRA: "extra-secret-value" });
});

const reference = (secretKey: string) => ({ secretName: "keys", secretKey });
const onKubernetes = (secretReferences: Properties) => ({
  ...withoutPlain,
  source: "external_docker",
  sourceConfig: { customUrl: "https://chat.example.test" },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.0.0" },
  secrets: undefined,
  secretGenerations: undefined,
  secretReferences,
});

test.each(["contract", "langsmith"] as const)(
  "under %s, an update refuses to remove a secret reference that only the service has",
  async (profile) => {
    const created = await createdDeployment(onKubernetes({ A: reference("a") }), { profile });
    const { emulator, id, stored, update } = created;
    const added = { name: "OTHER", value: { secret_name: "keys", secret_key: "other" } };
    emulator.change(id, { secret_references: [...(stored()?.secret_references ?? []), added] as never });
    const before = stored()?.secret_references;
    const { message } = await failureOf(update(onKubernetes({ A: reference("a"), B: reference("b") })));
    expect(message).toContain(
      "would remove secret references that the program does not set: OTHER. Set them",
    );
    expect(stored()?.secret_references).toEqual(before);
  },
);

test.each(["contract", "langsmith"] as const)(
  "under %s, an update of one secret reference refuses to undo another tool's change of a second reference",
  async (profile) => {
    const both = { A: reference("a"), B: reference("b") };
    const { emulator, id, stored, update } = await createdDeployment(onKubernetes(both), { profile });
    const [a, b] = stored()?.secret_references ?? [];
    const rotated = { ...b, secret_key: "rotated" };
    emulator.change(id, { secret_references: [a, rotated] as never });
    const { message } = await failureOf(update(onKubernetes({ ...both, A: reference("next") })));
    expect(message).toContain(
      "settings that this plan did not compare: secretReferences.B. Run `pulumi refresh`",
    );
    expect(stored()?.secret_references).toEqual([a, rotated]);
  },
);

test("under langsmith, a program can remove its last secret reference", async () => {
  const { stored, update } = await createdDeployment(onKubernetes({ A: reference("a") }), {
    profile: "langsmith",
  });
  await update(onKubernetes({}));
  expect(stored()?.secret_references).toEqual([]);
});
