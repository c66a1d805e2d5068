/** A resource's methods, which do not depend on the host that calls them. */
import type { Call } from "./call";
import type { Fault } from "./fields/check";
import type { Rows } from "./fields/kind";
import type { Properties } from "./fields/value";
import type { ProfileInUse } from "./profiles/profiles";
import type { ShownState } from "./run/run";

export interface Checked {
  readonly inputs: Properties;
  /** Faults of the arguments. The host adds which resource they concern. */
  readonly failures: readonly Fault[];
  /** The note of the profile in the inputs. Only readers of the plan use it. */
  readonly profileInUse?: ProfileInUse | undefined;
}

export interface Diffed {
  readonly changes: boolean;
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
}

export interface Created {
  readonly id: string;
  readonly outputs: Properties;
}

/** The result of a refresh. */
export interface ReadResult {
  /** Undefined if the resource is gone. */
  readonly id: string | undefined;
  readonly outputs?: Properties;
  /** Left out if the recorded inputs must stay. */
  readonly inputs?: Properties;
}

/** Options of a resource that make the engine replace it regardless of `diff`. */
export const REPLACING_OPTIONS = "replaceOnChanges, replaceWith, replacementTrigger, or another provider";

/** A resource. `olds` and `state` are recorded outputs, but the `olds` of `check` are recorded inputs. */
export interface Resource {
  /** The resource's kind in messages: `deployment`. */
  readonly kind: string;
  /** The resource's arguments. */
  readonly rows: Rows;
  /** The resource's outputs in addition to the arguments. The engine itself records the id. */
  readonly outputRows: Rows;
  /** Outputs that the service reports: null if the service has no value. */
  readonly reported: readonly string[];
  /** Why the resource cannot be read by an id alone; undefined if it can. */
  readonly unreadable?: string | undefined;
  /** Outputs that only the plugin has, derived from the others; `id` is undefined while it is not known. */
  readonly derived?: (id: string | undefined, outputs: Properties) => Properties;
  check(call: Call, olds: Properties | undefined, news: Properties): Promise<Checked>;
  diff(call: Call, id: string, olds: Properties, news: Properties): Promise<Diffed>;
  /**
   * Called when the engine replaces the resource although `diff` planned no replacement, or was not called. Throws a
   * RefusedError if the replacement must not be carried out.
   */
  replaced?(call: Call, old: ShownState, news: Properties): Promise<void>;
  /** Outputs that an update may change. All others stay, and a host that can show this does so at preview. */
  unsettled(call: Call, olds: Properties, news: Properties): readonly string[];
  create(call: Call, inputs: Properties): Promise<Created>;
  read(call: Call, id: string, state: Properties): Promise<ReadResult>;
  update(call: Call, id: string, olds: Properties, news: Properties): Promise<Properties>;
  delete(call: Call, id: string, state: Properties): Promise<void>;
}
