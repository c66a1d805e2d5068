/**
 * One kind of resource between the engine's requests and the border: a request's arguments, options and secret marks
 * become facts and values, and what the border answers becomes outputs without any secret value.
 */

import type { Facts } from "../../call";
import { RefusedError } from "../../failure";
import { type Fault, secretNamesIn } from "../../fields/check";
import type { Rows } from "../../fields/kind";
import { isAbsent, type Properties, rowsIn, UNKNOWN } from "../../fields/value";
import type { Diffed, Resource } from "../../resource";
import type { Run } from "../../run/run";
import type { Detail } from "../../verdict/changes";
import { Border } from "../border";
import { PROFILE_IN_USE, SCHEMA, withNotes } from "../schema";
import { filled, type Place, pathOf, type Sent, told, without } from "./wire";

/** What the plugin's server has to know of each kind of resource, beside what the resource does. */
export interface ServedResource {
  readonly resource: Resource;
  /** Its outputs beside the arguments. */
  readonly outputRows: Rows;
  /** Why no state can be made of what an id names; undefined where the service shows it. */
  readonly unreadable?: string;
  /** Outputs that only this host has, made from the others; `id` is undefined while it is not known. */
  readonly derived?: (id: string | undefined, outputs: Properties) => Properties;
}

/** A look-up: its answer stands in an object under one name. */
export interface ServedFunction {
  readonly name: string;
  readonly call: (source: (key: string) => string | undefined, args: Properties) => Promise<unknown[]>;
}

/** Type and function tokens end with these names. */
export interface Served {
  readonly version: string;
  readonly schema: () => string;
  readonly resources: { readonly [name: string]: () => ServedResource };
  readonly functions: { readonly [name: string]: ServedFunction };
  /** One sentence fit to be shown; undefined for an error that nobody foresaw. */
  readonly wordsOfFailure: (error: unknown) => string | undefined;
}

/** Which resource a request is about, and what its options say. */
export type About = Pick<Facts, "urn" | "timeouts">;

interface SentSide extends Sent {
  readonly facts: Facts;
}

export interface Planned extends Diffed {
  readonly details: readonly Detail[];
}

/** What was found on the service: what it tells, and the arguments that it stands for. */
export interface FoundResource {
  readonly id: string;
  readonly outputs: Properties;
  readonly inputs: Sent;
}

export class Adapter {
  readonly #served: ServedResource;
  readonly #border: Border<SentSide>;

  constructor(served: ServedResource, run: () => Run) {
    this.#served = served;
    this.#border = new Border(served.resource, run, (outputs, side, id) => this.#outputs(id, outputs, side));
  }

  /** The inputs to record, or what is wrong with them. */
  async check(about: About, olds: Sent, news: Sent): Promise<{ inputs: Sent; failures: readonly Fault[] }> {
    const { inputs, failures } = await this.#border.check(sideOf(about, olds), sideOf(about, news));
    return { inputs: { values: inputs, secrets: news.secrets }, failures };
  }

  /** What an update would do, path by path. */
  async diff(about: About, id: string, olds: Properties, oldInputs: Sent, news: Sent): Promise<Planned> {
    const before = this.#recorded(about, olds, oldInputs);
    const after = sideOf(about, news);
    const lacking = this.#lackingOutputs(id, olds);
    const planned = await this.#border.diff(id, before, after, lacking.length > 0);
    if (!planned.changes) return { ...planned, details: [] };
    const added = lacking.map((name): Detail => ({ names: [name], kind: "added", replaces: false }));
    return { ...planned, details: [...this.#border.details(before, after), ...added] };
  }

  /** Outputs that only this host has, and that a state of the dynamic form is without. */
  #lackingOutputs(id: string, olds: Properties): string[] {
    const own = Object.keys(this.#served.derived?.(id, olds) ?? {});
    return own.filter((name) => !Object.hasOwn(olds, name));
  }

  async create(about: About, news: Sent): Promise<{ id: string; outputs: Properties }> {
    const { id, outs } = await this.#border.create(sideOf(about, news));
    return { id, outputs: outs };
  }

  /** The outputs of a creation as far as they are known before it. */
  createPreview(news: Sent): Properties {
    // The engine itself knows that the id is not known yet.
    const names = Object.keys(this.#served.outputRows).filter((name) => name !== "id");
    const unknown = names.map((name) => [name, UNKNOWN]);
    return this.#outputs(undefined, { ...Object.fromEntries(unknown), ...news.values }, news);
  }

  async update(about: About, id: string, olds: Properties, oldInputs: Sent, news: Sent): Promise<Properties> {
    const before = this.#recorded(about, olds, oldInputs);
    return (await this.#border.update(id, before, sideOf(about, news))).outs;
  }

  /** The outputs of an update as far as they are known before it: what it cannot change stays. */
  updatePreview(about: About, id: string, olds: Properties, oldInputs: Sent, news: Sent): Properties {
    const { resource, outputRows } = this.#served;
    const before = this.#recorded(about, olds, oldInputs);
    const unsettled = this.#border.unsettled(before, sideOf(about, news));
    const unknown = unsettled
      .filter((name) => Object.hasOwn(outputRows, name))
      .map((name) => [name, UNKNOWN]);
    const others = Object.entries(olds).filter(([name]) => !Object.hasOwn(resource.rows, name));
    return this.#outputs(
      id,
      { ...Object.fromEntries(others), ...Object.fromEntries(unknown), ...news.values },
      news,
    );
  }

  /** Refreshes what is recorded; undefined: gone. */
  async refresh(
    about: About,
    id: string,
    state: Properties,
    inputs: Sent,
  ): Promise<FoundResource | undefined> {
    const found = await this.#border.read(id, this.#recorded(about, state, inputs));
    if (found.id === undefined) return undefined;
    const read = found.inputs === undefined ? inputs : { ...inputs, values: found.inputs };
    const { props: outputs = {} } = found;
    const isInDoubt = withNotes(state).incomplete === true;
    return { id: found.id, outputs: isInDoubt ? this.#asBefore(state, outputs) : outputs, inputs: read };
  }

  /**
   * The outputs with the arguments, and the texts that the service tells, as they were recorded. After an update that failed
   * the engine has the inputs of the one before: nobody knows the secrets of the failed one, and the service may repeat
   * them in any text. What has drifted meanwhile the first refresh sees after an update that succeeds.
   */
  #asBefore(state: Properties, outputs: Properties): Properties {
    const { resource, outputRows } = this.#served;
    const texts = Object.entries(outputRows).filter(
      ([, { kind, wire }]) => kind.type === "text" && wire !== undefined,
    );
    const others = Object.entries(outputs).filter(([name]) => !Object.hasOwn(resource.rows, name));
    return {
      ...Object.fromEntries(others),
      ...rowsIn(resource.rows, state),
      ...Object.fromEntries(texts.map(([name]) => [name, state[name] ?? null])),
    };
  }

  /** Finds what no state has, for an import or a look at it: every argument as it is, but no secret. */
  async find(about: About, id: string, state: Sent): Promise<FoundResource | undefined> {
    const { unreadable, resource } = this.#served;
    if (unreadable !== undefined)
      throw new RefusedError(`a ${resource.kind} can be neither imported nor looked up: ${unreadable}`);
    const found = await this.#border.read(id, sideOf({ ...about, readOnly: true }, state));
    if (found.id === undefined || found.props === undefined) return undefined;
    const args = Object.entries(rowsIn(resource.rows, found.props));
    const known = args.filter(([, value]) => !isAbsent(value));
    return { id: found.id, outputs: found.props, inputs: { values: Object.fromEntries(known), secrets: [] } };
  }

  async delete(about: About, id: string, state: Properties, inputs: Sent): Promise<void> {
    await this.#border.delete(id, this.#recorded(about, state, inputs));
  }

  /** The recorded outputs, with the secrets that only the recorded inputs have. */
  #recorded(about: About, state: Properties, inputs: Sent): SentSide {
    const values = filled(state, inputs.values, this.#hidden(inputs));
    return sideOf(about, { values, secrets: inputs.secrets });
  }

  /** Outputs as the engine is to record and show them. */
  #outputs(id: string | undefined, outputs: Properties, inputs: Sent): Properties {
    const own = this.#served.derived?.(id, outputs) ?? {};
    // The border marks what came back with a secret in it.
    const { values, secrets } = told(outputs);
    const { [PROFILE_IN_USE]: _profile, ...others } = without(values, [...this.#hidden(inputs), ...secrets]);
    return { ...others, ...own };
  }

  /** Where secrets stand: where the arguments are marked, and in every secret row. */
  #hidden({ secrets }: Sent): Place[] {
    return [...secrets, ...secretNamesIn(this.#served.resource.rows).map((name) => [name])];
  }
}

const sideOf = (facts: Omit<Facts, "secretPaths">, sent: Sent): SentSide => ({
  ...sent,
  facts: { ...facts, secretPaths: sent.secrets.map(pathOf) },
});

export const isRecorded = (state: Properties): boolean => Object.hasOwn(state, SCHEMA);
