/** Translates between hosts and resources. Hosts pass facts and properties. Resources get a `Call` and arguments. */
import { Call, type Checked, type Facts, type Method, type Resource } from "../call";
import { detailsBetween, type FieldChange } from "../diff/changes";
import { type CheckedPlan, type RecordedPlan, recordedPlan } from "../diff/recorded";
import { format } from "../diff/sentences";
import { UnfinishedError } from "../failure";
import type { EngineRun, Service } from "../run/run";
import { sameValue } from "../schema/compare";
import { computed, json, mapOf, secretPathsIn } from "../schema/kind";
import { type Arguments, type Inputs, type State, stateOf } from "../schema/recorded";
import { keepSecret } from "../schema/secrecy";
import {
  canonicalId,
  isAbsent,
  normalizedRows,
  rowsIn,
  UNKNOWN,
  unknowns,
  valueAt,
  valuesAt,
  withValueAt,
} from "../schema/value";
import { escapeLines } from "../schema/words";
import { secret, withMarks } from "./marks";
import { asRecorded, fromRecorded, PLAN } from "./schema";

/** A resource's properties under their names in the state, and the host's facts about the resource. */
export interface Side<V extends Arguments = Arguments> {
  readonly facts: Facts;
  readonly values: V;
}

/** Converts the outputs to the form that the host records. `id` is empty while the id is unknown. */
type Recording<S extends Side> = (outputs: State, side: S, id: string) => State;

/** Why a stack that moves to this host updates a resource whose arguments stay the same. */
export const MOVES = "moves between the dynamic form and the plugin";

export class Border<S extends Side> {
  readonly #resource: Resource;
  readonly #run: () => EngineRun;
  readonly #recording: Recording<S>;

  constructor(resource: Resource, run: () => EngineRun, recording: Recording<S>) {
    this.#resource = resource;
    this.#run = run;
    this.#recording = recording;
  }

  /** `state`: the old outputs, if the engine passes them to `check`, which then uses them instead of the old inputs. */
  async check(
    olds: S & Side<Inputs>,
    news: S,
    state?: S & Side<State>,
  ): Promise<Pick<Checked, "inputs" | "failures">> {
    await this.#run().considerCheckpoints();
    const earlier = olds.values[PLAN] as RecordedPlan | undefined;
    const recorded = state === undefined ? asState(olds) : this.#recorded(state);
    const [before, after] = [withoutPlan(recorded), withoutPlan(news)];
    // A creation has no old inputs, except the packed code of the dynamic form.
    const oldInputs = Object.keys(before.values).length > 0 ? before.values : undefined;
    const { planned } = this.#run();
    // The state of a renamed resource still has the old URN.
    const { urn } = after.facts;
    const firstCheck = planned.get(urn);
    const service = () => this.#newService(oldInputs, after.values);
    // Without a state, only the recorded plan names the service of the old inputs.
    const place = { ...before, values: { serviceUrl: earlier?.service, ...before.values } };
    const call = this.#call("check", oldInputs === undefined ? after : place, after, service);
    const args = Object.fromEntries(Object.entries(after.values).filter(([, value]) => !isAbsent(value)));
    // A second `check` without old inputs means that the engine asks for a replacement that no argument requires.
    if (oldInputs === undefined && firstCheck?.isReplaced === false) {
      await this.#resource.replaced?.(call, firstCheck);
      planned.set(urn, { ...firstCheck, isReplaced: true });
      await call.tell(format.replacedByEngine());
    }
    if (oldInputs !== undefined)
      planned.set(urn, {
        isReplaced: this.#changesIdentity(oldInputs, after.values),
        deletesFirst: after.facts.deleteBeforeReplace === true,
      });
    const { inputs, failures, plan } = await this.#resource.check(call, oldInputs, args);
    if (failures.length > 0) return { inputs: {}, failures };
    if (plan === undefined) return { inputs: this.#inputs(inputs), failures: [] };
    const record = this.#record(call, plan, earlier, oldInputs === undefined);
    return { inputs: { [PLAN]: record, ...this.#inputs(inputs) }, failures: [] };
  }

  /** `isNew`: whether there are no old inputs, as in a creation and in a replacement's second `check`. */
  #record(call: Call, plan: CheckedPlan, earlier: RecordedPlan | undefined, isNew: boolean): RecordedPlan {
    const { planned } = this.#run();
    call.service.endpoints.refuseMisfit();
    const recorded = recordedPlan(plan, planPlaceOf(call), earlier, call.hidden);
    const update = planned.get(call.urn);
    if (isNew) return update?.recorded === undefined ? recorded : asReplacement(update.recorded, recorded);
    if (update !== undefined) planned.set(call.urn, { ...update, recorded });
    return recorded;
  }

  /**
   * `recordChanges`: why the host must write the state although no argument changes; undefined if there is no reason.
   */
  async diff(id: string, olds: S & Side<State>, news: S & Side<Inputs>, recordChanges?: string) {
    const [before, after] = [this.#recorded(olds), withoutPlan(news)];
    // `check` precedes `diff` only in a plan. A refresh calls only `diff`.
    const { planned } = this.#run();
    const { urn } = after.facts;
    const checked = planned.get(urn);
    const isPlan = checked !== undefined && checked.id === undefined;
    const staysPut = isPlan && before.values.connection === after.values.connection;
    const service = () =>
      staysPut ? this.#run().serviceOf(before.values) : this.#newService(before.values, after.values);
    const call = this.#call("diff", before, after, service, isPlan);
    const answer = await this.#resource.diff(call, canonicalId(id), before.values, after.values);
    const { replaces = [], deleteBeforeReplace: deletesFirst = false } = answer;
    if (isPlan) {
      const { verdict } = answer;
      const isReplaced = replaces.length > 0;
      const settings = after.values;
      planned.set(urn, { ...checked, id: canonicalId(id), verdict, isReplaced, deletesFirst, settings });
    }
    // If only a resource option has changed, the update sends no request, but the state changes.
    const why = before.facts.retained === after.facts.retained ? recordChanges : "records changed options";
    if (isPlan && why !== undefined && !answer.changes) await call.tell(format.sendsNothing({ why }));
    return { ...answer, changes: answer.changes || why !== undefined };
  }

  #changesIdentity(recorded: State, args: Arguments): boolean {
    return Object.entries(this.#resource.rows).some(
      ([name, { class: changeClass }]) => changeClass === "replace" && !sameValue(recorded[name], args[name]),
    );
  }

  details(olds: S & Side<State>, news: S & Side<Inputs>): FieldChange[] {
    const sides = [this.#recorded(olds), withoutPlan(news)] as const;
    const { profile } = this.#call("diff", ...sides);
    const [before, after] = sides.map(({ values }) => values) as [State, Inputs];
    const { rows } = this.#resource;
    const [from, to] = [before, after].map((each) => normalizedRows(rows, rowsIn(rows, each)));
    // The inputs that `check` adds are counters of argument changes.
    const counters = Object.keys(after).filter((name) => !Object.hasOwn(rows, name));
    const counterRows = Object.fromEntries(counters.map((name) => [name, computed(mapOf(json))]));
    return [
      ...detailsBetween(rows, from as Arguments, to as Arguments, profile),
      ...detailsBetween(counterRows, before, after, profile),
    ];
  }

  /** `isPlan`: whether this is a preview, which sends nothing and returns an empty id. */
  async create(inputs: S & Side<Inputs>, isPlan = false): Promise<{ id: string; outs: State }> {
    const side = withoutPlan(inputs);
    if (isPlan) {
      const outputs = stateOf(unknowns(Object.keys(this.#resource.outputRows)), side.values);
      return { id: "", outs: this.#outputs(side, outputs, "") };
    }
    const call = this.#call("create", side, side);
    const { id, outputs } = await this.#withRecordedOutputs(side, () =>
      this.#resource.create(call, side.values),
    );
    return { id, outs: this.#outputs(side, outputs, id) };
  }

  async read(id: string, state: S & Side<State>): Promise<{ id?: string; props?: State; inputs?: Inputs }> {
    const side = this.#recorded(state);
    const call = this.#call("read", side, side, () => this.#run().serviceOf(side.values));
    const answer = await this.#resource.read(call, canonicalId(id), side.values);
    // A result without an id means that the resource is gone.
    if (answer.id === undefined) return {};
    const props = this.#outputs(side, answer.outputs ?? {}, answer.id);
    if (answer.inputs === undefined) return { id: answer.id, props };
    const plan = answer.plan && recordedPlan(answer.plan, planPlaceOf(call), undefined, call.hidden);
    const inputs = this.#inputs(withMarks(answer.inputs, side.values));
    return { id: answer.id, props, inputs: { ...(plan && { [PLAN]: plan }), ...inputs } };
  }

  /** `isPlan`: whether this is a preview, which sends nothing. */
  async update(
    id: string,
    olds: S & Side<State>,
    news: S & Side<Inputs>,
    isPlan = false,
  ): Promise<{ outs: State }> {
    const [before, after] = [this.#recorded(olds), withoutPlan(news)];
    // If the connection was renamed, the configuration has only the new name.
    const place = { ...before.values, connection: after.values.connection };
    const call = this.#call("update", before, after, () => this.#run().serviceOf(place), isPlan);
    const work = () => this.#resource.update(call, canonicalId(id), before.values, after.values);
    return { outs: this.#outputs(after, await this.#withRecordedOutputs(after, work), id) };
  }

  async delete(id: string, state: S & Side<State>): Promise<void> {
    const side = this.#recorded(state);
    const call = this.#call("delete", side, side, () => this.#run().serviceOf(side.values));
    await this.#resource.delete(call, canonicalId(id), side.values);
  }

  /** Runs `work`. Converts the outputs in an UnfinishedError to the form that the host records. */
  async #withRecordedOutputs<T>(side: S, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnfinishedError)
        Object.assign(error, { properties: this.#outputs(side, error.properties, error.id) });
      throw error;
    }
  }

  /** Returns the recorded service while the new connection is unknown. */
  #newService(before: Arguments | undefined, after: Arguments): Service {
    return this.#run().service(after.connection === UNKNOWN ? before?.connection : after.connection);
  }

  #recorded(state: S & Side<State>): S & Side<State> {
    return { ...state, values: fromRecorded(state.values) };
  }

  #call(
    method: Method,
    before: Side,
    after: Side,
    service = () => this.#newService(before.values, after.values),
    isPlan = method === "check",
  ): Call {
    const secrets = this.#secretPaths(before.values, after.values);
    for (const { facts, values } of [before, after])
      keepSecret([...secrets, ...facts.secretPaths].flatMap((path) => valuesAt(values, path)));
    const description = {
      ...after.facts,
      kind: this.#resource.kind,
      method,
      secretPaths: [...secrets, ...before.facts.secretPaths, ...after.facts.secretPaths],
      retained: before.facts.retained === true,
      isPlan,
      service,
      leavesService: !this.#run().staysOnService(before.values, after.values.connection),
    };
    return new Call(this.#run(), description, after.values);
  }

  /** A transform may have lost a secret mark or added a plaintext value, so the border marks secret rows. */
  #inputs(inputs: Inputs): Inputs {
    return secretPathsIn(this.#resource.rows).reduce((marked, path) => {
      const value = valueAt(marked, path);
      return isAbsent(value) ? marked : withValueAt(marked, path, secret(value));
    }, inputs);
  }

  /** Includes a row within an object only if the row has a value, because a hidden row also hides the object. */
  #secretPaths(...sides: readonly Arguments[]): string[] {
    return secretPathsIn(this.#resource.rows)
      .filter((path) => path.length === 1 || sides.some((values) => !isAbsent(valueAt(values, path))))
      .map((path) => path.join("."));
  }

  /** The outputs for the host to record. Secrets are marked in each value that differs from the value in `side`. */
  #outputs(side: S, outputs: State, id: string): State {
    const markedOutputs = withMarks({ ...outputs, ...this.#printable(outputs) }, side.values);
    return this.#recording(asRecorded(markedOutputs), side, id);
  }

  /** Escapes the string outputs, because they come from the service and programs print them. */
  #printable(outputs: State): State {
    const texts = Object.entries(rowsIn(this.#resource.outputRows, outputs)).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    return Object.fromEntries(texts.map(([name, text]) => [name, escapeLines(text)]));
  }
}

const asState = <S extends Side<Inputs>>(olds: S) => ({ ...olds, values: stateOf(olds.values, {}) });

function withoutPlan<S extends Side>(side: S): S {
  const { [PLAN]: _plan, ...values } = side.values;
  return { ...side, values };
}

const planPlaceOf = ({ service: { profileInUse, connection } }: Call) => ({
  profile: profileInUse,
  service: connection.baseUrl,
});

/** The plan for a replacement: the changes from the first `check`, and the resource that the creation takes over. */
const asReplacement = (first: RecordedPlan, { adopts }: RecordedPlan): RecordedPlan => ({
  ...first,
  verdict: first.verdict === "mayReplace" ? first.verdict : "replace",
  ...(adopts === undefined ? {} : { adopts }),
});
