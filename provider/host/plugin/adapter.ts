/**
 * One kind of resource between the engine's requests and the border: a request's arguments, options and secret marks
 * become what the border reads, and what it answers becomes outputs without any secret value.
 */

import { RefusedError, UnfinishedError } from "../../failure";
import { type Fault, secretNamesIn } from "../../fields/check";
import { isAbsent, type Properties, rowsIn, UNKNOWN } from "../../fields/value";
import type { Diffed } from "../../resource";
import type { Run } from "../../run/run";
import type { Detail } from "../../verdict/changes";
import { Border } from "../border";
import { PROFILE_IN_USE, READ_ONLY, received, SECRET_PATHS, TIMEOUTS, URN } from "../carried";
import { SCHEMA } from "../schema";
import type { ServedResource } from "./served";
import { filled, type Place, pathOf, type Sent, told, without } from "./wire";

/** Which resource a request is about, and what its options say. */
export interface About {
  readonly urn: string;
  /** Of the options, in seconds; 0 for none. */
  readonly timeoutSeconds?: number;
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
  readonly #border: Border;

  constructor(served: ServedResource, run: () => Run) {
    this.#served = served;
    this.#border = new Border(served.resource, run);
  }

  /** The inputs to record, or what is wrong with them. */
  async check(about: About, olds: Sent, news: Sent): Promise<{ inputs: Sent; failures: readonly Fault[] }> {
    const answer = await this.#border.check(olds.values, carrying("check", about, news));
    if (answer.failures.length > 0) return { inputs: news, failures: answer.failures };
    return { inputs: { values: bare(answer.inputs), secrets: news.secrets }, failures: [] };
  }

  /** What an update would do, path by path. */
  async diff(about: About, id: string, olds: Properties, oldInputs: Sent, news: Sent): Promise<Planned> {
    const before = this.#recorded(about, olds, oldInputs);
    const after = carrying("diff", about, news);
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
    const { id, outs } = await this.#keeping(news, () =>
      this.#border.create(carrying("create", about, news)),
    );
    return { id, outputs: this.#outputs(id, outs, news) };
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
    const { outs } = await this.#keeping(news, () =>
      this.#border.update(id, before, carrying("update", about, news)),
    );
    return this.#outputs(id, outs, news);
  }

  /** The outputs of an update as far as they are known before it: what it cannot change stays. */
  updatePreview(about: About, id: string, olds: Properties, oldInputs: Sent, news: Sent): Properties {
    const { resource, outputRows } = this.#served;
    const before = this.#recorded(about, olds, oldInputs);
    const unsettled = this.#border.unsettled(before, carrying("diff", about, news));
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
    const read = found.inputs === undefined ? inputs : { ...inputs, values: bare(found.inputs) };
    const outputs = this.#outputs(found.id, found.props ?? {}, inputs);
    const isInDoubt = received(state).values.incomplete === true;
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
    const given = { ...carrying("read", about, state), [READ_ONLY]: true };
    const found = await this.#border.read(id, given);
    if (found.id === undefined || found.props === undefined) return undefined;
    const outputs = this.#outputs(found.id, found.props, state);
    const args = Object.entries(rowsIn(resource.rows, outputs));
    const known = args.filter(([, value]) => !isAbsent(value));
    return { id: found.id, outputs, inputs: { values: Object.fromEntries(known), secrets: [] } };
  }

  async delete(about: About, id: string, state: Properties, inputs: Sent): Promise<void> {
    await this.#border.delete(id, { ...this.#recorded(about, state, inputs), ...timeouts("delete", about) });
  }

  /** The recorded outputs, with the secrets that only the recorded inputs have. */
  #recorded({ urn }: About, state: Properties, inputs: Sent): Properties {
    const whole = filled(state, inputs.values, this.#hidden(inputs));
    return { ...whole, [URN]: urn, [SECRET_PATHS]: inputs.secrets.map(pathOf) };
  }

  /** Outputs as the engine is to record and show them. */
  #outputs(id: string | undefined, outputs: Properties, inputs: Sent): Properties {
    const own = this.#served.derived?.(id, outputs) ?? {};
    // The border marks what came back with a secret in it.
    const { values, secrets } = told(bare(outputs));
    const { [PROFILE_IN_USE]: _profile, ...others } = without(values, [...this.#hidden(inputs), ...secrets]);
    return { ...others, ...own };
  }

  /** Where secrets stand: where the arguments are marked, and in every secret row. */
  #hidden({ secrets }: Sent): Place[] {
    return [...secrets, ...secretNamesIn(this.#served.resource.rows).map((name) => [name])];
  }

  async #keeping<T>(news: Sent, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnfinishedError)
        Object.assign(error, { properties: this.#outputs(error.id, error.properties, news) });
      throw error;
    }
  }
}

/** Arguments as the border reads them. */
function carrying(method: string, about: About, { values, secrets }: Sent): Properties {
  return {
    ...received(values).values,
    [URN]: about.urn,
    [SECRET_PATHS]: secrets.map(pathOf),
    ...timeouts(method, about),
  };
}

function timeouts(method: string, { timeoutSeconds }: About): Properties {
  return timeoutSeconds ? { [TIMEOUTS]: { [method]: timeoutSeconds } } : {};
}

/** Without what travels beside the values in the dynamic form. */
function bare(properties: Properties): Properties {
  const { carried } = received(properties);
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !Object.hasOwn(carried, name) || name === PROFILE_IN_USE),
  );
}

export const isRecorded = (state: Properties): boolean => Object.hasOwn(state, SCHEMA);
