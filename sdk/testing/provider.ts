/** The provider behind the mocks, which runs each resource and look-up against the embedded service. */
import { setTimeout } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import type { Resource } from "../../provider/call";
import type { Clock } from "../../provider/client/clock";
import { labelOf, unlabeled } from "../../provider/diff/describe";
import { DynamicBorder } from "../../provider/engine/dynamic";
import { type Bag, separateMarks } from "../../provider/engine/marks";
import { pack, unpack } from "../../provider/engine/packing";
import { configured, LOOK_UP_CALLS } from "../../provider/lookups";
import { PROFILES, type Profile, type ProfileName } from "../../provider/profiles/profiles";
import { RESOURCES } from "../../provider/resources";
import type { ConfigurationSource } from "../../provider/run/configuration";
import { failureWords } from "../../provider/run/failureWords";
import { EngineRun } from "../../provider/run/run";
import { faultInWords } from "../../provider/schema/check";
import { secretNamesIn } from "../../provider/schema/kind";
import { LOOK_UPS, type LookUp } from "../../provider/schema/lookups";
import { inDynamicForm, NAME, resourceOfType } from "../../provider/schema/naming";
import { type Arguments, type State, stateOf } from "../../provider/schema/recorded";
import { isAbsent, isProperties, jsonIn, type Properties, UNKNOWN } from "../../provider/schema/value";
import { EmulatorServer } from "../emulator/http/server";
import { addMissingListeners } from "../emulator/resources/listeners";
import { addToken, tokens } from "../emulator/resources/tokens";
import { newService } from "../emulator/service";
import { rejectWaiting } from "./values";

interface ResourceState {
  readonly id: string | undefined;
  readonly state: State;
}

interface MockService {
  readonly url: string;
  /** Adds the listener or token that a resource's arguments name, unless the service has it. */
  readonly install?: (args: Properties) => void;
}

export class MockProvider {
  #service: Promise<MockService> | undefined;

  constructor(service: MockService | undefined) {
    this.#service = service && Promise.resolve({ url: service.url });
  }

  /** The resource as a first `pulumi up`, or its preview, would record it. Rejects if an argument is bad. */
  async newResource(resource: Resource, args: pulumi.runtime.MockResourceArgs): Promise<ResourceState> {
    const label = labelOf(resource.kind, args.name);
    try {
      const isPlugins = inDynamicForm(args.type) !== args.type;
      // A dynamic resource that is only read already has this note. A plugin's resource has an id instead.
      const note = isPlugins && args.id ? pack({ readOnly: true }) : {};
      const { values, secrets } = bagOf(args.inputs);
      const { id, state } = await this.#recorded(resource, args.id, { ...values, ...note });
      // The plugin itself returns the outputs that a dynamic resource's class derives in the program.
      const outputs = isPlugins ? { ...unpack(state).values, ...resource.derived?.(id ?? "", state) } : state;
      const secretNames = secrets.map(([name]) => name as string);
      return { id, state: withSecrets(outputs, [...secretNamesIn(resource.rows), ...secretNames]) };
    } catch (error) {
      const message = failureWords(error);
      const refusal = sdkError(`${label}: ${unlabeled(label, message) ?? message}`);
      if (!rejectWaiting(refusal)) throw refusal;
      return { id: `${args.name}-refused`, state: args.inputs };
    }
  }

  /** Returns the same answer as the engine's function for the look-up. */
  async lookUp(name: LookUp, inputs: Arguments): Promise<Properties> {
    try {
      const open = configured(settingsFor(await this.#started()), {});
      return { [LOOK_UPS[name]]: await LOOK_UP_CALLS[name](open, bagOf(inputs).values) };
    } catch (error) {
      throw sdkError(failureWords(error));
    }
  }

  /** Each resource has a separate run, because many tests may share one set of mocks. */
  async #recorded(resource: Resource, readId: string | undefined, args: State): Promise<ResourceState> {
    const service = await this.#started();
    const reporter = { info: nothing, warn: nothing };
    const run = new EngineRun(settingsFor(service), reporter, hastyClock, undefined, {});
    const border = new DynamicBorder(resource, () => run);
    if (border.isRead(args)) {
      if (readId === undefined || readId === UNKNOWN) return { id: undefined, state: args };
      const { props = {} } = await border.read(readId, args);
      return { id: readId, state: props };
    }
    const checked = await border.check({}, args);
    if (checked.failures.length > 0) throw new Error(checked.failures.map(faultInWords).join("; "));
    const inputs = separateMarks(checked.inputs).values;
    if (pulumi.runtime.isDryRun()) return { id: undefined, state: stateOf(inputs, {}) };
    service.install?.(inputs);
    const { id, outs } = await border.create(inputs);
    return { id, state: outs };
  }

  #started(): Promise<MockService> {
    this.#service ??= newMockService();
    return this.#service;
  }
}

/** Starts an embedded service that does not keep the process alive. */
async function newMockService(): Promise<MockService> {
  const name = new pulumi.Config(NAME).get("profile") ?? "contract";
  const profile = PROFILES[name as ProfileName] ?? PROFILES.contract;
  const service = newService(profile as Profile, { revisionSeconds: 0 });
  const server = new EmulatorServer(service);
  const port = await server.listen(0, "127.0.0.1");
  server.unref();
  return {
    url: `http://127.0.0.1:${port}`,
    install({ computeId, tokenId }) {
      if (typeof computeId === "string") addMissingListeners(service, [computeId]);
      if (typeof tokenId !== "string" || tokens.all(service).some(({ id }) => id === tokenId)) return;
      addToken(service, { id: tokenId });
    },
  };
}

/** The program's settings, with the service's address for every connection, and without a journal. */
function settingsFor({ url }: MockService): ConfigurationSource {
  const config = new pulumi.Config(NAME);
  return (key) => {
    if (key === "baseUrl") return url;
    if (key === "journal") return "off";
    const connections = key === "connections" ? jsonIn(config.get(key) ?? "") : undefined;
    if (!isProperties(connections)) return config.get(key);
    const redirected = Object.entries(connections).map(([name, settings]) => [
      name,
      isProperties(settings) ? { ...settings, baseUrl: url } : settings,
    ]);
    return JSON.stringify(Object.fromEntries(redirected));
  };
}

const nothing = async (): Promise<void> => {};

/** A clock on which no pause is longer than 5 ms. */
const hastyClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => setTimeout(Math.min(milliseconds, 5)),
};

/** For a function's error, the SDK passes on only `details`. */
function sdkError(message: string): Error {
  const error = Object.assign(new Error(message), { details: message });
  error.stack = message;
  return error;
}

/** A smoke test that sends no requests and always gets the expected reply. */
const smokeTest: Resource = {
  ...RESOURCES.SmokeTest,
  async create({ name }, inputs) {
    const { equals, contains, matches } = inputs.expect as { [kind: string]: string };
    const reply = equals ?? contains ?? `(a reply that matches ${matches})`;
    const report = { reply, threadId: `${name}-thread`, runId: `${name}-run`, seconds: 0 };
    return { id: name, outputs: stateOf(inputs, report) };
  },
};

const MOCKED: { readonly [type: string]: Resource } = { ...RESOURCES, SmokeTest: smokeTest };

/** The resource with that type token, in either form; undefined for a resource of another package. */
export const resourceOf = (token: string): Resource | undefined => MOCKED[resourceOfType(token) ?? ""];

/** Separates the marks of secrets from the values, and replaces unknown values with the engine's sentinel. */
const bagOf = (args: Arguments): Bag => separateMarks(withUnknowns(args) as Properties);

function withUnknowns(value: unknown): unknown {
  if (pulumi.isUnknown(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map(withUnknowns);
  if (!isProperties(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withUnknowns(member)]));
}

/** The outputs, with a secret mark on each output in `names`, as in the engine's state. */
function withSecrets(outputs: State, names: readonly string[]): State {
  const secrets = names.filter((name) => !isAbsent(outputs[name]));
  return { ...outputs, ...Object.fromEntries(secrets.map((name) => [name, pulumi.secret(outputs[name])])) };
}
