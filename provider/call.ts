/** One call of the engine on one resource. A host makes it; whoever works for it asks nobody else about the engine. */
import { RefusedError, UnfinishedError } from "./failure";
import { type Hidden, hiddenBy } from "./fields/check";
import { nameIn } from "./fields/urn";
import type { Properties } from "./fields/value";
import type { Moment, ResourceKey } from "./journal/entry";
import { JournalConflict } from "./journal/faults";
import type { Journal } from "./journal/journal";
import { momentAt } from "./journal/moment";
import { type Request, sendOnce } from "./journal/sendOnce";
import type { Run, Service } from "./run/run";
import { labelled, labelOf } from "./verdict/sentences";
import type { Words } from "./verdict/wording";

/** What the engine calls. */
export type Method = "check" | "diff" | "create" | "read" | "update" | "delete";

/** What a host knows of a resource beside its properties. */
export interface Facts {
  readonly urn: string;
  /** Paths of the values that must not be shown, beside those of secret rows. */
  readonly secretPaths: readonly string[];
  /** Of the resource's options, in seconds by method. */
  readonly timeouts?: { readonly [operation: string]: unknown };
  /** Whether the resource's own options keep the engine from deleting what is recorded. */
  readonly retained?: boolean;
  /** The resource's own option of this name, which outdoes what the provider asks for; undefined where it is not given. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /** Whether the resource is only read. */
  readonly readOnly?: boolean;
}

/** What a host tells of a call. */
export interface CallDescription extends Facts {
  /** What the resource is, as messages name it: `deployment`. */
  readonly kind: string;
  readonly method: Method;
  /** Whether a plan is being made: a refresh asks for a diff too, with the roles of old and new swapped. */
  readonly planned: boolean;
  /** Throws a ConfigurationError. */
  readonly service: () => Service;
}

type Sending<T> = Omit<Request<T>, "clock" | "moment"> & Partial<Pick<Request<T>, "moment">>;

export class Call {
  readonly run: Run;
  readonly method: Method;
  readonly urn: string;
  /** The name in the program, as reports and gates use it. */
  readonly name: string;
  /** `deployment "chat"`. */
  readonly label: string;
  /** Whether the value at a path must not be shown. */
  readonly hidden: Hidden;
  readonly retained: boolean;
  readonly deleteBeforeReplace: boolean | undefined;
  readonly readOnly: boolean;
  readonly planned: boolean;
  readonly #description: CallDescription;
  #service: Service | undefined;

  constructor(run: Run, description: CallDescription, properties: Properties) {
    this.run = run;
    this.#description = description;
    this.method = description.method;
    this.urn = description.urn;
    this.name = description.urn === "" ? String(properties.name ?? "") : nameIn(description.urn);
    this.label = labelOf(description.kind, this.name);
    this.retained = description.retained === true;
    this.deleteBeforeReplace = description.deleteBeforeReplace;
    this.readOnly = description.readOnly === true;
    this.planned = description.planned;
    this.hidden = hiddenBy(description.secretPaths);
  }

  /** The service of the resource's connection. Throws a ConfigurationError the first time that it is asked for. */
  get service(): Service {
    this.#service ??= this.#description.service();
    return this.#service;
  }

  get profile() {
    return this.service.connection.profile;
  }

  get baseUrl(): string {
    return this.service.connection.baseUrl;
  }

  /** The time-out of the resource's options for this method, in seconds. */
  timeoutSeconds(otherwise: number): number {
    const given = this.#description.timeouts?.[this.method];
    return typeof given === "number" ? given : otherwise;
  }

  /** Says something of the resource. Words that do not arrive must not fail what they tell of. */
  async tell(words: Words): Promise<void> {
    await this.run.reporter.info(this.urn, labelled(this.label, words)).catch(() => undefined);
  }

  /** Says how it stands, where the host can show that beside the resource and forget it. */
  async progress(words: string): Promise<void> {
    await this.run.reporter.status?.(this.urn, words).catch(() => undefined);
  }

  async warn(words: Words): Promise<void> {
    await this.run.reporter.warn(this.urn, labelled(this.label, words)).catch(() => undefined);
  }

  /** The error to throw for what cannot be done. `words` say why and what to do. */
  refuse(words: string, cause?: unknown): RefusedError {
    return new RefusedError(words, this.label, cause);
  }

  /** The error to throw for what was begun: the resource stays in the state with these outputs. */
  unfinished(id: string, outputs: Properties, words: string, cause?: unknown): UnfinishedError {
    return new UnfinishedError(id, outputs, words, this.label, cause);
  }

  /** Notes in the run's journals that the state holds the id: neither its creation nor an update that it has is in doubt. */
  confirm(id: string, state: Properties): void {
    const { serviceUrl } = state;
    if (typeof serviceUrl !== "string") return;
    const key = { urn: this.urn, serviceUrl };
    this.run.creations.confirmed(key, id);
    this.run.updates.confirmed(key, id, state);
  }

  /** By which the journals know the resource. */
  get key(): ResourceKey {
    return { urn: this.urn, serviceUrl: this.baseUrl };
  }

  /** Sends what must not happen twice. Throws a RefusedError when another run is at the same resource. */
  async sendOnce<T>(request: Sending<T>): Promise<T> {
    try {
      return await sendOnce({ clock: this.run.clock, moment: () => this.moment(), ...request });
    } catch (error) {
      if (!(error instanceof JournalConflict)) throw error;
      throw this.refuse(
        `${error.message}, so nothing was sent. When no other run of this stack is under way, run up again`,
      );
    }
  }

  /** Does the work; the journal then learns whether the engine is told its result. */
  async reporting<T>(journal: Journal, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      journal.reported(this.key);
      return result;
    } catch (error) {
      // The engine keeps what an unfinished operation tells.
      if (error instanceof UnfinishedError && journal.isSettledBy(error.properties))
        journal.reported(this.key);
      else journal.leaveToNextRun(this.key);
      throw error;
    }
  }

  /** When a request that is sent then, by our clock, can no longer arrive. */
  moment(sentAt = this.run.clock.now()): Moment {
    return momentAt(sentAt, this.service.connection.requestTimeoutSeconds);
  }
}
