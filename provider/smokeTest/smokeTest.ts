/** SmokeTest: sends messages to a running deployment when a trigger changes, and fails if the reply is wrong. */

import type { Call } from "../call";
import { type RuntimeClientOptions, runtimeConnection } from "../client/connection";
import { RefusedError } from "../failure";
import { type Fault, faultsIn, type Hidden } from "../fields/check";
import { differences } from "../fields/compare";
import { runtimeRows } from "../fields/settings";
import {
  smokeTestOutputRows,
  smokeTestQuestionRows,
  smokeTestRows,
  TEST_TIMEOUT_SECONDS,
} from "../fields/smokeTest";
import {
  hasUnknown,
  isAbsent,
  isProperties,
  normalizedRows,
  type Properties,
  rowsIn,
  UNKNOWN,
} from "../fields/value";
import { escapeControls } from "../fields/words";
import type { Resource } from "../resource";
import { ConfigurationError } from "../run/configuration";
import { redacted } from "../run/secrecy";
import type { Change } from "../verdict/changes";
import { describeChanges } from "../verdict/describe";
import { say } from "../verdict/sentences";
import { ask } from "./conversation";

const argumentsOf = (properties: Properties): Properties =>
  normalizedRows(smokeTestRows, rowsIn(smokeTestRows, properties));

/** The arguments that are settings of a runtime client. */
const OPTIONS = Object.keys(smokeTestRows).filter((name) => Object.hasOwn(runtimeRows, name));

/** The named connection's settings, overridden by arguments. Without a name, nothing comes from the configuration. */
function connectionOptions({ run }: Call, inputs: Properties): RuntimeClientOptions {
  const { connection } = inputs;
  const shared = isAbsent(connection) ? {} : run.service(connection).connection.runtime;
  const options = OPTIONS.filter((name) => !isAbsent(inputs[name])).map((name) => [name, inputs[name]]);
  return { ...shared, ...Object.fromEntries(options) };
}

/** Faults that the table cannot express. */
function furtherFaults(call: Call, inputs: Properties): Fault[] {
  return [
    expectationFault(inputs.expect),
    messagesFault(inputs.messages),
    connectionFault(call, inputs),
  ].flatMap((fault) => fault ?? []);
}

function messagesFault(messages: unknown): Fault | undefined {
  if (!Array.isArray(messages)) return undefined;
  if (messages.length === 0) return { path: ["messages"], words: "is empty; allowed: at least one message" };
  const wrong = messages.findIndex((message) => {
    const content = isProperties(message) ? message.content : "";
    return typeof content !== "string" && !Array.isArray(content);
  });
  return wrong < 0
    ? undefined
    : { path: ["messages", String(wrong), "content"], words: "allowed: a string or a list of parts" };
}

function connectionFault(call: Call, inputs: Properties): Fault | undefined {
  if (inputs.connection === UNKNOWN) return undefined;
  const options = connectionOptions(call, inputs);
  if (Object.values(options).some(hasUnknown) || isAbsent(options.deploymentUrl)) return undefined;
  try {
    runtimeConnection(options);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return { path: [error.place], words: error.words };
    throw error;
  }
}

/** `question`: changes that run the test again; `rest`: all others. */
function changesOf(olds: Properties, news: Properties): { question: Change[]; rest: Change[] } {
  const changes = differences(smokeTestRows, argumentsOf(olds), argumentsOf(news)).map(
    ({ path, names, field, before, after, unknown }) => ({
      name: names[0] as string,
      change: { path, effect: field.class ?? "inPlace", before, after, unknown } as const,
    }),
  );
  const isAsked = ({ name }: { name: string }): boolean => Object.hasOwn(smokeTestQuestionRows, name);
  return {
    question: changes.filter(isAsked).map(({ change }) => change),
    rest: changes.filter((each) => !isAsked(each)).map(({ change }) => change),
  };
}

const isReplacement = ({ effect }: Change): boolean => effect === "replace";

/** The effect of the changes, in the words of the plan. */
function fateOf(question: Change[], rest: Change[], hidden: Hidden) {
  const replacing = rest.filter(isReplacement);
  if (replacing.length > 0)
    return say.testReplaced({ reasons: describeChanges([...replacing, ...question], hidden) });
  if (question.length === 0) return say.testStays({ reasons: describeChanges(rest, hidden) });
  const reasons = describeChanges(question, hidden);
  return question.every(({ unknown }) => unknown) ? say.testMayRun({ reasons }) : say.testRuns({ reasons });
}

/** Runs the test. Throws a RefusedError with the expected and the actual reply. */
async function runTest(call: Call, inputs: Properties): Promise<Properties> {
  const timeout = inputs.timeoutSeconds as number | undefined;
  const report = await ask({
    options: connectionOptions(call, inputs),
    assistantId: inputs.assistantId as string,
    messages: inputs.messages as never,
    timeoutSeconds: timeout ?? call.timeoutSeconds(TEST_TIMEOUT_SECONDS),
    clock: call.run.clock,
    tell: (words) => call.tell(words),
  }).catch((error: Error) => {
    throw error instanceof RefusedError ? call.refuse(error.message, error) : error;
  });
  const wrong = unmet(inputs.expect as Expectation, report.reply);
  if (wrong !== undefined) {
    const where = `assistant "${escapeControls(String(inputs.assistantId))}" at ${inputs.deploymentUrl}, thread ${report.threadId}, run ${report.runId}`;
    throw call.refuse(
      `wrong answer: ${wrong} (${where}, after ${report.seconds} s). The next up runs it again`,
    );
  }
  // The graph may repeat its input: no secret in it may reach the state in plaintext.
  return { ...inputs, ...report, reply: redacted(report.reply) };
}

export const smokeTest: Resource = {
  kind: "smoke test",
  rows: smokeTestRows,
  outputRows: smokeTestOutputRows,
  reported: [],
  unreadable: "the service has no such thing. Declare it",

  async check(call, _olds, news) {
    const faults = faultsIn(smokeTestRows, news, call.hidden);
    const inputs = argumentsOf(news);
    // `argumentsOf` drops an empty `expect`.
    const further = furtherFaults(call, { ...inputs, expect: news.expect });
    return { inputs, failures: faults.length > 0 ? faults : further };
  },

  async diff(call, _id, olds, news) {
    const { question, rest } = changesOf(olds, news);
    const changes = question.length + rest.length > 0;
    if (call.isPlan && changes) await call.tell(fateOf(question, rest, call.hidden));
    return { changes, replaces: rest.filter(isReplacement).map(({ path }) => path) };
  },

  unsettled: (_call, olds, news) =>
    changesOf(olds, news).question.length > 0 ? Object.keys(smokeTestOutputRows) : [],

  async create(call, inputs) {
    return { id: call.name || "smoke-test", outputs: await runTest(call, inputs) };
  },

  async read(_call, id, state) {
    return { id, outputs: state, inputs: rowsIn(smokeTestRows, state) };
  },

  async update(call, _id, olds, news) {
    if (changesOf(olds, news).question.length > 0) return runTest(call, news);
    return { ...news, ...rowsIn(smokeTestOutputRows, olds) };
  },

  async delete() {},
};

const KINDS = ["contains", "matches", "equals"] as const;

/** An expectation, of which exactly one member is set. */
export type Expectation = { readonly [kind in (typeof KINDS)[number]]?: string };

const LONGEST_SHOWN = 500;

/** The fault of the expectation itself, if any. */
export function expectationFault(expectation: unknown): Fault | undefined {
  if (expectation === UNKNOWN || !isProperties(expectation)) return undefined;
  const kinds = KINDS.filter((kind) => !isAbsent(expectation[kind]));
  if (kinds.length !== 1) {
    const got = kinds.length === 0 ? "none of them" : kinds.join(" and ");
    return { path: ["expect"], words: `got ${got}; allowed: exactly one of ${KINDS.join(", ")}` };
  }
  const { matches } = expectation;
  if (typeof matches !== "string" || hasUnknown(matches)) return undefined;
  try {
    new RegExp(matches);
    return undefined;
  } catch (error) {
    const words = `is not a valid regular expression: ${escapeControls((error as Error).message)}`;
    return { path: ["expect", "matches"], words };
  }
}

/** The expected and the actual reply, if they do not match. */
export function unmet(expectation: Expectation, reply: string): string | undefined {
  const { contains, matches, equals } = expectation;
  if (!isAbsent(contains)) {
    return reply.includes(contains) ? undefined : words(`a text that contains ${shown(contains)}`, reply);
  }
  if (!isAbsent(matches)) {
    return new RegExp(matches).test(reply)
      ? undefined
      : words(`a text that matches /${escapeControls(matches)}/`, reply);
  }
  return reply === equals ? undefined : words(`the text ${shown(equals ?? "")}`, reply);
}

const words = (expectation: string, reply: string): string =>
  `expected ${expectation}, but ${reply === "" ? "a message without text came" : `${shown(reply)} came`}`;

function shown(text: string): string {
  const line = escapeControls(JSON.stringify(text));
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN - 1)}…` : line;
}
