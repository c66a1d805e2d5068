import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deploymentRows } from "../../provider/schema/deployment";
import type { Rows } from "../../provider/schema/kind";
import { listenerRows } from "../../provider/schema/listener";
import { rolloutRows } from "../../provider/schema/rollout";
import { smokeTestRows } from "../../provider/schema/smokeTest";
import { tokenMetadataArgumentRows } from "../../provider/schema/tokenMetadata";
import type { Emulator } from "../../sdk/emulator/index";
import { evaluate } from "../../sdk/report/evaluate/evaluate";
import { resultOf } from "../../sdk/report/evaluate/result";
import { eventsIn } from "../../sdk/report/read/events";
import { previewIn } from "../../sdk/report/read/preview";
import { FORMATS } from "../../sdk/report/render/formats";
import { isPlugin } from "../support/engine/form";
import { type CanaryArguments, canariesIn, type Fixed, placesIn } from "../support/faults/canaryPlaces";
import { FaultStack, startService } from "../support/faults/faultStack";
import { isWhole, sized, tellFigures } from "../support/faults/size";

/** The number of deployments. Each argument in the table is a secret in exactly one of these deployments. */
const SPREAD = sized(3, 12);

/** Omits `connection`, which the configuration must declare, and `adopt`, which needs an existing deployment. */
const ABSENT = { connection: undefined, adopt: undefined };
const DEPLOYMENT: Fixed = {
  ...ABSENT,
  source: "external_docker",
  rollout: { timeoutSeconds: 20 },
  // A service under the profile `contract` has no display names and no templates.
  displayName: undefined,
  "sourceConfig.templateId": undefined,
};
const LISTENER: Fixed = { ...ABSENT, computeType: "k8s" };
const content = (text: unknown): unknown => [{ type: "text", text }];
const SMOKE_TEST: Fixed = {
  ...ABSENT,
  timeoutSeconds: 3,
  "messages.0.content": content,
  "messages.1.content": content,
};
/** A URL that contains the string. Nothing listens at the URL's address. */
const nowhere = (text: { $secret?: string } | string): unknown =>
  typeof text === "string" ? `http://127.0.0.1:1/${text}` : { $secret: `http://127.0.0.1:1/${text.$secret}` };
/** Values that `check` accepts for a Rollout's verification of the deployment `place`. */
const verificationAt = (place: "plain" | "dot"): Fixed => ({
  [`verify.${place}.deploymentUrl`]: nowhere,
  [`verify.${place}.messages.0.content`]: content,
  [`verify.${place}.messages.1.content`]: content,
  [`verify.${place}.expect.matches`]: undefined,
  [`verify.${place}.expect.equals`]: undefined,
});
const ROLLOUT: Fixed = {
  ...ABSENT,
  timeoutSeconds: 3,
  "deployments.plain.connection": undefined,
  "deployments.dot.connection": undefined,
  ...verificationAt("plain"),
  ...verificationAt("dot"),
};
const EXPECTATIONS = ["contains", "matches", "equals"];

interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly args: { readonly [name: string]: unknown };
}

type Kind = readonly [kind: string, sets: readonly CanaryArguments[]];

/**
 * All resources whose arguments hold strings, with canaries that begin with `mark`. In the dynamic form, a Rollout
 * takes only Deployments, so the program declares no Rollout.
 */
function resourcesWith(mark: string, runtime: string): readonly Kind[] {
  const runtimes = { ...SMOKE_TEST, deploymentUrl: runtime };
  const expecting = EXPECTATIONS.flatMap((expectation) => {
    const otherExpectations = EXPECTATIONS.filter((each) => each !== expectation).map((each) => [
      `expect.${each}`,
      undefined,
    ]);
    return canariesIn(
      smokeTestRows,
      { ...runtimes, assistantId: "echo", ...Object.fromEntries(otherExpectations) },
      `${mark}s`,
      1,
    );
  });
  const unreached = {
    ...SMOKE_TEST,
    deploymentUrl: nowhere,
    "expect.matches": undefined,
    "expect.equals": undefined,
  };
  const reply = `${mark}a000kq0`;
  const answered: CanaryArguments = {
    args: {
      deploymentUrl: runtime,
      assistantId: "echo",
      messages: [{ role: "user", content: { $secret: `said ${reply}` } }],
      expect: { contains: "said" },
    },
    canaries: [reply],
  };
  return [
    ["Deployment", canariesIn(deploymentRows, DEPLOYMENT, `${mark}d`, SPREAD)],
    ["Listener", canariesIn(listenerRows, LISTENER, `${mark}l`, 2)],
    ["TokenMetadata", canariesIn(tokenMetadataArgumentRows, ABSENT, `${mark}t`, 2)],
    ["SmokeTest", [...expecting, ...canariesIn(smokeTestRows, unreached, `${mark}u`, 2), answered]],
    ["Rollout", isPlugin ? canariesIn(rolloutRows, ROLLOUT, `${mark}r`, 2) : []],
  ];
}

const declaredOf = (kinds: readonly Kind[]): Declared[] =>
  kinds.flatMap(([kind, sets]) =>
    sets.map(({ args }, index) => ({
      kind,
      name: `${kind}-${index}`,
      args:
        kind === "Deployment" && typeof args.name === "string" ? { ...args, name: `${kind}-${index}` } : args,
    })),
  );

const canariesOf = (kinds: readonly Kind[]): string[] =>
  kinds.flatMap(([, sets]) => sets.flatMap(({ canaries }) => canaries));

/** Matches every canary. One search for all canaries is much faster than one search for each canary. */
const CANARY = /[ab][adlrstu]\d{3}kq\d+|c0ffee00-c0de-4c0d-8c0d-[0-9a-f]{12}/g;

/** A value in the arguments as a string, whether the value is secret or not. */
const plainText = (value: unknown): string => String((value as { $secret?: unknown })?.$secret ?? value);

/** Runs a command. Returns the command's output, and its event log without the SDK's debug messages. */
async function shown(
  stack: FaultStack,
  ...args: readonly string[]
): Promise<{ text: string; events: string }> {
  const file = path.join(stack.folder, "events.jsonl");
  const { text } = await stack.run({}, ...args, "--event-log", file);
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  rmSync(file);
  // At debug level, Pulumi's SDK logs the outputs of each resource in plaintext.
  const events = lines.filter((line) => JSON.parse(line).diagnosticEvent?.severity !== "debug");
  return { text, events: events.join("\n") };
}

function filesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "declared.json")
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

const inEveryFormat = (show: (format: (typeof FORMATS)["text"]) => string): string =>
  Object.values(FORMATS).map(show).join("\n");

const deploymentsIn = (kinds: readonly Kind[]): readonly CanaryArguments[] =>
  kinds.find(([kind]) => kind === "Deployment")?.[1] ?? [];

const deploymentWith = (emulator: Emulator, canaries: readonly string[]) =>
  emulator.deployments().find((each) => canaries.some((canary) => JSON.stringify(each).includes(canary)));

/** Copies the secrets of a deployment to every field in which the service accepts a string. */
function drift(emulator: Emulator, kinds: readonly Kind[]): void {
  for (const { canaries } of deploymentsIn(kinds)) {
    const deployment = deploymentWith(emulator, canaries);
    if (deployment === undefined) continue;
    const words = `copied: ${canaries.join(" ")}`;
    const sourceConfig = {
      install_command: words,
      build_command: words,
      custom_url: `https://${canaries[0]}.example`,
    };
    emulator.change(deployment.id, { image_version: words, source_config: sourceConfig });
  }
}

/**
 * Makes the service refuse the next change of each deployment. The refusal's message repeats the deployment's old and
 * new secrets.
 */
function refuseChanges(emulator: Emulator, kinds: readonly Kind[], changed: readonly Kind[]): void {
  const news = deploymentsIn(changed);
  for (const [index, { canaries }] of deploymentsIn(kinds).entries()) {
    const deployment = deploymentWith(emulator, canaries);
    if (deployment === undefined) continue;
    const detail = [...(news[index]?.canaries ?? []), ...canaries].join(" ");
    const match = { method: "PATCH", pathPattern: new RegExp(deployment.id) };
    emulator.failNext({ kind: "status", status: 422, match, body: { detail } });
  }
}

test("no command shows or writes a secret from any argument", async () => {
  const { emulator, gate } = await startService({ secretsInResponses: "echoed" });
  // The CLI has the option `--event-log` only if this variable is set.
  const environment = { PULUMI_DEBUG_COMMANDS: "true" };
  const stack = await new FaultStack(gate, { main: "canaries.js", environment }).init();
  const runtime = `${emulator.url}/runtime/${emulator.seed(1)[0]}`;
  const [first, second] = [resourcesWith("a", runtime), resourcesWith("b", runtime)];
  const canaries = [...new Set([...canariesOf(first), ...canariesOf(second)])];
  expect(canaries.filter((canary) => canary.replace(CANARY, "") !== "")).toEqual([]);
  for (const { kind, args } of [...declaredOf(first), ...declaredOf(second)]) {
    if (kind === "Listener") emulator.addListener({ compute_id: plainText(args.computeId) });
    if (kind === "TokenMetadata") emulator.addToken({ id: plainText(args.tokenId) });
  }
  const hits: string[] = [];
  const places: { [place: string]: number } = {};
  const look = (place: string, text: string): void => {
    places[place] = text.length;
    for (const { 0: canary, index: at } of text.matchAll(CANARY))
      hits.push(`${place}: ${canary}: ${text.slice(Math.max(0, at - 60), at + 40)}`);
  };
  const declare = (kinds: readonly Kind[]) =>
    writeFileSync(path.join(stack.folder, "declared.json"), JSON.stringify(declaredOf(kinds)));
  const up = ["up", "--yes", "--skip-preview", "--continue-on-error"];
  const command = async (name: string, ...args: string[]) => {
    const { text, events } = await shown(stack, ...args);
    look(`${name}: text`, text);
    look(`${name}: events`, events);
    look(`${name}: files`, filesIn(stack.folder));
    return { text, events };
  };
  const planned = async (name: string, ...args: string[]) => {
    const { text } = await stack.run({}, "preview", "--json", "--show-sames", ...args);
    look(`${name}: JSON`, text);
    const preview = previewIn(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1), name);
    const report = evaluate(preview);
    look(`${name}: report`, JSON.stringify(report) + inEveryFormat(({ plan }) => plan([report])));
    return { report, preview };
  };

  declare(first);
  if (isWhole) await planned("plan of creations");
  const creationRun = await command("creations", ...up);
  declare(second);
  if (isWhole) await command("preview", "preview", "--diff");
  refuseChanges(emulator, first, second);
  await command("refused updates", ...up);
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED", times: 1 });
  const { report, preview } = await planned("plan after failures");
  const updated = await command("updates", ...up);
  const result = resultOf(report, eventsIn(updated.events, "events"), preview);
  look("result", JSON.stringify(result) + inEveryFormat((format) => format.result([result])));
  drift(emulator, second);
  await command("refresh", "refresh", "--yes");
  if (isWhole) {
    await planned("plan after drift", "--refresh");
    await command("drift set back", ...up);
    look("outputs", await stack.must({}, "stack", "output", "--json"));
  }
  look("export", await stack.must({}, "stack", "export"));
  await command("destruction", "destroy", "--yes");

  const rollouts: { [name: string]: Rows } = isPlugin ? { rolloutRows } : {};
  const tables = { deploymentRows, listenerRows, tokenMetadataArgumentRows, smokeTestRows, ...rollouts };
  const counted = Object.values(tables).reduce((sum, rows) => sum + placesIn(rows, {}), 0);
  tellFigures(
    `canaries in every place${isPlugin ? ", plugin" : ""}: ${canaries.length} in ${counted} places, ${Object.keys(places).length} surfaces: ${hits.length} hits`,
  );
  expect(hits).toEqual([]);
  expect(emulator.requests.filter(({ method }) => method === "PATCH").length).toBeGreaterThanOrEqual(SPREAD);
  expect(creationRun.text).not.toContain("has a problem");
  // The program declares the deployments, listeners and tokens before the smoke tests. A smoke test's reply repeats its
  // question, so this error proves that the program reached the smoke tests.
  expect(creationRun.text).toMatch(/smoke test "SmokeTest-0": wrong answer: expected .*\[secret\]/);
}, 900_000);
