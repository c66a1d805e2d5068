/** Adapts the engine's requests to the border, for one kind of resource. */

import type { Diffed, Facts, Resource } from "../../call";
import type { Listed } from "../../client/listed";
import type { FieldChange } from "../../diff/changes";
import { RefusedError } from "../../failure";
import type { EngineRun } from "../../run/run";
import { secretPathsIn } from "../../schema/kind";
import type { Arguments, Inputs, State } from "../../schema/recorded";
import { isAbsent, type Properties, rowsIn } from "../../schema/value";
import { Border, MOVES } from "../border";
import { type Bag, pathOf, separateMarks } from "../marks";
import { PLAN, SCHEMA } from "../schema";
import type { Settings } from "./configuration";
import { marked, without } from "./wire";

/** A look-up. The engine gets the look-up's result as the member `name` of an object. */
export interface ServedFunction {
  readonly name: string;
  readonly call: (settings: Settings, args: Arguments) => Promise<unknown[]>;
}

/** Reads all entries that pass the filters, oldest first. */
export type ServedList = (settings: Settings, filters: Properties) => Promise<readonly Listed[]>;

/** The parts of the package that the plugin serves. Each key is the last part of a type or function token. */
export interface Served {
  readonly version: string;
  readonly schema: () => string;
  readonly resources: { readonly [name: string]: Resource };
  readonly functions: { readonly [name: string]: ServedFunction };
  /** The lists, by the resource's name. A resource that is not a key here cannot be listed. */
  readonly lists: { readonly [name: string]: ServedList };
  /** The error in one sentence for users; undefined for an unexpected error. */
  readonly wordsOfFailure: (error: unknown) => string | undefined;
}

/** The resource that a request is about, and the request's time-outs. */
export type About = Pick<Facts, "urn" | "timeouts">;

export interface Recorded {
  readonly state: Bag<State>;
  readonly inputs: Bag<Inputs>;
}

interface PluginSide<V extends Arguments = Arguments> extends Bag<V> {
  readonly facts: Facts;
}

export interface FullDiff extends Diffed {
  readonly details: readonly FieldChange[];
}

/** A resource as the service has it, with matching arguments. */
export interface LiveResource {
  readonly id: string;
  readonly outputs: State;
  readonly inputs: Bag<Inputs>;
}

export class Adapter {
  readonly #resource: Resource;
  readonly #border: Border<PluginSide>;

  constructor(resource: Resource, run: () => EngineRun) {
    this.#resource = resource;
    this.#border = new Border(resource, run, (outputs, side, id) => this.#outputs(id, outputs, side));
  }

  /** Returns the inputs to record, or their faults. `recorded` has no state on engines before 3.261. */
  async check(about: About, recorded: Recorded, news: Bag<Arguments>) {
    const state = isRecorded(recorded.state.values) ? recordedSide(about, recorded) : undefined;
    const olds = sideOf(about, recorded.inputs);
    const { inputs, failures } = await this.#border.check(olds, sideOf(about, news), state);
    return { inputs: { values: inputs, secrets: news.secrets }, failures };
  }

  async diff(about: About, id: string, recorded: Recorded, news: Bag<Inputs>): Promise<FullDiff> {
    const before = recordedSide(about, recorded);
    const after = sideOf(about, news);
    const lackingNames = this.#lackingOutputs(id, recorded.state.values);
    const diff = await this.#border.diff(id, before, after, lackingNames.length > 0 ? MOVES : undefined);
    if (!diff.changes) return { ...diff, details: [] };
    const additions = lackingNames.map(
      (name): FieldChange => ({ names: [name], kind: "added", replaces: false }),
    );
    return { ...diff, details: [...this.#border.details(before, after), ...additions] };
  }

  /** The outputs that only this host records. A state that the dynamic form wrote lacks these outputs. */
  #lackingOutputs(id: string, state: State): string[] {
    const derivedNames = Object.keys(this.#resource.derived?.(id, state) ?? {});
    return derivedNames.filter((name) => !Object.hasOwn(state, name));
  }

  async create(about: About, inputs: Bag<Inputs>, isPreview: boolean) {
    const { id, outs } = await this.#border.create(sideOf(about, inputs), isPreview);
    return { id, outputs: outs };
  }

  async update(about: About, id: string, recorded: Recorded, news: Bag<Inputs>, isPreview: boolean) {
    return (await this.#border.update(id, recordedSide(about, recorded), sideOf(about, news), isPreview))
      .outs;
  }

  /** Returns undefined if the resource is gone. */
  async refresh(about: About, id: string, recorded: Recorded): Promise<LiveResource | undefined> {
    const side = recordedSide(about, recorded);
    const live = await this.#border.read(id, side);
    if (live.id === undefined) return undefined;
    const { secrets } = side;
    const liveInputs = live.inputs === undefined ? recorded.inputs : { values: live.inputs, secrets };
    return { id: live.id, outputs: live.props ?? {}, inputs: liveInputs };
  }

  /** Whether the program declares the resource. A program that only reads the resource sets at most the connection. */
  isDeclared({ values }: Bag): boolean {
    return Object.keys(values).some(
      (name) => name !== "connection" && Object.hasOwn(this.#resource.rows, name),
    );
  }

  /** Reads a resource without recorded arguments, for an import or a `get`. Returns all arguments except secrets. */
  async find(about: About, id: string, inputs: Bag): Promise<LiveResource | undefined> {
    const { unreadable, kind, rows } = this.#resource;
    if (unreadable !== undefined)
      throw new RefusedError(`a ${kind} can be neither imported nor looked up: ${unreadable}`);
    const live = await this.#border.read(id, sideOf({ ...about, readOnly: true }, inputs));
    if (live.id === undefined || live.props === undefined) return undefined;
    const { values, secrets } = separateMarks(live.props);
    // Pulumi prints the inputs of an import in plaintext.
    const args = Object.entries(rowsIn(rows, without(values, secrets)));
    const settings = args.filter(([, value]) => !isAbsent(value));
    return {
      id: live.id,
      outputs: live.props,
      inputs: { values: Object.fromEntries(settings), secrets: [] },
    };
  }

  async delete(about: About, id: string, recorded: Recorded): Promise<void> {
    await this.#border.delete(id, recordedSide(about, recorded));
  }

  /** Marks secret rows and everything that the program marked. The border has marked strings that contain a secret. */
  #outputs(id: string, outputs: State, { secrets: declared }: Bag): State {
    const { [PLAN]: _plan, ...shownOutputs } = outputs;
    const { values, secrets } = separateMarks({ ...shownOutputs, ...this.#resource.derived?.(id, outputs) });
    return marked(values, [...secretPathsIn(this.#resource.rows), ...declared, ...secrets]);
  }
}

/** The state may lack some of the program's secret marks, but the recorded inputs have all of them. */
const recordedSide = (about: About, { state, inputs }: Recorded): PluginSide<State> =>
  sideOf(about, { values: state.values, secrets: [...state.secrets, ...inputs.secrets] });

const sideOf = <V extends Arguments>(about: About & Partial<Facts>, bag: Bag<V>): PluginSide<V> => ({
  ...bag,
  facts: { ...about, secretPaths: bag.secrets.map(pathOf) },
});

export const isRecorded = (state: State): boolean => Object.hasOwn(state, SCHEMA);
