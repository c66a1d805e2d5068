/** The properties of a resource: as a program declares them, and as the engine records them. */
import type { Properties } from "./value";

declare const kind: unique symbol;

/** A resource's arguments, under the names that a program uses. Recorded inputs and states also contain arguments. */
export type Arguments = Properties & { readonly [kind]?: "arguments" | "inputs" | "state" };

/** The inputs that `check` returns and the engine records: arguments in normal form, and the computed generations. */
export type Inputs = Arguments & { readonly [kind]?: "inputs" };

/** The outputs that the engine records: the inputs, the service's values, and the notes for the next run. */
export type State = Arguments & { readonly [kind]?: "state" };

export const stateOf = (inputs: Inputs, outputs: Properties): State => ({
  ...(inputs as Properties),
  ...outputs,
});
