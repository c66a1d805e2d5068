import { inputsFrom } from "../../../provider/deployment/arguments";
import { type Properties, UNKNOWN } from "../../../provider/schema/value";
import { chat, contract, stateOf, updating } from "../../support/deploymentArguments";

const ref = (repoRef: unknown) => ({ sourceRevisionConfig: { repoRef, graphConfigPath: "graph.json" } });
const config = (changes: Properties) => ({
  sourceConfig: { ...(chat.sourceConfig as Properties), ...changes },
});

test("the generation is 1 at creation, even if the arguments are unknown", () => {
  expect(inputsFrom(undefined, chat, contract).revisionGeneration).toBe(1);
  expect(inputsFrom(undefined, { ...chat, ...ref(UNKNOWN) }, contract).revisionGeneration).toBe(1);
});

test("after an import, which records no generation, the generation is 0, and the first new revision has the generation 1", () => {
  const after = (changes: Properties) =>
    updating(contract, changes, { revisionGeneration: undefined }).news.revisionGeneration;
  expect([after(ref("v2")), after({}), after(config({ buildOnPush: false }))]).toEqual([1, 0, 0]);
});

test("each secret has a separate generation", () => {
  const after = (secrets: unknown, secretGenerations: Properties = { A: 4, B: 1 }) =>
    updating(contract, { secrets }, { secretGenerations }).news.secretGenerations;
  expect(stateOf(chat, contract).secretGenerations).toEqual({ A: 1, B: 1 });
  expect(after({ A: "one", B: "two" })).toEqual({ A: 4, B: 1 });
  expect(after({ B: "changed", A: "one" })).toEqual({ A: 4, B: 2 });
  expect(after({ A: "one", C: "three" })).toEqual({ A: 4, C: 1 });
  expect(after({ A: UNKNOWN, B: "two" })).toEqual({ A: UNKNOWN, B: 1 });
  expect(after(UNKNOWN)).toBe(UNKNOWN);
  expect(after(undefined)).toBeUndefined();
  expect(after({ A: "one", B: "two" }, {})).toEqual({ A: 1, B: 1 });
});
