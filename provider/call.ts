/** The engine's calls to a resource's methods. Only the hosts talk to the engine. Other code gets a {@link Call}. */

import type { Verdict } from "./diff/changes";
import { labelOf } from "./diff/describe";
import type { CheckedPlan } from "./diff/recorded";
import { format } from "./diff/sentences";
import { RefusedError, UnfinishedError } from "./failure";
import { type AttemptKey, type Moment, PURPOSES, type Purpose } from "./journal/attempt";
import { type Answered, carry, type Request } from "./journal/carry";
import { JournalConflict } from "./journal/faults";
import { momentAt } from "./journal/moment";
import { onSameService, type Profile } from "./profiles/profile";
import { eitherName } from "./run/configuration";
import type { PlannedUpdate } from "./run/planned";
import type { EngineRun, Service } from "./run/run";
import { type Fault, type Hidden, hiddenBy } from "./schema/check";
import type { Rows } from "./schema/kind";
import { nameIn } from "./schema/naming";
import type { Arguments, Inputs, State } from "./schema/recorded";
import { printable } from "./schema/secrecy";
import { sentence } from "./schema/words";

export type Method = "check" | "diff" | "create" | "read" | "update" | "delete";

/** Facts about a resource that are not among the resource's properties. */
export interface Facts {
  readonly urn: string;
  /** Paths of values that must not be shown, in addition to the secret rows. */
  readonly secretPaths: readonly string[];
  /** The resource's time-outs in seconds, by method. */
  readonly timeouts?: { readonly [operation: string]: unknown };
  /** Whether the resource's own options keep the engine from deleting the resource. */
  readonly retained?: boolean;
  /** The resource's option `deleteBeforeReplace`; undefined if the program does not set the option. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /** Whether the program only reads the resource. */
  readonly readOnly?: boolean;
  /** Whether a smoke test takes its address and its trigger from one of the program's Deployments. */
  readonly ofDeployment?: boolean;
}

export interface CallDescription extends Facts {
  /** The resource's kind in messages, such as `deployment`. */
  readonly kind: string;
  readonly method: Method;
  /** Whether the call is part of a plan. A `diff` may instead be part of a refresh. */
  readonly isPlan: boolean;
  /** Returns the connection's service. Throws a ConfigurationError if the settings are invalid. */
  readonly service: () => Service;
  /** Whether the connection uses, or may use, a service that does not have the resource. */
  readonly leavesService?: boolean;
}

export class Call {
  readonly run: EngineRun;
  readonly method: Method;
  readonly urn: string;
  /** The resource's name in the program. The plan report and its gates use the same name. */
  readonly name: string;
  /** The kind and the name, such as `deployment "chat"`. */
  readonly label: string;
  readonly hidden: Hidden;
  readonly retained: boolean;
  readonly deleteBeforeReplace: boolean | undefined;
  readonly readOnly: boolean;
  readonly ofDeployment: boolean;
  readonly isPlan: boolean;
  readonly #description: CallDescription;
  #service: Service | undefined;

  constructor(run: EngineRun, description: CallDescription, { name }: Arguments) {
    this.run = run;
    this.#description = description;
    this.method = description.method;
    this.urn = description.urn;
    this.name = description.urn === "" ? String(name ?? "") : nameIn(description.urn);
    this.label = labelOf(description.kind, this.name);
    this.retained = description.retained === true;
    this.deleteBeforeReplace = description.deleteBeforeReplace;
    this.readOnly = description.readOnly === true;
    this.ofDeployment = description.ofDeployment === true;
    this.isPlan = description.isPlan;
    this.hidden = hiddenBy(description.secretPaths);
  }

  /** The service of the resource's connection. The first access may throw a ConfigurationError. */
  get service(): Service {
    this.#service ??= this.#description.service();
    return this.#service;
  }

  get profile(): Profile {
    const { profile } = this.service.connection;
    return this.#description.leavesService ? profile : onSameService(profile);
  }

  /**
   * The profile that applies when the recorded resource is deleted. Throws a ConfigurationError if the resource's
   * connection is no longer configured, because the deletion would fail too.
   */
  formerProfile({ connection }: Arguments): Profile {
    return this.run.service(connection).connection.profile;
  }

  get baseUrl(): string {
    return this.service.connection.baseUrl;
  }

  /**
   * The method's time-out in seconds from the resource's options. Returns `otherwise` if the options set no time-out.
   */
  timeoutSeconds(otherwise: number): number {
    const seconds = this.#description.timeouts?.[this.method];
    return typeof seconds === "number" ? seconds : otherwise;
  }

  /** Shows a line about the resource. A failure to deliver the line does not make the resource fail. */
  async tell(words: string): Promise<void> {
    await this.run.reporter.info(this.urn, words, this.label).catch(() => undefined);
  }

  /** Shows a line until the next line replaces it. Undefined if the host keeps every line. */
  get progress(): ((words: string) => Promise<void>) | undefined {
    const { reporter } = this.run;
    if (reporter.status === undefined) return undefined;
    return async (words) => reporter.status?.(this.urn, words).catch(() => undefined);
  }

  async warn(words: string): Promise<void> {
    await this.run.reporter.warn(this.urn, words, this.label).catch(() => undefined);
  }

  /** The error for an operation that cannot be done. `words` states the reason and the remedy. */
  refuse(words: string, cause?: unknown): RefusedError {
    return new RefusedError(words, this.label, cause);
  }

  /** The error for an operation that failed after it began. The state keeps the resource with these outputs. */
  unfinished(id: string, outputs: State, words: string, cause?: unknown): UnfinishedError {
    return new UnfinishedError(id, outputs, words, this.label, cause);
  }

  /**
   * Notes that this resource manages the id. Throws a RefusedError if another resource of the program already manages
   * the id, even through another connection or provider. Two resources with the same id would undo each other's
   * changes, and a deletion of one resource would also delete the other.
   */
  claim(id: string): void {
    // A resource with a secret id uses its name as the id, and two resources may have the same name.
    if (id === this.name) return;
    const keeper = this.service.fleet.keepers.claim(id, this.urn);
    if (keeper === undefined) return;
    const { kind } = this.#description;
    const remedy = kind === "deployment" ? ", or set adopt to the id of the deployment that you mean" : "";
    throw this.refuse(
      `the ${kind} ${id} is managed by "${printable(nameIn(keeper))}" of this program already. Declare it only once${remedy}`,
    );
  }

  /** Passes the state to the journal, which then drops the attempts whose results are in this state. */
  confirm(id: string, state: State): void {
    const { serviceUrl } = state;
    if (typeof serviceUrl !== "string") return;
    for (const purpose of PURPOSES)
      this.run.journal.confirmed({ ...this.key(purpose, id), serviceUrl }, id, state);
  }

  /** The resource's key in the journal. `id` is undefined for a creation. */
  key(purpose: Purpose, id?: string): AttemptKey {
    const key = { urn: this.urn, serviceUrl: this.baseUrl, purpose };
    return purpose === "create" || id === undefined ? key : { ...key, id };
  }

  /**
   * Sends a request that must not take effect twice. Throws a RefusedError if another run works on the same resource.
   */
  async carry<T>(request: Request<T>): Promise<Answered<T>> {
    const { clock, journal } = this.run;
    const tellLost = ({ message }: Error) => this.tell(format.answerLost({ message }));
    try {
      return await carry(request, { clock, journal, moment: () => this.moment(), tellLost });
    } catch (error) {
      if (!(error instanceof JournalConflict)) throw error;
      throw this.refuse(
        `${error.message}, so nothing was sent. When no other run of this stack is under way, run up again`,
      );
    }
  }

  creationInDoubt(failure: Error): RefusedError {
    if (failure instanceof RefusedError) return failure;
    return this.refuse(
      `it is not known whether it was made: ${sentence(failure.message)} Run \`pulumi up\` again, which looks for it before it creates one`,
      failure,
    );
  }

  /** Drops the recorded attempts to update the deployment, because their results no longer matter. */
  async dropUpdates(id: string): Promise<void> {
    for (const purpose of PURPOSES)
      if (purpose !== "create") await this.run.journal.drop(this.key(purpose, id));
  }

  async reportResult(id: string, work: () => Promise<State>): Promise<State> {
    const { journal } = this.run;
    try {
      const outputs = await work();
      await journal.reported(this.key("update", id), outputs);
      return outputs;
    } catch (error) {
      // The engine keeps the outputs of an unfinished operation.
      if (error instanceof UnfinishedError) await journal.reported(this.key("update", id), error.properties);
      throw error;
    }
  }

  /** The error for a service that answers a deletion with "not found" but still has the resource. */
  undeleted(id: string, answer: Error): RefusedError {
    const setting = eitherName("profile");
    return this.refuse(
      `the service still has ${id}, so it stays in the state: ${sentence(answer.message)} If this service cannot delete, set ${setting}, now "${this.profile.name}", to the one that fits`,
      answer,
    );
  }

  moment(sentAt = this.run.clock.now()): Moment {
    return momentAt(sentAt, this.service.connection.requestTimeoutSeconds);
  }
}

export interface Checked {
  readonly inputs: Inputs;
  /** Faults in the arguments. The engine shows each fault under its resource. */
  readonly failures: readonly Fault[];
  /** The decisions of `check`, for readers of the plan; undefined after a fault. */
  readonly plan?: CheckedPlan;
}

export interface Diffed {
  readonly changes: boolean;
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
  /** The effect of the update; undefined for a Rollout and a SmokeTest, whose changes have no verdict. */
  readonly verdict?: Verdict;
}

export interface Created {
  readonly id: string;
  readonly outputs: State;
}

export interface ReadResult {
  /** The resource's id; undefined if the resource is gone. */
  readonly id: string | undefined;
  readonly outputs?: State;
  /** The inputs to record; undefined if the recorded inputs must stay. */
  readonly inputs?: Inputs;
  /** The plan to record, in case the program has dropped the resource and no `check` will record a plan. */
  readonly plan?: CheckedPlan;
}

/** A resource. `recorded` is the state, or only the inputs on engines before 3.261. A creation has no `recorded`. */
export interface Resource {
  /** The resource's kind in messages, such as `deployment`. */
  readonly kind: string;
  readonly rows: Rows;
  /** The resource's outputs in addition to the arguments, without the id. */
  readonly outputRows: Rows;
  /** Names of the outputs that come from the service. If the service omits a value, the output is null. */
  readonly reported: readonly string[];
  /** Why the provider cannot read the resource by id; undefined if the provider can. */
  readonly unreadable?: string | undefined;
  /** Computes the outputs that only the plugin has. `outputs`: all other outputs. `id` is empty while unknown. */
  readonly derived?: (id: string, outputs: State) => State;
  check(call: Call, recorded: State | undefined, args: Arguments): Promise<Checked>;
  diff(call: Call, id: string, state: State, inputs: Inputs): Promise<Diffed>;
  /** Called if the engine asks for a replacement that no argument requires. May refuse with a RefusedError. */
  replaced?(call: Call, planned: PlannedUpdate): Promise<void>;
  /** A plan never calls this method. In a creation's preview, only the inputs are known. */
  create(call: Call, inputs: Inputs): Promise<Created>;
  read(call: Call, id: string, state: State): Promise<ReadResult>;
  update(call: Call, id: string, state: State, inputs: Inputs): Promise<State>;
  delete(call: Call, id: string, state: State): Promise<void>;
}
