/**
 * The border between the dynamic host and the resources: what the host hands over becomes a Call and clean arguments, and
 * what a resource answers becomes what the engine is to hold.
 */
import { Call, type Method } from "../call";
import { UnfinishedError } from "../failure";
import { type Fault, secretNamesIn } from "../fields/check";
import { computed, json, mapOf } from "../fields/kind";
import { inPluginForm } from "../fields/naming";
import { canonicalId, isAbsent, normalizedRows, type Properties, rowsIn, UNKNOWN } from "../fields/value";
import type { Checked, Diffed, Resource } from "../resource";
import type { Run, Service } from "../run/run";
import { keepSecret } from "../run/secrecy";
import { type Detail, detailsBetween } from "../verdict/changes";
import { say } from "../verdict/sentences";
import {
  deleteBeforeReplaceIn,
  handedOver,
  isOfDynamicForm,
  isRetained,
  markedIn,
  PROFILE_IN_USE,
  READ_ONLY,
  type Received,
  received,
  secretPathsIn,
  timeoutsIn,
  urnIn,
} from "./carried";
import { secret, withMarks } from "./marks";
import { asRecorded, fromRecorded } from "./schema";

export class Border {
  readonly #resource: Resource;
  readonly #run: () => Run;
  /** URNs of what was checked: `check` precedes `diff` where a plan is made, and only there. */
  readonly #checked = new Set<string>();

  constructor(resource: Resource, run: () => Run) {
    this.#resource = resource;
    this.#run = run;
  }

  async check(olds: Properties, news: Properties): Promise<Pick<Checked, "inputs" | "failures">> {
    await this.#run().considerCheckpoints();
    const [before, after] = [received(olds), received(news)];
    // A creation has no old inputs but the code.
    const recorded = Object.keys(before.values).length > 0 ? before.values : undefined;
    const refusal = refusalOfMove(this.#resource.kind, before, after);
    if (refusal !== undefined) return { inputs: news, failures: [refusal] };
    this.#checked.add(urnIn(after.carried));
    const service = () => this.#newService(recorded, after.values);
    const call = this.#call("check", after, after, service);
    const given = Object.entries(after.values).filter(([, value]) => !isAbsent(value));
    const answer = await this.#resource.check(call, recorded, Object.fromEntries(given));
    if (answer.failures.length > 0) return { inputs: news, failures: answer.failures };
    const { [PROFILE_IN_USE]: _before, ...carried } = after.carried;
    const { profileInUse } = answer;
    const noted = profileInUse === undefined ? {} : { [PROFILE_IN_USE]: profileInUse };
    return {
      inputs: this.#inputs({ carried: { ...carried, ...noted }, values: answer.inputs }),
      failures: [],
    };
  }

  /** `lacksOutputs`: whether the state is without outputs that this host has; an update brings them. */
  async diff(id: string, olds: Properties, news: Properties, lacksOutputs = false): Promise<Diffed> {
    const [before, after] = [this.#recorded(olds), received(news)];
    const planned = this.#checked.delete(urnIn(after.carried));
    const staysPut = planned && before.values.connection === after.values.connection;
    const service = () =>
      staysPut ? this.#run().serviceOf(before.values) : this.#newService(before.values, after.values);
    const call = this.#call("diff", before, after, service, planned);
    const answer = await this.#resource.diff(call, canonicalId(id), before.values, after.values);
    // An option that the state lags behind is brought up to date; no request is sent for it.
    const optionChanges = isRetained(before.carried) !== isRetained(after.carried);
    if (planned && lacksOutputs && !answer.changes) await call.tell(say.moves());
    return { ...answer, changes: answer.changes || optionChanges || lacksOutputs };
  }

  /** What each change of an update does: replace, or any less. */
  details(olds: Properties, news: Properties): Detail[] {
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
  unsettled(olds: Properties, news: Properties): readonly string[] {
    const [before, after] = [this.#recorded(olds), received(news)];
    const service = () => this.#newService(before.values, after.values);
    const call = this.#call("diff", before, after, service);
    return this.#resource.unsettled(call, before.values, after.values);
  }

  async create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    const own = received(inputs);
    const call = this.#call("create", own, own, () => this.#run().service(own.values.connection));
    const { id, outputs } = await this.#keeping(own, () => this.#resource.create(call, own.values));
    return { id, outs: outputsOf(own, outputs) };
  }

  async read(
    id: string,
    state: Properties,
  ): Promise<{ id?: string; props?: Properties; inputs?: Properties }> {
    const own = this.#recorded(state);
    const call = this.#call("read", own, own, () => this.#run().serviceOf(own.values));
    const found = await this.#resource.read(call, canonicalId(id), own.values);
    // An id that is left out means gone.
    if (found.id === undefined) return {};
    const props = outputsOf(own, found.outputs ?? {});
    if (found.inputs === undefined) return { id: found.id, props };
    const values = withMarks(found.inputs, own.values);
    return { id: found.id, props, inputs: this.#inputs({ carried: own.carried, values }) };
  }

  async update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    const [before, after] = [this.#recorded(olds), received(news)];
    const call = this.#call("update", before, after, () => this.#run().serviceOf(before.values));
    const work = () => this.#resource.update(call, canonicalId(id), before.values, after.values);
    return { outs: outputsOf(after, await this.#keeping(after, work)) };
  }

  async delete(id: string, state: Properties): Promise<void> {
    const own = this.#recorded(state);
    const call = this.#call("delete", own, own, () => this.#run().serviceOf(own.values));
    await this.#resource.delete(call, canonicalId(id), own.values);
  }

  /** What an operation that failed half way leaves is recorded like any other outputs. */
  async #keeping<T>(given: Received, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnfinishedError)
        Object.assign(error, { properties: outputsOf(given, error.properties) });
      throw error;
    }
  }

  /** The service of the new arguments; of the recorded ones while the connection is not known yet. */
  #newService(olds: Properties | undefined, news: Properties): Service {
    return this.#run().service(news.connection === UNKNOWN ? olds?.connection : news.connection);
  }

  #recorded(state: Properties): Received {
    return received(fromRecorded(state, this.#resource.reported));
  }

  #call(
    method: Method,
    before: Received,
    after: Received,
    service: () => Service,
    planned = method === "check",
  ): Call {
    const secrets = secretNamesIn(this.#resource.rows);
    for (const side of [before, after])
      keepSecret([markedIn(side), secrets.map((name) => side.values[name])]);
    const { carried, values } = after;
    const description = {
      kind: this.#resource.kind,
      method,
      urn: urnIn(carried),
      secretPaths: [...secrets, ...secretPathsIn(before.carried), ...secretPathsIn(carried)],
      timeouts: timeoutsIn(carried),
      retained: isRetained(before.carried),
      deleteBeforeReplace: deleteBeforeReplaceIn(carried),
      readOnly: carried[READ_ONLY] === true,
      planned,
      service,
    };
    return new Call(this.#run(), description, values);
  }

  /**
   * Inputs as the engine is to record them. It takes for secret what the program handed over as secret; a transform of
   * the program may have lost that, or have added a value in clear: secret rows are marked here.
   */
  #inputs({ carried, values }: Received): Properties {
    const given = secretNamesIn(this.#resource.rows).filter((name) => !isAbsent(values[name]));
    const marked = Object.fromEntries(given.map((name) => [name, secret(values[name])]));
    return { ...carried, ...values, ...marked };
  }
}

/** What the plugin has recorded lacks what the dynamic form reads there: no output of it holds a secret. */
function refusalOfMove(kind: string, before: Received, after: Received): Fault | undefined {
  const isNew = Object.keys(before.values).length === 0;
  if (isNew || !isOfDynamicForm(after.carried) || isOfDynamicForm(before.carried)) return undefined;
  const recorded = inPluginForm(urnIn(after.carried));
  const again = kind === "deployment" ? " with adopt: true" : "";
  const words = `its state is the plugin's, and the dynamic form cannot go on with that: no output of it holds a secret. Declare it with the plugin's package again. To go back nevertheless, take it out of the state, which leaves the service alone (pulumi state delete '${recorded}'), then declare it here${again}`;
  return { path: [], words };
}

/** Outputs as they are to be recorded beside what the engine knows: the arguments, or the state that was read again. */
const outputsOf = ({ carried, values: known }: Received, values: Properties): Properties =>
  asRecorded(handedOver({ carried, values: withMarks(values, known) }));
