import type { Emulator } from "../../sdk/emulator/index";
import { headline } from "../../sdk/report/show/words";
import { planned } from "./planned";
import { service } from "./stack";

const started = () => service({ profile: "langsmith" });
const names = (emulator: Emulator): string[] =>
  emulator
    .deployments()
    .filter(({ status }) => status !== "AWAITING_DELETE")
    .map(({ name }) => name)
    .sort();
const RETAINING = "{ retainOnDelete: true }";
const NAMED = '{ name: again ? "chat-2" : "chat" }';

test.each([
  ["a parent", `new Deployment("chat", chat(${NAMED}), { parent: new Group("g", ${RETAINING}) });`],
  [
    "a parent's parent",
    `const g = new Group("g", ${RETAINING}); new Deployment("chat", chat(${NAMED}), { parent: new Group("h", { parent: g }) });`,
  ],
  [
    "a transformation of the stack",
    `pulumi.runtime.registerStackTransformation(({ props, opts }) => ({ props, opts: { ...opts, ...${RETAINING} } }));
     new Deployment("chat", chat(${NAMED}));`,
  ],
])("what %s keeps, the report says stays, and it does", async (_, program) => {
  const emulator = await started();
  const { report, said, result, offences } = await planned(emulator, program);
  expect(said).toContain("is deleted, unless an option keeps it");
  expect(report.deployments[0]).toMatchObject({ verdict: "replace", fate: "retained" });
  expect(offences("delete")).toBe("");
  expect(names(emulator)).toEqual(["chat", "chat-2"]);
  expect(result).toMatchObject({ right: 1, wrong: 0, outcomes: [{ fate: { happened: "retained" } }] });
});

test.each([
  [
    "retainOnDelete of a parent",
    `new Deployment("chat", chat(moved), { parent: new Group("g", ${RETAINING}) });`,
    /retainOnDelete.*Change name too/,
  ],
  [
    "deleteBeforeReplace of a transformation",
    `const off = ({ props, opts }) => ({ props, opts: { ...opts, deleteBeforeReplace: false } });
     new Deployment("chat", chat(moved), { parent: new Group("g", { transformations: [off] }) });`,
    /deleteBeforeReplace is false.*Change name too/,
  ],
])("a name that is kept beside %s fails the plan as it fails every up", async (_, program, words) => {
  const emulator = await started();
  const { report, result, upFailed } = await planned(emulator, program);
  expect(report.failure).toBeNull();
  expect(report.refusals).toEqual([expect.stringMatching(words)]);
  expect(upFailed).toBe(true);
  expect(names(emulator)).toEqual(["chat"]);
  expect(result.wrong).toBe(0);
});

test("the resource's own deleteBeforeReplace: false is refused at preview where it keeps its name", async () => {
  const emulator = await started();
  const program = `new Deployment("chat", chat(moved), { deleteBeforeReplace: false });`;
  const { report, upFailed } = await planned(emulator, program);
  expect(report.failure).toContain("Take the option deleteBeforeReplace away, or change name too");
  expect(upFailed).toBe(true);
  expect(names(emulator)).toEqual(["chat"]);
});

test("what is left to the deletion of another stays, and the report and the result say so", async () => {
  const emulator = await started();
  const program = `
    if (!again) {
      const other = new Deployment("other", chat({ name: "other" }));
      new Deployment("chat", chat(), { deletedWith: other });
    }`;
  const { report, result } = await planned(emulator, program);
  const fates = Object.fromEntries(report.deployments.map(({ name, fate }) => [name, fate]));
  expect(fates).toEqual({ chat: "retained", other: "deleted" });
  expect(names(emulator)).toEqual(["chat"]);
  expect(result).toMatchObject({ right: 2, wrong: 0 });
  // A plan that had said otherwise was wrong.
  const chat = result.outcomes.find(({ name }) => name === "chat");
  expect(chat?.fate).toEqual({ predicted: "retained", happened: "retained" });
});

test("what a parent protects is refused, and nothing says that it is deleted", async () => {
  const emulator = await started();
  const program = `new Deployment("chat", chat(${NAMED}), { parent: new Group("g", { protect: true }) });`;
  const { report, upFailed } = await planned(emulator, program);
  expect(report.deployments[0]).toMatchObject({ fate: "refused" });
  expect(report.failure).toContain("marked for protection");
  expect(JSON.stringify(report.deployments[0]?.warnings)).not.toContain("is deleted");
  expect([upFailed, names(emulator)]).toEqual([true, ["chat"]]);
});

test.each([
  ["the same", "chat", "unchanged", ["chat"]],
  ["another", "chat-2", "replaced", ["chat-2"]],
])(
  "a name that is unknown until the apply and turns out %s may be replaced",
  async (_, name, happened, left) => {
    const emulator = await started();
    const program = `new Deployment("chat", chat({ name: again ? later("${name}") : "chat" }));`;
    const { report, said, result, offences } = await planned(emulator, program);
    expect(said).toMatch(/: may be replaced \(name chat -> .*; otherwise it has no changes/);
    expect(report.deployments[0]).toMatchObject({
      verdict: "may-create-revision",
      otherwise: "unchanged",
      fate: "deleted",
    });
    for (const gate of ["may", "replace", "delete"] as const) expect(offences(gate)).toContain('"chat"');
    expect(result).toMatchObject({ right: 1, wrong: 0, outcomes: [{ happened }] });
    expect(names(emulator)).toEqual(left);
  },
);

test.each([
  ["delete", /^No deployment changes, but 1 listener is deleted: .*listeners: 1 replaced$/, 1],
  ["retain", /^No deployment changes: .*listeners: 1 replaced$/, 2],
])("a replaced listener is in the headline where onDestroy is %s", async (onDestroy, words, left) => {
  const emulator = await started();
  const program = `new Listener("l", { computeType: "k8s", computeId: again ? "two" : "one", onDestroy: "${onDestroy}" });`;
  const { report, offences } = await planned(emulator, program);
  expect(headline([report])).toMatch(words);
  expect(offences("delete") !== "").toBe(onDestroy === "delete");
  const listed = await fetch(`${emulator.url}/v2/listeners`).then((answer) => answer.json());
  expect((listed as { resources: unknown[] }).resources).toHaveLength(left);
});
