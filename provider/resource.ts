/** The methods of a resource, which know nothing of the host that calls them. */
import type { Call } from "./call";
import type { Fault } from "./fields/check";
import type { Rows } from "./fields/kind";
import type { Properties } from "./fields/value";
import type { ProfileInUse } from "./profiles/profiles";
import type { ShownState } from "./run/run";

export interface Checked {
  readonly inputs: Properties;
  /** Faults; the host says which resource they concern. */
  readonly failures: readonly Fault[];
  /** The inputs' note of the profile, for readers of the plan alone. */
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
  /** Undefined if it is gone. */
  readonly id: string | undefined;
  readonly outputs?: Properties;
  /** Left out if the recorded inputs must stay. */
  readonly inputs?: Properties;
}

/** `olds` and `state` are recorded outputs; those of `check` are recorded inputs. */
/** Options of a resource by which the engine replaces it, whatever `diff` answers. */
export const REPLACING_OPTIONS = "replaceOnChanges, replaceWith, replacementTrigger, or another provider";

export interface Resource {
  /** Its kind in messages: `deployment`. */
  readonly kind: string;
  /** Its arguments. */
  readonly rows: Rows;
  /** Its outputs beside the arguments; the engine itself keeps the id. */
  readonly outputRows: Rows;
  /** Outputs that the service reports: null if it has no value. */
  readonly reported: readonly string[];
  /** Why an id cannot be read into a state; undefined if it can. */
  readonly unreadable?: string | undefined;
  /** Outputs that only the plugin has, made from the others; `id` is undefined while it is not known. */
  readonly derived?: (id: string | undefined, outputs: Properties) => Properties;
  check(call: Call, olds: Properties | undefined, news: Properties): Promise<Checked>;
  diff(call: Call, id: string, olds: Properties, news: Properties): Promise<Diffed>;
  /**
   * The engine replaces it although `diff` asked for no replacement, or was not asked. Throws a RefusedError if that
   * must not be carried out.
   */
  replaced?(call: Call, old: ShownState, news: Properties): Promise<void>;
  /** Outputs that an update may change. All others stay, and a host that can says so at preview. */
  unsettled(call: Call, olds: Properties, news: Properties): readonly string[];
  create(call: Call, inputs: Properties): Promise<Created>;
  read(call: Call, id: string, state: Properties): Promise<ReadResult>;
  update(call: Call, id: string, olds: Properties, news: Properties): Promise<Properties>;
  delete(call: Call, id: string, state: Properties): Promise<void>;
}
