import type { Properties } from "../../provider/schema/value";
import { chat, provided } from "../support/providerRun";
import { createDeployment } from "../support/resourceCalls";

interface Trivial {
  create(inputs: Properties): Promise<{ outs: Properties }>;
}
const { trivial } = require("../../tools/bench/programs/trivial") as { trivial: Trivial };

/** The names of the visible outputs. Only our provider has hidden outputs, which are part of its cost. */
const visible = (outputs: Properties) =>
  Object.keys(outputs)
    .filter((name) => !name.startsWith("__"))
    .sort();

test("the trivial provider that the benchmark uses as the floor has the same outputs as our provider", async () => {
  const { session } = await provided();
  const ours = await createDeployment(session, chat);
  const floor = await trivial.create(chat);
  expect(visible(floor.outs)).toEqual(visible(ours.outputs));
});
