/** What a resource of this provider does, without any knowledge of the host that calls it. */
import type { Call } from "./call";
import type { Fault } from "./fields/check";
import type { Rows } from "./fields/kind";
import type { Properties } from "./fields/value";
import type { ProfileInUse } from "./profiles/profiles";

export interface Checked {
  readonly inputs: Properties;
  /** The host says which resource they are about. */
  readonly failures: readonly Fault[];
  /** What the inputs are to note of the profile, for whoever reads the plan alone. */
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

/** What a refresh finds. */
export interface ReadResult {
  /** Undefined: gone. */
  readonly id: string | undefined;
  readonly outputs?: Properties;
  /** Left out where the recorded inputs have to stay. */
  readonly inputs?: Properties;
}

/** `olds` and `state` are recorded outputs, of `check` recorded inputs. */
export interface Resource {
  /** What messages call it: `deployment`. */
  readonly kind: string;
  /** Its arguments. */
  readonly rows: Rows;
  /** Its outputs beside the arguments; the engine itself keeps the id. */
  readonly outputRows: Rows;
  /** Outputs that the service tells: null where it has no value. */
  readonly reported: readonly string[];
  /** Why no state can be made of what an id names; undefined where the service shows it. */
  readonly unreadable?: string | undefined;
  /** Outputs that only the plugin has, made from the others; `id` is undefined while it is not known. */
  readonly derived?: (id: string | undefined, outputs: Properties) => Properties;
  check(call: Call, olds: Properties | undefined, news: Properties): Promise<Checked>;
  diff(call: Call, id: string, olds: Properties, news: Properties): Promise<Diffed>;
  /** Outputs that an update may change; all others stay, which a host that can say so tells at preview. */
  unsettled(call: Call, olds: Properties, news: Properties): readonly string[];
  create(call: Call, inputs: Properties): Promise<Created>;
  read(call: Call, id: string, state: Properties): Promise<ReadResult>;
  update(call: Call, id: string, olds: Properties, news: Properties): Promise<Properties>;
  delete(call: Call, id: string, state: Properties): Promise<void>;
}
