/** The provider and the service behind the mocks for a program's unit tests. */
import * as pulumi from "@pulumi/pulumi";
import type { Resource } from "../../provider/call";
import { ControlClient } from "../../provider/client/control";
import { labelOf, unlabelled } from "../../provider/diff/describe";
import { DynamicBorder } from "../../provider/engine/dynamic";
import { type Bag, pathOf, separateMarks } from "../../provider/engine/marks";
import { pack, unpack } from "../../provider/engine/packing";
import { LOOK_UP_CALLS } from "../../provider/lookups";
import { RESOURCES } from "../../provider/resources";
import { connectionFrom } from "../../provider/run/configuration";
import { failureWords } from "../../provider/run/failureWords";
import { faultInWords } from "../../provider/schema/check";
import { secretNamesIn } from "../../provider/schema/kind";
import { LOOK_UPS, type LookUp } from "../../provider/schema/lookups";
import { NAME, pluginTypeToken, resourceOfType } from "../../provider/schema/naming";
import { type Arguments, type Inputs, type State, stateOf } from "../../provider/schema/recorded";
import { isAbsent, isProperties, type Properties, UNKNOWN } from "../../provider/schema/value";
import { reasonOf } from "../report/evaluate/reasons";
import { saidIn } from "../report/read/lines";
import { newPlanOf, planIn } from "../report/read/plan";
import type { Given } from "./fixtures";
import type { PlannedUpdate } from "./planned";
import { MockRun, type Open } from "./run";
import { MockService } from "./service";
import { rejectWaiting } from "./values";

const BASE_URL = "https://deployment-control.example";

interface ResourceState {
  readonly id: string | undefined;
  readonly state: State;
}

export class MockProvider {
  readonly #given: Given;
  readonly #configuration: { readonly [setting: string]: string };
  readonly #services = new Map<string, MockService>();

  constructor(fixtures: Given, configuration: { readonly [setting: string]: string }) {
    this.#given = fixtures;
    this.#configuration = configuration;
  }

  /** The resource as a first `up`, or its preview, would record it. Rejects if an argument is bad. */
  async newResource(resource: Resource, args: pulumi.runtime.MockResourceArgs): Promise<ResourceState> {
    const label = labelOf(resource.kind, args.name);
    try {
      const isPlugins = args.type === pluginTypeToken(resourceOfType(args.type) as string);
      // The program adds this note to a dynamic resource that is only read; a plugin's resource that is only read has
      // an id instead.
      const note = isPlugins && args.id ? pack({ readOnly: true }) : {};
      const { values, secrets } = bagOf(args.inputs);
      const secretNames = secrets.map(([name]) => name as string);
      const inputs = { ...values, ...note };
      const border = this.#border(resource);
      const { id, state } = await (border.isRead(inputs)
        ? this.#read(border, args.id, inputs)
        : this.#make(border, inputs));
      // The plugin itself returns the outputs that a dynamic resource's class derives in the program.
      const outputs = isPlugins ? { ...unpack(state).values, ...resource.derived?.(id, state) } : state;
      return {
        id,
        state: withSecrets(outputs, [...secretNamesIn(resource.rows), ...secretNames]),
      };
    } catch (error) {
      const message = failureWords(error);
      const refusal = sdkError(`${label}: ${unlabelled(label, message) ?? message}`);
      if (!rejectWaiting(refusal)) throw refusal;
      return { id: `${args.name}-refused`, state: args.inputs };
    }
  }

  /**
   * Creates a deployment with the arguments `before` and plans its update to the arguments `after`, both as the program
   * serializes them. Throws if the preview would fail.
   */
  async plannedUpdate(before: Arguments, after: Arguments): Promise<PlannedUpdate> {
    const { Deployment } = RESOURCES;
    const creation = this.#border(Deployment);
    const inputs = await this.#checked(creation, {}, withFacts(before));
    const { id, outs } = await this.#created(creation, inputs);
    const lines: string[] = [];
    const border = this.#border(Deployment, (line) => lines.push(line));
    const newInputs = await this.#checked(border, inputs, withFacts(after));
    await border.diff(id, outs, newInputs);
    const plan = newPlanOf("update", { before: planIn({ inputs }), after: planIn({ inputs: newInputs }) });
    const verdict = lines.map((line) => saidIn(line)?.verdict).find((said) => said !== undefined);
    return {
      verdict: (verdict ?? "unchanged") as PlannedUpdate["verdict"],
      reasons: (plan?.changes ?? []).map(reasonOf),
      line: lines.join("; "),
    };
  }

  /** The answer that the engine's function for the look-up would give. */
  async lookUp(name: LookUp, inputs: Arguments): Promise<Properties> {
    const args = bagOf(inputs).values;
    const open = (connectionName: string | undefined) => {
      const { connection, service } = this.#open(connectionName);
      service.install(args);
      return { connection, client: new ControlClient(connection, service.endpoints) };
    };
    try {
      return { [LOOK_UPS[name]]: await LOOK_UP_CALLS[name](open, args) };
    } catch (error) {
      throw sdkError(failureWords(error));
    }
  }

  async #make(border: DynamicBorder, args: Arguments): Promise<ResourceState> {
    const inputs = await this.#checked(border, {}, args);
    if (pulumi.runtime.isDryRun()) return { id: undefined, state: stateOf(inputs, {}) };
    const { id, outs } = await this.#created(border, inputs);
    return { id, state: outs };
  }

  #created(border: DynamicBorder, inputs: Inputs): Promise<{ id: string; outs: State }> {
    this.#open(inputs.connection as string | undefined).service.install(inputs);
    return border.create(inputs);
  }

  /** The inputs after the provider's check. `recorded`: the previous inputs; empty for a creation. */
  async #checked(border: DynamicBorder, recorded: Inputs, args: Arguments): Promise<Inputs> {
    // Many tests may share one set of mocks, and each may create the same deployment.
    if (Object.keys(recorded).length === 0)
      for (const service of this.#services.values()) service.forget(args.name);
    const { inputs, failures } = await border.check(recorded, args);
    if (failures.length > 0) throw new Error(failures.map(faultInWords).join("; "));
    return separateMarks(inputs).values;
  }

  /** Reads the resource, even for a plan, unless the id is unknown before the apply. */
  async #read(border: DynamicBorder, id: string | undefined, state: State): Promise<ResourceState> {
    if (id === undefined || id === UNKNOWN) return { id: undefined, state };
    const { props = {} } = await border.read(id, state);
    return { id, state: props };
  }

  /** The provider for one resource. Each call begins a new run, because many tests may share one set of mocks. */
  #border(resource: Resource, hear?: (line: string) => void): DynamicBorder {
    const run = new MockRun(this.#open, hear);
    return new DynamicBorder(resource, () => run);
  }

  readonly #open: Open = (name) => {
    const config = new pulumi.Config(NAME);
    const setting = (key: string) => this.#configuration[key] ?? config.get(key);
    const readSetting = (key: string) => setting(key) ?? (key === "baseUrl" ? BASE_URL : undefined);
    const connection = connectionFrom(readSetting, {}, name);
    const key = JSON.stringify(connection);
    const service = this.#services.get(key) ?? new MockService(connection, this.#given);
    this.#services.set(key, service);
    return { connection, service };
  };
}

/** An error whose message the SDK passes on: for a function's error, the SDK reads only `details`. */
function sdkError(message: string): Error {
  const error = Object.assign(new Error(message), { details: message });
  error.stack = message;
  return error;
}

/** The smoke test without requests: its reply is the expected one. */
const mockSmokeTest = (smokeTest: Resource): Resource => ({
  ...smokeTest,
  async create(call, inputs) {
    const { equals, contains, matches } = inputs.expect as { [kind: string]: string };
    const reply = equals ?? contains ?? `(a reply that matches ${matches})`;
    const id = call.name;
    const report = { reply, threadId: `${id}-thread`, runId: `${id}-run`, seconds: 0 };
    return { id, outputs: stateOf(inputs, report) };
  },
});

const MOCKED = { ...RESOURCES, SmokeTest: mockSmokeTest(RESOURCES.SmokeTest) };

/** The resource with that type token in either form; undefined for a resource of another package. */
export function resourceOf(token: string): Resource | undefined {
  const type = resourceOfType(token) ?? "";
  return Object.hasOwn(MOCKED, type) ? MOCKED[type as keyof typeof MOCKED] : undefined;
}

/**
 * Turns the inputs that the SDK gives the mocks into the engine's form: the marks of secrets are separate, and the
 * engine's sentinel stands for each unknown value.
 */
const bagOf = (args: Arguments): Bag => separateMarks(withUnknowns(args) as Properties);

function withUnknowns(value: unknown): unknown {
  if (pulumi.isUnknown(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map(withUnknowns);
  if (!isProperties(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withUnknowns(member)]));
}

/**
 * The serialized arguments without the marks of secrets; the secrets' paths are added in the form that a dynamic
 * resource uses.
 */
function withFacts(args: Arguments): Arguments {
  const { values, secrets } = bagOf(args);
  return { ...values, ...pack({ secretPaths: secrets.map(pathOf) }) };
}

/** The outputs, with a secret mark on each output in `names`, as in the engine's state. */
function withSecrets(outputs: State, names: readonly string[]): State {
  const presentNames = names.filter((name) => !isAbsent(outputs[name]));
  return {
    ...outputs,
    ...Object.fromEntries(presentNames.map((name) => [name, pulumi.secret(outputs[name])])),
  };
}
