/** SmokeTest: sends messages to a running deployment when a trigger changes, and fails if the reply is wrong. */

import type { Call, Resource } from "../call";
import type { RuntimeClientOptions } from "../client/connection";
import { type Change, changesBetween } from "../diff/changes";
import { describeChanges } from "../diff/describe";
import { format } from "../diff/sentences";
import { RefusedError } from "../failure";
import { contract } from "../profiles/profile";
import { type Fault, faultsIn, type Hidden } from "../schema/check";
import { type Arguments, type Inputs, type State, stateOf } from "../schema/recorded";
import { redacted } from "../schema/secrecy";
import { runtimeRows } from "../schema/settings";
import {
  DEPLOYMENT_TRIGGER,
  smokeTestOutputRows,
  smokeTestQuestionRows,
  smokeTestRows,
  TEST_TIMEOUT_SECONDS,
} from "../schema/smokeTest";
import { isAbsent, normalizedRows, rowsIn, UNKNOWN, unknowns, valueAt } from "../schema/value";
import { ask, type Expectation, WrongReplyError } from "../verification/conversation";
import { addressFault, expectationFault, messagesFault } from "../verification/verification";

const inputsOf = (settings: Arguments): Inputs =>
  normalizedRows(smokeTestRows, rowsIn(smokeTestRows, settings));

/** The arguments that are settings of a runtime client. */
const OPTIONS = Object.keys(smokeTestRows).filter((name) => Object.hasOwn(runtimeRows, name));

/** If the test names no connection, the configuration's settings do not apply. */
function connectionOptions({ run }: Call, inputs: Inputs): RuntimeClientOptions {
  const { connection } = inputs;
  const shared = isAbsent(connection) ? {} : run.service(connection).connection.runtime;
  const options = OPTIONS.filter((name) => !isAbsent(inputs[name])).map((name) => [name, inputs[name]]);
  return { ...shared, ...Object.fromEntries(options) };
}

/** Faults that the table cannot express. */
function furtherFaults(call: Call, inputs: Inputs): Fault[] {
  return [
    expectationFault(inputs.expect),
    messagesFault(inputs.messages),
    inputs.connection === UNKNOWN ? undefined : addressFault(connectionOptions(call, inputs)),
  ].flatMap((fault) => fault ?? []);
}

const NO_ADDRESS: Fault = {
  path: ["deployment"],
  words:
    "the service reports no address for it; set its sourceConfig.customUrl, or set deploymentUrl and triggers in place of deployment",
};

/** During a deployment's update, the engine does not know the `url`, but the deployment keeps its recorded address. */
function withAddress(call: Call, recorded: State | undefined, args: Arguments): Arguments {
  if (!call.ofDeployment || recorded === undefined || args.deploymentUrl !== UNKNOWN) return args;
  const id = deploymentIdIn(args);
  if (id === undefined || id !== deploymentIdIn(recorded)) return args;
  return { ...args, deploymentUrl: recorded.deploymentUrl };
}

/** The id of the tested deployment, from its `revisionKey`. */
function deploymentIdIn(args: Arguments): string | undefined {
  const key = valueAt(args, ["triggers", DEPLOYMENT_TRIGGER]);
  return typeof key === "string" && key !== UNKNOWN ? key.slice(0, key.lastIndexOf(":")) : undefined;
}

/** `question` has the changes to the question or the expected reply. These changes make the test run again. */
function changesOf(state: State, inputs: Inputs): { question: Change[]; otherChanges: Change[] } {
  const changes = changesBetween(smokeTestRows, inputsOf(state), inputsOf(inputs), contract);
  const isAsked = ({ path }: Change) => Object.hasOwn(smokeTestQuestionRows, path.split(".")[0] as string);
  return { question: changes.filter(isAsked), otherChanges: changes.filter((change) => !isAsked(change)) };
}

const isReplacement = ({ effect }: Change): boolean => effect === "replace";

/** Says in the plan whether the changes replace the test, make it run again, or are only recorded. */
function fateOf(question: Change[], otherChanges: Change[], hidden: Hidden) {
  const replacing = otherChanges.filter(isReplacement);
  if (replacing.length > 0)
    return format.testReplaced({ reasons: describeChanges([...replacing, ...question], hidden) });
  if (question.length === 0) return format.testStays({ reasons: describeChanges(otherChanges, hidden) });
  const reasons = describeChanges(question, hidden);
  return question.every(({ unknown }) => unknown)
    ? format.testMayRun({ reasons })
    : format.testRuns({ reasons });
}

/** Throws a RefusedError with the expected and the actual reply if the reply is wrong. */
async function runTest(call: Call, inputs: Inputs): Promise<State> {
  const timeout = inputs.timeoutSeconds as number | undefined;
  const report = await ask({
    options: connectionOptions(call, inputs),
    credential: "apiKey, authHeader and authScheme of the smoke test, or its connection",
    assistantId: inputs.assistantId as string,
    messages: inputs.messages as never,
    expect: inputs.expect as Expectation,
    timeoutSeconds: timeout ?? call.timeoutSeconds(TEST_TIMEOUT_SECONDS),
    clock: call.run.clock,
  }).catch((error: Error) => {
    if (!(error instanceof RefusedError)) throw error;
    const nextStep = error instanceof WrongReplyError ? ". The next update runs it again" : "";
    throw call.refuse(`${error.message}${nextStep}`, error);
  });
  // The graph may repeat secrets from its input in the reply.
  return stateOf(inputs, { ...report, reply: redacted(report.reply) });
}

export const smokeTest: Resource = {
  kind: "smoke test",
  rows: smokeTestRows,
  outputRows: smokeTestOutputRows,
  reported: [],
  unreadable: "the service has no such thing. Declare it",

  async check(call, recorded, args) {
    if (call.ofDeployment && isAbsent(args.deploymentUrl)) return { inputs: {}, failures: [NO_ADDRESS] };
    const faults = faultsIn(smokeTestRows, args, call.hidden);
    const inputs = inputsOf(withAddress(call, recorded, args));
    // `inputsOf` drops an empty `expect`, but the check must report it.
    const otherFaults = furtherFaults(call, { ...inputs, expect: args.expect });
    return { inputs, failures: faults.length > 0 ? faults : otherFaults };
  },

  async diff(call, _id, state, inputs) {
    const { question, otherChanges } = changesOf(state, inputs);
    const changes = question.length + otherChanges.length > 0;
    if (call.isPlan && changes) await call.tell(fateOf(question, otherChanges, call.hidden));
    return { changes, replaces: otherChanges.filter(isReplacement).map(({ path }) => path) };
  },

  async create(call, inputs) {
    return { id: call.name || "smoke-test", outputs: await runTest(call, inputs) };
  },

  async read(_call, id, state) {
    return { id, outputs: state, inputs: rowsIn(smokeTestRows, state) };
  },

  async update(call, _id, state, inputs) {
    const isRun = changesOf(state, inputs).question.length > 0;
    if (isRun && call.isPlan) return stateOf(inputs, unknowns(Object.keys(smokeTestOutputRows)));
    if (isRun) return runTest(call, inputs);
    return stateOf(inputs, rowsIn(smokeTestOutputRows, state));
  },

  async delete() {},
};
