import type { Arguments, Inputs, State } from "../../../provider/schema/recorded";
import { stateOf } from "../../../provider/schema/recorded";
import type { Properties } from "../../../provider/schema/value";

/** Each accepts one sort of properties. The compiler reports an expected error that does not occur. */
const ofArguments = (args: Arguments): Properties => args;
const ofInputs = (inputs: Inputs): Properties => inputs;
const ofState = (state: State): Properties => state;

test("the compiler tells a state, inputs and arguments apart, and takes either of the first two as arguments", () => {
  const args: Arguments = { name: "chat" };
  const inputs: Inputs = { name: "chat", revisionGeneration: 1 };
  const state = stateOf(inputs, { url: "https://chat" });
  const mistakes = [
    // @ts-expect-error A state is no inputs.
    () => ofInputs(state),
    // @ts-expect-error Inputs are no state.
    () => ofState(inputs),
    // @ts-expect-error Arguments are no inputs before `check` has computed the counters.
    () => ofInputs(args),
    // @ts-expect-error Arguments are no state.
    () => ofState(args),
    // @ts-expect-error A mixture of a state and inputs is neither: `stateOf` makes a state.
    () => ofState({ ...state, ...inputs }),
  ];
  expect(mistakes).toHaveLength(5);
  expect([ofArguments(inputs), ofArguments(state)]).toEqual([inputs, { ...inputs, url: "https://chat" }]);
});
