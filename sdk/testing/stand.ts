/** Stands for the provider and its service in the unit tests of a program. */
import * as pulumi from "@pulumi/pulumi";
import { ControlClient } from "../../provider/client/control";
import { faultInWords, secretNamesIn } from "../../provider/fields/check";
import { LOOK_UPS, type LookUp } from "../../provider/fields/lookups";
import { NAME } from "../../provider/fields/naming";
import { type Properties, UNKNOWN } from "../../provider/fields/value";
import { DynamicBorder } from "../../provider/host/dynamic";
import { getDeployments, getListeners, getRepositories, getRevisions } from "../../provider/lookups";
import type { Resource } from "../../provider/resource";
import { connectionFrom } from "../../provider/run/configuration";
import { failureWords } from "../../provider/run/failureWords";
import { labelOf, unlabelled } from "../../provider/verdict/sentences";
import type { Given } from "./given";
import { GivenRun, type Open } from "./run";
import { GivenService } from "./service";
import { plain, secretIn, withSecrets } from "./values";

const FUNCTIONS = { getDeployments, getListeners, getRepositories, getRevisions };

/** Kinds of resources that exist before a program declares them. */
const INSTALLED: readonly string[] = ["listener", "token metadata"];

const BASE_URL = "https://deployment-control.example";

interface Made {
  readonly id: string | undefined;
  readonly state: Properties;
}

export class Stand {
  readonly #given: Given;
  readonly #configuration: { readonly [setting: string]: string };
  readonly #services = new Map<string, GivenService>();

  constructor(given: Given, configuration: { readonly [setting: string]: string }) {
    this.#given = given;
    this.#configuration = configuration;
  }

  /** The resource as a first `up` would record it, or its preview. Rejects for bad arguments. */
  async newResource(resource: Resource, args: pulumi.runtime.MockResourceArgs): Promise<Made> {
    const label = labelOf(resource.kind, args.name);
    try {
      const inputs = plain(args.inputs) as Properties;
      const border = this.#border(resource);
      const { id, state } = await (border.isRead(inputs)
        ? this.#read(border, args.id, inputs)
        : this.#make(resource, border, inputs));
      return { id, state: withSecrets(state, [...secretNamesIn(resource.rows), ...secretIn(args.inputs)]) };
    } catch (error) {
      const words = failureWords(error);
      throw presentable(`${label}: ${unlabelled(label, words) ?? words}`);
    }
  }

  /** What the engine's function of that look-up answers. */
  async lookUp(name: LookUp, inputs: Properties): Promise<Properties> {
    const args = plain(inputs) as Properties;
    const open = (connectionName: string | undefined) => {
      const { connection, service } = this.#open(connectionName);
      service.install(args);
      return { connection, client: new ControlClient(connection, service.endpoints) };
    };
    try {
      return { [LOOK_UPS[name]]: await FUNCTIONS[name](open, args) };
    } catch (error) {
      throw presentable(failureWords(error));
    }
  }

  async #make(resource: Resource, border: DynamicBorder, inputs: Properties): Promise<Made> {
    // One set of mocks may serve many tests, each of which makes the same.
    for (const service of this.#services.values()) service.forget(inputs.name);
    const { inputs: checked, failures } = await border.check({}, inputs);
    if (failures.length > 0) throw new Error(failures.map(faultInWords).join("; "));
    const recorded = plain(checked) as Properties;
    if (pulumi.runtime.isDryRun()) return { id: undefined, state: recorded };
    if (INSTALLED.includes(resource.kind))
      this.#open(recorded.connection as string | undefined).service.install(recorded);
    const { id, outs } = await border.create(recorded);
    return { id, state: outs };
  }

  /** A plan reads too, unless the id is only known at the apply. */
  async #read(border: DynamicBorder, id: string | undefined, inputs: Properties): Promise<Made> {
    if (id === undefined || id === UNKNOWN) return { id: undefined, state: inputs };
    const { props = {} } = await border.read(id, inputs);
    return { id, state: props };
  }

  /** Each resource by itself: the mocks of many tests are one object. */
  #border(resource: Resource): DynamicBorder {
    const run = new GivenRun(this.#open);
    return new DynamicBorder(resource, () => run);
  }

  readonly #open: Open = (name) => {
    const config = new pulumi.Config(NAME);
    const setting = (key: string) => this.#configuration[key] ?? config.get(key);
    const read = (key: string) => setting(key) ?? (key === "baseUrl" ? BASE_URL : undefined);
    const connection = connectionFrom(read, {}, name);
    const key = JSON.stringify(connection);
    const service = this.#services.get(key) ?? new GivenService(connection, this.#given);
    this.#services.set(key, service);
    return { connection, service };
  };
}

/** An error whose words the SDK passes on: of a function's error it takes the details alone. */
function presentable(message: string): Error {
  const error = Object.assign(new Error(message), { details: message });
  error.stack = message;
  return error;
}
