/**
 * The border between the hosts and the resources: a host's facts and properties become a Call and clean arguments, and
 * what a resource answers becomes what the engine is to hold.
 */
import { Call, type Facts, type Method } from "../call";
import { UnfinishedError } from "../failure";
import { secretNamesIn } from "../fields/check";
import { computed, json, mapOf } from "../fields/kind";
import {
  canonicalId,
  isAbsent,
  isProperties,
  normalizedRows,
  type Properties,
  rowsIn,
  UNKNOWN,
  valueAt,
} from "../fields/value";
import type { Checked, Diffed, Resource } from "../resource";
import type { Run, Service } from "../run/run";
import { keepSecret } from "../run/secrecy";
import { type Detail, detailsBetween } from "../verdict/changes";
import { say } from "../verdict/sentences";
import { secret, withMarks } from "./marks";
import { asRecorded, fromRecorded, PROFILE_IN_USE } from "./schema";

/** A resource's properties by the names in the state, and what its host knows beside them. */
export interface Side {
  readonly facts: Facts;
  readonly values: Properties;
}

/** A side by the names that the provider knows. `profileNote`: the recorded note of the profile, if there is one. */
type Received<S extends Side> = S & { readonly profileNote: Properties };

/** Outputs as the host records them; `id` is undefined while it is not known. */
type Recording<S extends Side> = (outputs: Properties, side: S, id: string | undefined) => Properties;

export class Border<S extends Side> {
  readonly #resource: Resource;
  readonly #run: () => Run;
  readonly #recording: Recording<S>;
  /** URNs of what was checked: `check` precedes `diff` where a plan is made, and only there. */
  readonly #checked = new Set<string>();

  constructor(resource: Resource, run: () => Run, recording: Recording<S>) {
    this.#resource = resource;
    this.#run = run;
    this.#recording = recording;
  }

  async check(olds: S, news: S): Promise<Pick<Checked, "inputs" | "failures">> {
    await this.#run().considerCheckpoints();
    const [before, after] = [received(olds), received(news)];
    // A creation has no old inputs but the code.
    const recorded = Object.keys(before.values).length > 0 ? before.values : undefined;
    this.#checked.add(after.facts.urn);
    const service = () => this.#newService(recorded, after.values);
    const call = this.#call("check", after, after, service);
    const args = Object.fromEntries(Object.entries(after.values).filter(([, value]) => !isAbsent(value)));
    const { inputs, failures, profileInUse } = await this.#resource.check(call, recorded, args);
    if (failures.length > 0) return { inputs: news.values, failures };
    const profileNote = profileInUse === undefined ? {} : { [PROFILE_IN_USE]: profileInUse };
    return { inputs: this.#inputs(inputs, profileNote), failures: [] };
  }

  /** `lacksOutputs`: whether the state is without outputs that this host has; an update brings them. */
  async diff(id: string, olds: S, news: S, lacksOutputs = false): Promise<Diffed> {
    const [before, after] = [this.#recorded(olds), received(news)];
    const planned = this.#checked.delete(after.facts.urn);
    const staysPut = planned && before.values.connection === after.values.connection;
    const service = () =>
      staysPut ? this.#run().serviceOf(before.values) : this.#newService(before.values, after.values);
    const call = this.#call("diff", before, after, service, planned);
    const answer = await this.#resource.diff(call, canonicalId(id), before.values, after.values);
    // An option that the state lags behind is brought up to date; no request is sent for it.
    const optionChanges = before.facts.retained !== after.facts.retained;
    if (planned && lacksOutputs && !answer.changes) await call.tell(say.moves());
    return { ...answer, changes: answer.changes || optionChanges || lacksOutputs };
  }

  /** What each change of an update does: replace, or any less. */
  details(olds: S, news: S): Detail[] {
    const [before, after] = [this.#recorded(olds).values, received(news).values];
    const { rows } = this.#resource;
    const { profile } = this.#newService(before, after).connection;
    const [from, to] = [before, after].map((each) => normalizedRows(rows, rowsIn(rows, each)));
    // What `check` has added to the arguments counts how they changed.
    const counters = Object.keys(after).filter((name) => !Object.hasOwn(rows, name));
    const counterRows = Object.fromEntries(counters.map((name) => [name, computed(mapOf(json))]));
    return [
      ...detailsBetween(rows, from as Properties, to as Properties, profile),
      ...detailsBetween(counterRows, before, after, profile),
    ];
  }

  /** The outputs that an update may change. */
  unsettled(olds: S, news: S): readonly string[] {
    const [before, after] = [this.#recorded(olds), received(news)];
    const service = () => this.#newService(before.values, after.values);
    const call = this.#call("diff", before, after, service);
    return this.#resource.unsettled(call, before.values, after.values);
  }

  async create(inputs: S): Promise<{ id: string; outs: Properties }> {
    const own = received(inputs);
    const call = this.#call("create", own, own, () => this.#run().service(own.values.connection));
    const { id, outputs } = await this.#keeping(own, () => this.#resource.create(call, own.values));
    return { id, outs: this.#outputs(own, outputs, id) };
  }

  async read(id: string, state: S): Promise<{ id?: string; props?: Properties; inputs?: Properties }> {
    const own = this.#recorded(state);
    const call = this.#call("read", own, own, () => this.#run().serviceOf(own.values));
    const found = await this.#resource.read(call, canonicalId(id), own.values);
    // An id that is left out means gone.
    if (found.id === undefined) return {};
    const props = this.#outputs(own, found.outputs ?? {}, found.id);
    const inputs = found.inputs && this.#inputs(withMarks(found.inputs, own.values), own.profileNote);
    return { id: found.id, props, ...(inputs && { inputs }) };
  }

  async update(id: string, olds: S, news: S): Promise<{ outs: Properties }> {
    const [before, after] = [this.#recorded(olds), received(news)];
    const call = this.#call("update", before, after, () => this.#run().serviceOf(before.values));
    const work = () => this.#resource.update(call, canonicalId(id), before.values, after.values);
    return { outs: this.#outputs(after, await this.#keeping(after, work), id) };
  }

  async delete(id: string, state: S): Promise<void> {
    const own = this.#recorded(state);
    const call = this.#call("delete", own, own, () => this.#run().serviceOf(own.values));
    await this.#resource.delete(call, canonicalId(id), own.values);
  }

  /** What an operation that failed half way leaves is recorded like any other outputs. */
  async #keeping<T>(side: Received<S>, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnfinishedError)
        Object.assign(error, { properties: this.#outputs(side, error.properties, error.id) });
      throw error;
    }
  }

  /** The service of the new arguments; of the recorded ones while the connection is not known yet. */
  #newService(olds: Properties | undefined, news: Properties): Service {
    return this.#run().service(news.connection === UNKNOWN ? olds?.connection : news.connection);
  }

  #recorded(state: S): Received<S> {
    const side = received(state);
    return { ...side, values: fromRecorded(side.values, this.#resource.reported) };
  }

  #call(
    method: Method,
    before: Side,
    after: Side,
    service: () => Service,
    planned = method === "check",
  ): Call {
    const secrets = secretNamesIn(this.#resource.rows);
    for (const { facts, values } of [before, after])
      keepSecret([...secrets, ...facts.secretPaths].flatMap((path) => valuesAt(values, path)));
    const description = {
      ...after.facts,
      kind: this.#resource.kind,
      method,
      secretPaths: [...secrets, ...before.facts.secretPaths, ...after.facts.secretPaths],
      retained: before.facts.retained === true,
      planned,
      service,
    };
    return new Call(this.#run(), description, after.values);
  }

  /**
   * Inputs as the engine is to record them. It takes for secret what the program handed over as secret; a transform of
   * the program may have lost that, or have added a value in clear: secret rows are marked here.
   */
  #inputs(values: Properties, profileNote: Properties): Properties {
    const names = secretNamesIn(this.#resource.rows).filter((name) => !isAbsent(values[name]));
    const marked = Object.fromEntries(names.map((name) => [name, secret(values[name])]));
    return { ...profileNote, ...values, ...marked };
  }

  /** Outputs as they are to be recorded beside what the engine knows: the arguments, or the state that was read again. */
  #outputs(side: Received<S>, outputs: Properties, id: string): Properties {
    return this.#recording(asRecorded({ ...side.profileNote, ...withMarks(outputs, side.values) }), side, id);
  }
}

function received<S extends Side>(side: S): Received<S> {
  const { [PROFILE_IN_USE]: profile, ...values } = side.values;
  return { ...side, values, profileNote: profile === undefined ? {} : { [PROFILE_IN_USE]: profile } };
}

/** Every value that a dotted path may mean: a key may hold dots itself, and the places within a list are left out. */
function valuesAt(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path));
  if (!isProperties(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const member = valueAt(value, [name]);
    if (name === path) return [member];
    return path.startsWith(`${name}.`) ? valuesAt(member, path.slice(name.length + 1)) : [];
  });
}
