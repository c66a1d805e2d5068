/** SmokeTest: asks a running deployment when a trigger changes, and fails when the answer is wrong. */

import { type RuntimeClientOptions, runtimeConnection } from "../client/runtimeConnection";
import { RefusedError } from "../failure";
import { faultInWords, faultsIn } from "../fields/check";
import { differences } from "../fields/compare";
import { smokeTestOutputRows, smokeTestQuestionRows, smokeTestRows } from "../fields/smokeTest";
import {
  hasUnknown,
  isAbsent,
  isProperties,
  normalizedRows,
  type Properties,
  rowsIn,
  UNKNOWN,
} from "../fields/value";
import { carriedIn, givenIn, hiddenIn, programName, timeoutSeconds, urnOf } from "../host/carried";
import type { Resource } from "../resource";
import { ConfigurationError } from "../service/configuration";
import { redacted } from "../service/secrecy";
import type { Session } from "../service/session";
import type { Change } from "../verdict/changes";
import { describeChanges, type Hidden, plain } from "../verdict/describe";
import { ask } from "./conversation";
import { type Expectation, expectationFault, unmet } from "./expectation";

const DEFAULT_TIMEOUT_SECONDS = 120;

const labelOf = (properties: Properties): string => `smoke test "${plain(programName(properties))}"`;

const argumentsOf = (properties: Properties): Properties =>
  normalizedRows(smokeTestRows, rowsIn(smokeTestRows, properties));

/** The key is secret whether or not the program marked it. */
const hidden = (...properties: Properties[]): ((path: string) => boolean) => {
  const marked = hiddenIn(...properties);
  return (path) => path === "apiKey" || marked(path);
};

const OPTIONS = ["deploymentUrl", "apiKey", "authHeader", "authScheme", "allowInsecure"] as const;

/** The named connection's settings, over which arguments win. Of the configuration without a name nothing is taken. */
function connectionOptions(session: Session, inputs: Properties): RuntimeClientOptions {
  const { connection } = inputs;
  const shared = isAbsent(connection) ? {} : session.service(connection).connection.runtime;
  const given = OPTIONS.filter((name) => !isAbsent(inputs[name])).map((name) => [name, inputs[name]]);
  return { ...shared, ...Object.fromEntries(given) };
}

/** What no table can say of the arguments. */
function furtherFaults(session: Session, inputs: Properties): string[] {
  return [
    expectationFault(inputs.expect),
    messagesFault(inputs.messages),
    connectionFault(session, inputs),
  ].flatMap((fault) => fault ?? []);
}

function messagesFault(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return undefined;
  if (messages.length === 0) return "messages: is empty; allowed: at least one message";
  const wrong = messages.findIndex((message) => {
    const content = isProperties(message) ? message.content : "";
    return typeof content !== "string" && !Array.isArray(content);
  });
  return wrong < 0 ? undefined : `messages.${wrong}.content: allowed: a string or a list of parts`;
}

function connectionFault(session: Session, inputs: Properties): string | undefined {
  if (inputs.connection === UNKNOWN) return undefined;
  const options = connectionOptions(session, inputs);
  if (Object.values(options).some(hasUnknown) || isAbsent(options.deploymentUrl)) return undefined;
  try {
    runtimeConnection(options);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

/** Changes of what is asked and expected, and of all else. */
function changesOf(olds: Properties, news: Properties): { asked: Change[]; others: Change[] } {
  const changes = differences(smokeTestRows, argumentsOf(olds), argumentsOf(news)).map(
    ({ path, names, field, before, after, unknown }) => ({
      name: names[0] as string,
      change: { path, effect: field.class ?? "inPlace", before, after, unknown } as const,
    }),
  );
  const isAsked = ({ name }: { name: string }): boolean => Object.hasOwn(smokeTestQuestionRows, name);
  return {
    asked: changes.filter(isAsked).map(({ change }) => change),
    others: changes.filter((each) => !isAsked(each)).map(({ change }) => change),
  };
}

const isReplacement = ({ effect }: Change): boolean => effect === "replace";

/** What the changes do, in the words of the plan. */
function fateOf(asked: Change[], others: Change[], shows: Hidden): string {
  if (others.some(isReplacement))
    return `is replaced, so it runs again (${describeChanges([...others.filter(isReplacement), ...asked], shows)})`;
  if (asked.length === 0) return `is not run (${describeChanges(others, shows)})`;
  const fate = asked.every(({ unknown }) => unknown) ? "runs again if they differ" : "runs again";
  return `${fate} (${describeChanges(asked, shows)})`;
}

/** Runs the test. Throws a RefusedError that says what was expected and what came. */
async function run(
  session: Session,
  inputs: Properties,
  operation: "create" | "update",
): Promise<Properties> {
  const label = labelOf(inputs);
  const report = await ask({
    options: connectionOptions(session, inputs),
    assistantId: inputs.assistantId as string,
    messages: inputs.messages as never,
    timeoutSeconds:
      (inputs.timeoutSeconds as number | undefined) ??
      timeoutSeconds(inputs, operation, DEFAULT_TIMEOUT_SECONDS),
    clock: session.clock,
    tell: (words) => session.reporter.info(urnOf(inputs), `${label}: ${words}`),
  }).catch((error: Error) => {
    throw error instanceof RefusedError
      ? new RefusedError(`${label}: ${error.message}`, { cause: error })
      : error;
  });
  const wrong = unmet(inputs.expect as Expectation, report.reply);
  if (wrong !== undefined) {
    throw new RefusedError(
      `${label}: wrong answer: ${wrong} (assistant "${plain(String(inputs.assistantId))}" at ${inputs.deploymentUrl}, thread ${report.threadId}, run ${report.runId}, after ${report.seconds} s). The next up runs it again`,
    );
  }
  // A graph that repeats what it was told must not carry a secret into the state in clear.
  return { ...inputs, ...report, reply: redacted(report.reply) };
}

export const smokeTest: Resource = {
  reported: [],
  secretInputs: ["apiKey"],

  async check(session, _olds, news) {
    const given = givenIn(news);
    const faults = faultsIn(smokeTestRows, given, hidden(news));
    const inputs = argumentsOf(given);
    // An empty `expect` has lost its place by now.
    const further = furtherFaults(session, { ...inputs, expect: news.expect });
    return {
      inputs: { ...carriedIn(news), ...inputs },
      failures: faults.length > 0 ? faults.map(faultInWords) : further,
    };
  },

  async diff(session, _id, olds, news, planned) {
    const { asked, others } = changesOf(olds, news);
    const shows = hidden(olds, news);
    if (planned && asked.length + others.length > 0) {
      await session.reporter.info(urnOf(news), `${labelOf(news)}: ${fateOf(asked, others, shows)}`);
    }
    return {
      changes: asked.length + others.length > 0,
      replaces: others.filter(isReplacement).map(({ path }) => path),
    };
  },

  async create(session, inputs) {
    return { id: programName(inputs) || "smoke-test", outputs: await run(session, inputs, "create") };
  },

  async read(_session, id, state) {
    const inputs = Object.entries(state).filter(
      ([name]) => Object.hasOwn(smokeTestRows, name) || name.startsWith("__"),
    );
    return { id, outputs: state, inputs: Object.fromEntries(inputs) };
  },

  async update(session, _id, olds, news) {
    if (changesOf(olds, news).asked.length > 0) return run(session, news, "update");
    return { ...news, ...rowsIn(smokeTestOutputRows, olds) };
  },

  async delete() {},
};
