/**
 * Life cycles of a deployment with the real engine. Each step is data: a command, its expected output and requests,
 * and its expected effect on the service. Unit tests cover the details; these steps show what only the engine can show,
 * in both forms.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../sdk/emulator/index";
import type { DeploymentArgs } from "../../sdk/index";
import { ask } from "../support/embeddedService";
import { Deployment, isPlugin } from "../support/engine/form";
import { bodiesOf, chat, FIRST_IMAGE, revisionCount, SECOND_IMAGE, sent } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

interface Step<Args> {
  readonly title: string;
  /** The step's command; the default is `up`. */
  readonly command?: "preview" | "refresh" | "destroy";
  /** The resource's arguments in this step and the following steps; by default, the arguments of the previous step. */
  readonly args?: Args;
  /** A change on the service before the step; `id` is the id of the stack's resource. */
  readonly before?: (emulator: Emulator, id: string) => unknown;
  /** The engine's operations, by the resource's name; by default none. */
  readonly steps?: Readonly<Record<string, string>>;
  /**
   * Lines that the command must print, in this order; `ID` stands for the id that the stack's resource had before the
   * step.
   */
  readonly says?: readonly string[];
  /** The command must fail with an error that contains these words. */
  readonly fails?: string;
  /**
   * The requests, with `ID` for each id; by default none. The value "as it takes" allows any requests, because the
   * number of polls varies.
   */
  readonly sends?: readonly string[] | "as it takes";
  /** The bodies of all POSTs in order, followed by the bodies of all PATCHes in order. */
  readonly bodies?: readonly unknown[];
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Checks the content of the service after the step. */
  readonly leaves?: (emulator: Emulator) => void;
}

interface LifeCycle<Args> {
  readonly declares: (args: Args) => object;
  readonly steps: readonly Step<Args>[];
}

async function lives<Args>({ declares, steps }: LifeCycle<Args>) {
  const { emulator, stack } = await testStack();
  let args: Args | undefined;
  let id = "";
  for (const step of steps) {
    args = step.args ?? args;
    const program = () => declares(args as Args);
    await step.before?.(emulator, id);
    const command = step.command ?? "up";
    const run =
      command === "up" || command === "preview" ? await stack[command](program) : await stack[command]();
    const messages = run.diagnostics
      .filter(({ severity }) => severity !== "debug")
      .map(({ message }) => message.replaceAll(id === "" ? "\0" : id, "ID"));
    const placeOf = (words: string) => messages.findIndex((message) => message.includes(words));
    const places = (step.says ?? []).map(placeOf);
    expect({
      step: step.title,
      steps: run.steps,
      unsaid: (step.says ?? [])
        .filter((_, index) => (places[index] as number) < 0)
        .concat(places.includes(-1) ? messages : []),
      inOrder: places,
      error: step.fails === undefined ? run.error : run.error?.includes(step.fails) || run.error,
      sends: sent(run),
      bodies: step.bodies && [...bodiesOf(run, "POST"), ...bodiesOf(run, "PATCH")],
    }).toEqual({
      step: step.title,
      steps: step.steps ?? {},
      unsaid: [],
      inOrder: [...places].sort((one, other) => one - other),
      error: step.fails === undefined ? undefined : true,
      sends: step.sends === "as it takes" ? sent(run) : (step.sends ?? []),
      bodies: step.bodies,
    });
    if (step.outputs !== undefined) expect(run.outputs).toMatchObject(step.outputs);
    step.leaves?.(emulator);
    if (typeof run.outputs.id === "string") id = run.outputs.id;
  }
}

const [LIST, POST] = ["GET /v2/deployments", "POST /v2/deployments"];
const [PATCH, REVISIONS] = ["PATCH /v2/deployments/ID", "GET /v2/deployments/ID/revisions"];
const CHAT_UPDATE = { chat: "update" };
/** The operations of a `pulumi up` that changes the revision key, and therefore also updates `announced`. */
const WITH_DEPENDENT = { chat: "update", announced: "update" };
const REFRESHED = { chat: "refresh", announced: "refresh" };

/** Declares a deployment, and a resource that updates if the deployment's revision key changes. */
function declaresChat(args: Partial<DeploymentArgs>) {
  const deployment = new Deployment("chat", chat(args));
  new pulumi.Stash("announced", { input: deployment.revisionKey });
  return { id: deployment.id, generation: deployment.revisionGeneration, key: deployment.revisionKey };
}

const scaled = (minScale: number) => ({ resourceSpec: { minScale, maxScale: 3 } });
const image = (imageUri: string) => ({ sourceRevisionConfig: { imageUri } });
const hasRevisions = (count: number) => (emulator: Emulator) => expect(revisionCount(emulator)).toBe(count);
const wire = (imageUri: string) => ({ source_revision_config: { image_uri: imageUri } });
const rotated = { secrets: { OPENAI_API_KEY: "sk-second-secret-value", EXTRA: "extra-secret-value" } };

/** Declares a test. A short run in the plugin form runs only the tests that are declared with `it`. */
const it = isPlugin && process.env.TEST_PART === "short" ? test.only : test;

it("a deployment is created, changed in place and changed with revisions; destroy leaves the deployment on the service", () =>
  lives<Partial<DeploymentArgs>>({
    declares: declaresChat,
    steps: [
      {
        title: "a creation looks for the name and posts once",
        args: {},
        steps: { chat: "create", announced: "create" },
        sends: [LIST, POST],
        bodies: [
          {
            name: "chat",
            source: "external_docker",
            source_config: { resource_spec: { min_scale: 1, max_scale: 3 } },
            source_revision_config: { image_uri: FIRST_IMAGE },
            secrets: [
              { name: "OPENAI_API_KEY", value: "sk-first-secret-value" },
              { name: "TOKEN", value: "token-first-secret-value" },
            ],
          },
        ],
        outputs: { generation: 1 },
      },
      { title: "the next update sends nothing" },
      {
        title: "a change in place sends only its section, and changes no dependent",
        args: { sourceConfig: scaled(2) },
        steps: CHAT_UPDATE,
        says: [
          "updates in place, no new revision (sourceConfig.resourceSpec.minScale 1 -> 2)",
          "as planned, no new revision (revision ",
        ],
        sends: [LIST, PATCH],
        bodies: [{ source_config: { resource_spec: { min_scale: 2, max_scale: 3 } } }],
        leaves: hasRevisions(1),
      },
      {
        title: "a change to both sections sends one PATCH, makes one revision, and reads the revisions once",
        args: { sourceConfig: scaled(4), ...image(SECOND_IMAGE) },
        steps: WITH_DEPENDENT,
        says: ["creates a new revision", "as planned, a new revision"],
        sends: [LIST, PATCH, REVISIONS],
        bodies: [
          {
            source_config: { resource_spec: { min_scale: 4, max_scale: 3 } },
            source_revision_config: { image_uri: SECOND_IMAGE },
          },
        ],
        outputs: { generation: 2 },
        leaves: hasRevisions(2),
      },
      {
        title: "a change to secrets names each changed secret, and sends all secrets as one list",
        args: { sourceConfig: scaled(4), ...image(SECOND_IMAGE), ...rotated },
        steps: WITH_DEPENDENT,
        says: [
          "may create a new revision (secret EXTRA added; secret OPENAI_API_KEY changed; secret TOKEN removed)",
          "this update did create a new revision",
        ],
        sends: [LIST, PATCH, REVISIONS],
        outputs: { generation: 3 },
        leaves: (emulator) =>
          expect(emulator.deployments()[0]?.secrets).toEqual([
            { name: "EXTRA", value: "extra-secret-value" },
            { name: "OPENAI_API_KEY", value: "sk-second-secret-value" },
          ]),
      },
      {
        title:
          "a new name replaces the deployment: the new deployment is created first, and the old deployment stays",
        args: { name: "chat-2", onDestroy: "fail" },
        steps: { chat: "create-replacement replace delete-replaced", announced: "update" },
        says: ["is replaced (name chat -> chat-2", "leaves the deployment running"],
        sends: [LIST, LIST, POST],
        outputs: { generation: 1 },
        leaves: (emulator) =>
          expect(emulator.deployments().map(({ name }) => name)).toEqual(["chat-2", "chat"]),
      },
      {
        title: 'with onDestroy: "fail", destroy fails',
        command: "destroy",
        steps: { chat: "delete", announced: "delete" },
        fails: 'onDestroy is "fail"',
      },
      {
        title: "`pulumi up` can change onDestroy",
        args: { name: "chat-2" },
        steps: { chat: "update", announced: "create" },
      },
      {
        title: "without onDestroy, destroy leaves the deployment running",
        command: "destroy",
        steps: { chat: "delete", announced: "delete" },
        says: ["leaves the deployment running on"],
        leaves: (emulator) => expect(emulator.deployments()).toHaveLength(2),
      },
    ],
  }));

test("a refresh records drift but prints no line, and the next update corrects the drift", () =>
  lives<Partial<DeploymentArgs>>({
    declares: declaresChat,
    steps: [
      {
        title: "`pulumi up` creates the deployment",
        args: {},
        steps: { chat: "create", announced: "create" },
        sends: [LIST, POST],
      },
      {
        title: "a refresh without drift changes nothing",
        command: "refresh",
        steps: REFRESHED,
        says: [],
        sends: [LIST],
      },
      { title: "`pulumi up` after the refresh changes nothing" },
      {
        title: "a refresh records drift only in managed fields",
        command: "refresh",
        before: (emulator, id) =>
          emulator.change(id, {
            source_config: { resource_spec: { min_scale: 9, cpu: 4 }, install_command: "not managed here" },
          }),
        steps: REFRESHED,
        sends: [LIST],
      },
      {
        title: "the next update corrects the drift",
        steps: CHAT_UPDATE,
        says: ["updates in place, no new revision (sourceConfig.resourceSpec.minScale 9 -> 1)"],
        sends: [LIST, PATCH],
        bodies: [{ source_config: { resource_spec: { min_scale: 1, max_scale: 3 } } }],
      },
      {
        title:
          "a refresh records drift in a revision field together with the new revision, and a removed secret",
        command: "refresh",
        before: async (emulator, id) => {
          await ask(emulator, "PATCH", `/v2/deployments/${id}`, wire("someone/else:3"));
          emulator.change(id, { secrets: [{ name: "TOKEN", value: "token-first-secret-value" }] });
        },
        steps: REFRESHED,
        sends: [LIST],
      },
      {
        title: "the next update corrects the drift with one new revision",
        steps: WITH_DEPENDENT,
        says: [
          `creates a new revision (sourceRevisionConfig.imageUri someone/else:3 -> ${FIRST_IMAGE}; secret OPENAI_API_KEY added)`,
        ],
        sends: [LIST, PATCH, REVISIONS],
        outputs: { generation: 2 },
        leaves: (emulator) => expect(emulator.deployments()[0]?.secrets).toHaveLength(2),
      },
      {
        title: "a refresh removes a deployment that is being deleted on the service",
        command: "refresh",
        before: (emulator, id) => emulator.change(id, { status: "AWAITING_DELETE" }),
        steps: REFRESHED,
        says: ["is being deleted on the service"],
        sends: [LIST],
      },
      {
        title: "the next update creates the deployment again",
        steps: { chat: "create", announced: "update" },
        sends: [LIST, LIST, POST],
      },
    ],
  }));

test("after a failed revision, `pulumi up` makes the revision again, as the plan says", () =>
  lives<Partial<DeploymentArgs> & { readonly create?: string }>({
    declares: ({ create, ...args }) => {
      const { id } = new Deployment("chat", chat(args), create ? { customTimeouts: { create } } : {});
      return { id };
    },
    steps: [
      {
        title: "if the revision of a creation fails, the deployment stays in the state",
        args: {},
        before: (emulator) => emulator.failNext({ kind: "revision", status: "CREATE_FAILED" }),
        steps: { chat: "create" },
        fails: "No revision serves",
        sends: "as it takes",
      },
      {
        title: "a refresh keeps the failed revision",
        command: "refresh",
        steps: { chat: "refresh" },
        sends: [LIST, REVISIONS],
      },
      {
        title: "the next update makes the revision again",
        steps: CHAT_UPDATE,
        says: ["creates a new revision (makes it again: revision", "as planned, a new revision"],
        sends: [LIST, PATCH, REVISIONS],
        bodies: [{ source_revision_config: { image_uri: FIRST_IMAGE } }],
        leaves: (emulator) =>
          expect([emulator.deployments().length, revisionCount(emulator)]).toEqual([1, 2]),
      },
      {
        title: "the option customTimeouts limits the wait for a rollout",
        args: { name: "slow", create: "1s" },
        before: (emulator) => Object.assign(emulator.behaviour, { revisionSeconds: 600 }),
        steps: { chat: "create-replacement" },
        fails: "was not deployed within 1",
        sends: "as it takes",
      },
    ],
  }));
