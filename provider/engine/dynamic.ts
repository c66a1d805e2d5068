/** The entry point for Pulumi's dynamic host, which loads this code once per process. */

import { createRequire } from "node:module";
import type * as pulumi from "@pulumi/pulumi";
import type { Checked, Resource } from "../call";
import { UnfinishedError } from "../failure";
import type { EngineRun } from "../run/run";
import { sameValue } from "../schema/compare";
import { NAME, settingName } from "../schema/naming";
import type { Arguments, Inputs, State } from "../schema/recorded";
import type { Properties } from "../schema/value";
import { Border, MOVES } from "./border";
import { shownFailure, shownFault } from "./engine";
import { type Unpacked, unpack } from "./packing";
import { Process } from "./process";

type Host = pulumi.dynamic.ResourceProvider;

const hostProcess = new Process(process.argv[2], () => {
  const ofSdk = createRequire(require.resolve("@pulumi/pulumi"));
  const { credentials } = ofSdk("@grpc/grpc-js");
  const { EngineClient } = ofSdk("@pulumi/pulumi/proto/engine_grpc_pb");
  const { LogRequest } = ofSdk("@pulumi/pulumi/proto/engine_pb");
  return { credentials, EngineClient, LogRequest };
});

/** The names of the settings that the stack keeps as secrets. The host passes their values as plain strings. */
const secretSettings = new Set<string>();

function sideOf<V extends Properties>(properties: V): Unpacked<V> {
  const side = unpack(properties);
  for (const key of side.secretSettings) secretSettings.add(key);
  return side;
}

/** Adds the packed facts to the inputs and outputs, so that the engine records the facts unchanged. */
export class DynamicBorder {
  readonly #border: Border<Unpacked>;

  constructor(resource: Resource, run: () => EngineRun) {
    this.#border = new Border(resource, run, (outputs, { packed }) => ({ ...packed, ...outputs }));
  }

  async check(olds: Inputs, news: Arguments): Promise<Pick<Checked, "inputs" | "failures">> {
    const [before, after] = [sideOf(olds), sideOf(news)];
    const { inputs, failures } = await this.#border.check(before, after);
    return { inputs: { ...after.packed, ...inputs }, failures };
  }

  async diff(id: string, olds: State, news: Inputs) {
    const [before, after] = [sideOf(olds), sideOf(news)];
    // A later refresh or deletion needs the packed code, which a state of the plugin lacks.
    const isPlugins = !before.isDynamic && after.isDynamic;
    // A refresh and a deletion get only the recorded outputs, so a changed list of secret settings must be recorded.
    const secrecyDiffers = !sameValue(before.secretSettings, after.secretSettings);
    const why = isPlugins ? MOVES : secrecyDiffers ? "records which settings are secret" : undefined;
    return this.#border.diff(id, before, after, why);
  }

  create = (inputs: Inputs) => this.#border.create(sideOf(inputs));

  async read(id: string, state: State): Promise<{ id?: string; props?: State; inputs?: Inputs }> {
    const side = sideOf(state);
    const { inputs, ...answer } = await this.#border.read(id, side);
    return { ...answer, ...(inputs && { inputs: { ...side.packed, ...inputs } }) };
  }

  update = (id: string, olds: State, news: Inputs) => this.#border.update(id, sideOf(olds), sideOf(news));

  delete = (id: string, state: State) => this.#border.delete(id, sideOf(state));

  isRead = (args: Arguments): boolean => sideOf(args).facts.readOnly === true;
}

export function dynamicProvider(resource: Resource): Host {
  const border = new DynamicBorder(resource, () => hostProcess.run);
  return {
    configure: async (request) =>
      hostProcess.configure(
        Object.assign((key: string) => request.config.get(settingName(key)), {
          isSecret: (key: string) => secretSettings.has(key),
        }),
      ),
    check: async (olds, news) => {
      try {
        const { inputs, failures } = await border.check(olds, news);
        return { inputs: plainJson(inputs), failures: failures.map((fault) => asFailure(shownFault(fault))) };
      } catch (error) {
        return { inputs: news, failures: [asFailure(shownFailure(error))] };
      }
    },
    diff: guarded(async (id: pulumi.ID, olds: State, news: Inputs) => {
      const { replaces = [], deleteBeforeReplace = false, changes } = await border.diff(id, olds, news);
      return { changes, replaces: [...replaces], deleteBeforeReplace };
    }),
    create: guarded(border.create),
    read: guarded((id: pulumi.ID, state: State) => border.read(id, state)) as NonNullable<Host["read"]>,
    update: guarded(border.update),
    delete: guarded(border.delete),
  };
}

/** A failure that names no property. The engine would print a named property's whole value, secrets included. */
const asFailure = (reason: string): pulumi.dynamic.CheckFailure => ({ property: "", reason });

/** Wraps a method so that the host can pass on the method's results and errors. */
function guarded<A extends unknown[], R>(method: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return plainJson(await method(...args));
    } catch (error) {
      throw presentable(error);
    }
  };
}

/** Replaces the stack trace of our errors, so that `quietHost` recognizes the line that the host prints. */
const PRINTED = "the error is shown with its resource";
let isHostQuiet = false;

/** Drops the line that the host prints for each error, because the engine shows the error itself. */
function quietHost(): void {
  if (isHostQuiet) return;
  isHostQuiet = true;
  const print = console.error;
  console.error = (...words: unknown[]) => {
    if (words.length !== 1 || words[0] !== `${NAME}: ${PRINTED}`) print(...words);
  };
}

/** The error without secrets or a stack trace. */
function presentable(error: unknown): Error {
  quietHost();
  const shownError = new Error(shownFailure(error));
  shownError.name = "";
  shownError.stack = PRINTED;
  shownError.toString = () => NAME;
  if (error instanceof UnfinishedError) {
    const properties = plainJson(error.properties as Properties);
    Object.assign(shownError, { id: error.id, properties, reasons: [shownError.message] });
  }
  return shownError;
}

/** Drops undefined values. With an undefined value, the host would fail after the request and lose the resource. */
const plainJson = <V>(value: V): V => (value === undefined ? value : JSON.parse(JSON.stringify(value)));
