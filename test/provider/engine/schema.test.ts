import type { Resource } from "../../../provider/call";
import { dynamicProvider } from "../../../provider/engine/dynamic";
import { CURRENT_SCHEMA, SCHEMA } from "../../../provider/engine/schema";
import { UnfinishedError } from "../../../provider/failure";
import { stateOf } from "../../../provider/schema/recorded";
import type { Properties } from "../../../provider/schema/value";
import { failureOf } from "../../support/providerRun";

/** The recorded state that each method received. */
let states: { [method: string]: Properties } = {};
beforeEach(() => {
  states = {};
});

const seen = (method: string, state: Properties): Properties => {
  states[method] = state;
  return state;
};

/** A resource that records its calls. */
const resource: Resource = {
  kind: "thing",
  rows: {},
  outputRows: {},
  reported: ["url"],
  check: async (_session, _recorded, args) => ({ inputs: { ...(args as Properties) }, failures: [] }),
  diff: async (_session, _id, olds) => ({ changes: Object.keys(seen("diff", olds)).length === 0 }),
  create: async (_session, inputs) => ({ id: "1", outputs: stateOf(inputs, {}) }),
  read: async (_session, id, state) => ({
    id,
    outputs: seen("read", state),
    inputs: { ...(state as Properties) },
  }),
  update: async (_session, id, state, inputs) => {
    if (inputs.name === "fails") throw new UnfinishedError(id, stateOf(inputs, {}), "it failed");
    return { ...seen("update", state), ...(inputs as Properties) };
  },
  delete: async (_session, _id, state) => void seen("delete", state),
};
// biome-ignore lint/suspicious/noExplicitAny: the host's methods are optional, and their results are of any type.
const host = dynamicProvider(resource) as any;

const methods: [string, (state: Properties) => Promise<unknown>][] = [
  ["diff", (state) => host.diff("1", state, { name: "a" })],
  ["read", (state) => host.read("1", state)],
  ["update", (state) => host.update("1", state, { name: "a" })],
  ["delete", (state) => host.delete("1", state)],
];

test("every recorded state has the schema version, even after a failure, but recorded inputs have no version", async () => {
  const state = { name: "a", url: null };
  const { inputs } = await host.check({}, { name: "a" });
  expect(inputs).toEqual({ name: "a" });
  expect((await host.create(state)).outs).toEqual({ ...state, [SCHEMA]: CURRENT_SCHEMA });
  const read = await host.read("1", { ...state, [SCHEMA]: CURRENT_SCHEMA });
  expect(read).toEqual({ id: "1", props: { ...state, [SCHEMA]: CURRENT_SCHEMA }, inputs: state });
  const { outs } = await host.update("1", { ...state, [SCHEMA]: CURRENT_SCHEMA }, { name: "b" });
  expect(outs).toEqual({ name: "b", url: null, [SCHEMA]: CURRENT_SCHEMA });
  const failed = await failureOf<Error & { properties?: Properties }>(
    host.update("1", state, { name: "fails" }),
  );
  expect(failed.properties).toMatchObject({ name: "fails", [SCHEMA]: CURRENT_SCHEMA });
});

test.each(methods)("%s gets the recorded outputs without the version note", async (name, call) => {
  await call({ name: "a", url: "https://a.example", [SCHEMA]: CURRENT_SCHEMA });
  expect(states[name]).toEqual({ name: "a", url: "https://a.example" });
});

test.each(
  methods.flatMap(([name, call]) =>
    [CURRENT_SCHEMA + 1, -1, 0.5, "1", null].map((version) => [name, version, call] as const),
  ),
)("%s refuses a state with the version %p", async (name, version, call) => {
  const { message } = await failureOf(call({ name: "a", [SCHEMA]: version }));
  expect(message).toContain(`its state has the schema version ${JSON.stringify(version)}, but`);
  expect(message).toContain("Install the version that wrote the state");
  expect(states[name]).toBeUndefined();
});
