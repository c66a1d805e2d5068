/** The properties of a resource: as a program declares them, and as the engine records them. */
import type { Properties } from "./value";

declare const kind: unique symbol;

/** Settings under the names of a program; recorded inputs and a recorded state hold them too. */
export type Arguments = Properties & { readonly [kind]?: "arguments" | "inputs" | "state" };

/** The inputs that `check` returns and the engine records: arguments in normal form, and the computed generations. */
export type Inputs = Arguments & { readonly [kind]?: "inputs" };

/** The outputs that the engine records: the inputs, what the service reports, and the notes for the next run. */
export type State = Arguments & { readonly [kind]?: "state" };

/** The state that these inputs and outputs make. */
export const stateOf = (inputs: Inputs, outputs: Properties): State => ({
  ...(inputs as Properties),
  ...outputs,
});
