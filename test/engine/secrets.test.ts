import * as pulumi from "@pulumi/pulumi";
import { errorsOf, exported, leaksIn, placesOf, watched } from "../support/engine/errorText";
import { Deployment, isPlugin } from "../support/engine/form";
import { declaresOnly, lines } from "../support/engine/programs";
import { service, stackOn, testStack } from "../support/engine/stack";

const FIRST = 'sk-first/one+"1=';
const SECOND = "sk-second\nline%20two";
const COMMAND = "pip install --index https://me:pass-phrase@host.example";
const TRIGGER = "trigger-never-shown";
const LONG = `-----BEGIN KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n".repeat(60)}-----END KEY-----`;
const STRANGER = "sk-of-somebody-else";
const ALL = [FIRST, SECOND, "pass-phrase", TRIGGER, "MIIEvQIBADAN", STRANGER];

test("if the service returns secrets, no secret is written or shown in plaintext, and the plan still names changed secrets", async () => {
  const { emulator, stack } = await testStack({ secretsInResponses: "echoed" });
  const run = watched(stack, ALL);
  const before = {
    secrets: { A: FIRST, B: SECOND },
    sourceConfig: { installCommand: pulumi.secret(COMMAND) },
    revisionTriggers: { t: pulumi.secret(TRIGGER) },
  };
  await run(stack.preview(declaresOnly(before)));
  expect((await run(stack.up(declaresOnly(before)))).error).toBeUndefined();

  const reordered = await run(stack.up(declaresOnly({ ...before, secrets: { B: SECOND, A: FIRST } })));
  expect([reordered.steps, reordered.requests]).toEqual([{}, []]);

  const after = {
    secrets: { B: `${SECOND}, changed`, C: LONG },
    sourceConfig: { installCommand: Promise.resolve(pulumi.secret(`${COMMAND}/other`)) as never },
    revisionTriggers: { t: pulumi.secret(`${TRIGGER}-again`) },
  };
  const plan = await run(stack.preview(declaresOnly(after), { diff: true }));
  expect(lines(plan)).toEqual([
    "creates a new revision (secret A removed; secret B changed; secret C added; revisionTriggers.t changed; in place: sourceConfig.installCommand changed)",
  ]);
  expect(plan.text).toMatch(/secretGenerations +: \{\s+- A: 1\s+~ B: 1 => 2\s+\+ C: 1\s+\}/);

  const echo = [
    `${SECOND}, changed`,
    encodeURIComponent(`${COMMAND}/other`),
    JSON.stringify({ was: FIRST }),
    Buffer.from(TRIGGER).toString("base64"),
    LONG,
  ];
  emulator.failNext({
    kind: "status",
    status: 422,
    match: { method: "PATCH" },
    body: { detail: `refused: ${echo.join(" and ")}` },
  });
  const [error] = errorsOf(await run(stack.up(declaresOnly(after))));
  expect(error).toMatch(
    /^update deployment: PATCH http:\S+ answered 422: refused: \[secret\] and \[secret\] and \{"was":"\[secret\]"\} and \[secret\] and \[secret\]$/,
  );
  await run(stack.up(declaresOnly(after)));
  await run(stack.refresh());
  expect(leaksIn({ exported: exported(stack) }, ALL)).toEqual([]);
  expect((await stack.recorded("chat")).outputs.secretGenerations).toEqual({ B: 2, C: 1 });
  expect(emulator.deployments()[0]?.secrets).toEqual([
    { name: "B", value: `${SECOND}, changed` },
    { name: "C", value: LONG },
  ]);
});

test("a read or an adoption of a deployment does not record the secrets that the service echoes", async () => {
  const emulator = await service({ secretsInResponses: "echoed" });
  const other = await stackOn(emulator, { name: "other" });
  await other.up(declaresOnly({ secrets: { A: FIRST, B: SECOND } }));
  const id = emulator.deployments()[0]?.id as string;
  const stack = await stackOn(emulator);
  const got = await stack.up(() => {
    const deployment = Deployment.get("got", id);
    return { all: pulumi.output(deployment), secrets: deployment.secrets };
  });
  expect(got.error).toBeUndefined();

  const partial = await stack.preview(declaresOnly({ adopt: true, secrets: { A: FIRST } }));
  expect(errorsOf(partial)).toEqual([
    expect.stringMatching(
      /adopt: the deployment \S+ has secrets that the program does not set, .*: B\. Add them/,
    ),
  ]);
  const adopted = { adopt: true, secrets: { A: FIRST, B: `${SECOND}, changed` } };
  const runs = [
    await stack.preview(declaresOnly(adopted)),
    await stack.up(declaresOnly(adopted)),
    await stack.refresh(),
  ];
  expect(runs.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  expect(leaksIn(placesOf(stack, got, partial, ...runs), ALL)).toEqual([]);
  expect(leaksIn({ exported: exported(stack) }, ALL)).toEqual([]);
});

test("a program gets the real values of a deployment's secrets, and a value that the program computes from these secrets is secret", async () => {
  const { stack } = await testStack();
  const run = await stack.up(() => {
    const args = {
      name: "one",
      source: "external_docker",
      sourceRevisionConfig: { imageUri: "i:1" },
    } as const;
    // In a generated package, Pulumi's SDK removes only one of two secret marks, and returns the second as a value.
    const options = isPlugin ? {} : { additionalSecretOutputs: ["sourceConfig"] };
    const sourceConfig = { installCommand: pulumi.secret(COMMAND), buildCommand: "make" };
    const one = new Deployment("one", { ...args, secrets: { A: FIRST }, sourceConfig }, options);
    const secrets = {
      COPY: one.secrets.apply((secrets) => `${secrets?.A}`),
      COMMAND: one.sourceConfig.apply((config) => `${config?.installCommand}`),
    };
    new Deployment("two", { ...args, name: "two", secrets });
  });
  expect(run.error).toBeUndefined();
  const two = stack.emulator.deployments().find(({ name }) => name === "two");
  expect(two?.secrets).toEqual([
    { name: "COMMAND", value: COMMAND },
    { name: "COPY", value: FIRST },
  ]);
  expect(leaksIn(placesOf(stack, run), ALL)).toEqual([]);
});
