/** The properties of a resource: as a program declares them, and as the engine records them. */
import type { Properties } from "./value";

declare const kind: unique symbol;

/** Settings under the names of a program; recorded inputs and a recorded state hold them too. */
export interface Arguments extends Properties {
  readonly [kind]?: "arguments" | "inputs" | "state";
}

/** The inputs that `check` returns and the engine records: the arguments in normal form, with the computed counters. */
export interface Inputs extends Arguments {
  readonly [kind]?: "inputs";
}

/** The outputs that the engine records: the inputs, what the service reports, and the notes for the next run. */
export interface State extends Arguments {
  readonly [kind]?: "state";
}

/** The state that these inputs and outputs make. */
export const stateOf = (inputs: Inputs, outputs: Properties): State => ({
  ...(inputs as Properties),
  ...outputs,
});
