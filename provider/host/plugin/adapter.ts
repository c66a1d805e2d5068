/**
 * Adapts the engine's requests to the border, for one kind of resource. The adapter turns a request's arguments,
 * options and secret marks into facts and values, and the border's result into outputs without any secret value.
 */

import type { Diffed, Facts, Resource } from "../../call";
import type { Listed } from "../../client/listed";
import { RefusedError } from "../../failure";
import type { Fault } from "../../fields/check";
import { secretPathsIn } from "../../fields/kind";
import { isAbsent, type Properties, rowsIn, UNKNOWN } from "../../fields/value";
import type { EngineRun } from "../../run/run";
import type { FieldChange } from "../../verdict/changes";
import { Border } from "../border";
import { type Bag, pathOf, separateMarks, type ValuePath } from "../marks";
import { asNoted, SCHEMA, separatePlanNotes, withNotes } from "../schema";
import type { Settings } from "./configuration";
import { unrecordedNote, withoutUnrecorded } from "./unrecorded";
import { filled, without } from "./wire";

/** A look-up. The engine gets an object in which the look-up's result is the member `name`. */
export interface ServedFunction {
  readonly name: string;
  readonly call: (settings: Settings, args: Properties) => Promise<unknown[]>;
}

/** Reads all entries that pass the filters, oldest first. */
export type ServedList = (settings: Settings, filters: Properties) => Promise<readonly Listed[]>;

/** The parts of the package that the plugin serves, by the names at the end of type and function tokens. */
export interface Served {
  readonly version: string;
  readonly schema: () => string;
  readonly resources: { readonly [name: string]: Resource };
  readonly functions: { readonly [name: string]: ServedFunction };
  /** The lists, by the resource's name; a resource that is not a key here cannot be listed. */
  readonly lists: { readonly [name: string]: ServedList };
  /** The error in one sentence for users; undefined for an unexpected error. */
  readonly wordsOfFailure: (error: unknown) => string | undefined;
}

/** The resource of a request, and its time-outs. */
export type About = Pick<Facts, "urn" | "timeouts">;

interface PluginSide extends Bag {
  readonly facts: Facts;
  /** The inputs that the engine keeps if an update fails. */
  readonly oldInputs?: Bag;
}

export interface FullDiff extends Diffed {
  readonly details: readonly FieldChange[];
}

/** A resource as the service has it: its outputs and matching arguments. */
export interface LiveResource {
  readonly id: string;
  readonly outputs: Properties;
  readonly inputs: Bag;
}

export class Adapter {
  readonly #resource: Resource;
  readonly #border: Border<PluginSide>;

  constructor(resource: Resource, run: () => EngineRun) {
    this.#resource = resource;
    this.#border = new Border(resource, run, (outputs, side, id) => this.#outputs(id, outputs, side));
  }

  /** Returns the inputs to record, or their faults. */
  async check(about: About, olds: Bag, news: Bag): Promise<{ inputs: Bag; failures: readonly Fault[] }> {
    const { inputs, failures } = await this.#border.check(sideOf(about, olds), sideOf(about, news));
    return { inputs: { values: inputs, secrets: news.secrets }, failures };
  }

  /** The effect of an update, path by path. */
  async diff(about: About, id: string, olds: Properties, oldInputs: Bag, news: Bag): Promise<FullDiff> {
    const before = this.#recorded(about, olds, oldInputs);
    const after = sideOf(about, news);
    const lackingNames = this.#lackingOutputs(id, olds);
    const diff = await this.#border.diff(id, before, after, lackingNames.length > 0);
    if (!diff.changes) return { ...diff, details: [] };
    const additions = lackingNames.map(
      (name): FieldChange => ({ names: [name], kind: "added", replaces: false }),
    );
    return { ...diff, details: [...this.#border.details(before, after), ...additions] };
  }

  /** The names of the outputs that only this host records and that a state of the dynamic form lacks. */
  #lackingOutputs(id: string, olds: Properties): string[] {
    const derivedNames = Object.keys(this.#resource.derived?.(id, olds) ?? {});
    return derivedNames.filter((name) => !Object.hasOwn(olds, name));
  }

  async create(about: About, news: Bag): Promise<{ id: string; outputs: Properties }> {
    const { id, outs } = await this.#border.create(sideOf(about, news));
    return { id, outputs: outs };
  }

  /** The outputs of a creation, as far as the preview knows them. */
  createPreview(news: Bag): Properties {
    const unknowns = Object.keys(this.#resource.outputRows).map((name) => [name, UNKNOWN]);
    return this.#outputs(undefined, { ...Object.fromEntries(unknowns), ...news.values }, news);
  }

  async update(about: About, id: string, olds: Properties, oldInputs: Bag, news: Bag): Promise<Properties> {
    const before = this.#recorded(about, olds, oldInputs);
    return (await this.#border.update(id, before, { ...sideOf(about, news), oldInputs })).outs;
  }

  /** The outputs of an update, as far as the preview knows them. Outputs that the update cannot change stay. */
  updatePreview(about: About, id: string, olds: Properties, oldInputs: Bag, news: Bag): Properties {
    const { rows, outputRows } = this.#resource;
    const before = this.#recorded(about, olds, oldInputs);
    const unsettled = this.#border.unsettled(before, sideOf(about, news));
    const unknowns = unsettled
      .filter((name) => Object.hasOwn(outputRows, name))
      .map((name) => [name, UNKNOWN]);
    const reports = Object.entries(olds).filter(([name]) => !Object.hasOwn(rows, name));
    return this.#outputs(
      id,
      { ...Object.fromEntries(reports), ...Object.fromEntries(unknowns), ...news.values },
      news,
    );
  }

  /** Refreshes a recorded resource; returns undefined if the resource is gone. */
  async refresh(about: About, id: string, state: Properties, inputs: Bag): Promise<LiveResource | undefined> {
    const live = await this.#border.read(id, this.#recorded(about, state, inputs));
    if (live.id === undefined) return undefined;
    const liveInputs = live.inputs === undefined ? inputs : { ...inputs, values: live.inputs };
    const { props: outputs = {} } = live;
    const isInDoubt = withNotes(state).incomplete === true;
    return { id: live.id, outputs: isInDoubt ? this.#asBefore(state, outputs) : outputs, inputs: liveInputs };
  }

  /**
   * The outputs, with the recorded arguments and texts instead of those of the service. After a failed update, the
   * engine still has the inputs from before the update. The failed update's secrets are therefore unknown here, and the
   * service may repeat these secrets in any text. The first refresh after a successful update finds any drift.
   */
  #asBefore(state: Properties, outputs: Properties): Properties {
    const { rows, outputRows } = this.#resource;
    const texts = Object.entries(outputRows).filter(
      ([, { kind, wire }]) => kind.type === "text" && wire !== undefined,
    );
    const reports = Object.entries(outputs).filter(([name]) => !Object.hasOwn(rows, name));
    return {
      ...Object.fromEntries(reports),
      ...rowsIn(rows, state),
      ...Object.fromEntries(texts.map(([name]) => [name, state[name] ?? null])),
    };
  }

  /**
   * Whether the program declares the resource with arguments. A program that only reads the resource gives at most the
   * connection.
   */
  isDeclared({ values }: Bag): boolean {
    return Object.keys(values).some(
      (name) => name !== "connection" && Object.hasOwn(this.#resource.rows, name),
    );
  }

  /** Reads a resource without recorded arguments, for an import or a `get`. Returns every argument except secrets. */
  async find(about: About, id: string, inputs: Bag): Promise<LiveResource | undefined> {
    const { unreadable, kind, rows } = this.#resource;
    if (unreadable !== undefined)
      throw new RefusedError(`a ${kind} can be neither imported nor looked up: ${unreadable}`);
    const live = await this.#border.read(id, sideOf({ ...about, readOnly: true }, inputs));
    if (live.id === undefined || live.props === undefined) return undefined;
    const args = Object.entries(rowsIn(rows, live.props));
    const settings = args.filter(([, value]) => !isAbsent(value));
    return {
      id: live.id,
      outputs: live.props,
      inputs: { values: Object.fromEntries(settings), secrets: [] },
    };
  }

  async delete(about: About, id: string, state: Properties, inputs: Bag): Promise<void> {
    await this.#border.delete(id, this.#recorded(about, state, inputs));
  }

  /** The recorded outputs, with the secrets and the plan's notes, which only the recorded inputs have. */
  #recorded(about: About, state: Properties, inputs: Bag): PluginSide {
    const values = withoutUnrecorded(withNotes(filled(state, inputs.values, this.#hidden(inputs))));
    const { planNotes } = separatePlanNotes(inputs.values);
    return sideOf(about, { values: { ...values, ...planNotes }, secrets: inputs.secrets });
  }

  /** The outputs for the engine to record and show. */
  #outputs(
    id: string | undefined,
    outputs: Properties,
    inputs: Bag & { readonly oldInputs?: Bag },
  ): Properties {
    const derived = this.#resource.derived?.(id, outputs) ?? {};
    // The border has already marked the texts that hold a secret.
    const { values, secrets } = separateMarks(outputs);
    const hidden = [...this.#hidden(inputs), ...secrets];
    const { values: shownValues } = separatePlanNotes(without(values, hidden));
    return { ...shownValues, ...this.#unrecorded(values, hidden, inputs.oldInputs), ...derived };
  }

  /** After a failed update, the note that lists the secrets in neither the outputs nor the old inputs. */
  #unrecorded(outputs: Properties, hidden: readonly ValuePath[], oldInputs: Bag | undefined): Properties {
    if (oldInputs === undefined || withNotes(outputs).incomplete !== true) return {};
    return asNoted(unrecordedNote(outputs, oldInputs.values, [...hidden, ...oldInputs.secrets]));
  }

  /** The places of secrets: marked arguments, and every secret row. */
  #hidden({ secrets }: Bag): ValuePath[] {
    return [...secrets, ...secretPathsIn(this.#resource.rows)];
  }
}

const sideOf = (facts: Omit<Facts, "secretPaths">, properties: Bag): PluginSide => ({
  ...properties,
  facts: { ...facts, secretPaths: properties.secrets.map(pathOf) },
});

export const isRecorded = (state: Properties): boolean => Object.hasOwn(state, SCHEMA);
