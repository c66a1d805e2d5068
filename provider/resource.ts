/** What a resource of this provider does, without any knowledge of the host that calls it. */
import type { Properties } from "./fields/value";
import type { Session } from "./service/session";

export interface Checked {
  readonly inputs: Properties;
  /** Whole sentences; the host says which resource they are about. */
  readonly failures: readonly string[];
}

export interface Diffed {
  readonly changes: boolean;
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
}

/** `planned`: a plan is being made, as opposed to a refresh, which asks with the roles of old and new swapped. */
export interface Resource {
  /** The outputs that the service tells: null where it has no value. */
  readonly reported: readonly string[];
  /** Inputs of which every value is a secret, whatever the program made of it. */
  readonly secretInputs?: readonly string[];
  check(session: Session, olds: Properties | undefined, news: Properties): Promise<Checked>;
  diff(session: Session, id: string, olds: Properties, news: Properties, planned: boolean): Promise<Diffed>;
  create(session: Session, inputs: Properties): Promise<{ id: string; outputs: Properties }>;
  read(
    session: Session,
    id: string,
    state: Properties,
  ): Promise<{ id: string | undefined; outputs?: Properties; inputs?: Properties }>;
  update(session: Session, id: string, olds: Properties, news: Properties): Promise<Properties>;
  delete(session: Session, id: string, state: Properties): Promise<void>;
}
