import type { Emulator } from "../../sdk/emulator/index";
import { headline } from "../../sdk/report/render/words";
import { type Planned, planned } from "../support/engine/plannedStack";
import { service } from "../support/engine/stack";

const started = () => service({ profile: "langsmith" });
const names = (emulator: Emulator): string[] =>
  emulator
    .deployments()
    .filter(({ status }) => status !== "AWAITING_DELETE")
    .map(({ name }) => name)
    .sort();
const RETAINING = "{ retainOnDelete: true }";

/** Deployments whose plans all succeed, each with a different option or unknown value. */
const GOING_THROUGH = `
  pulumi.runtime.registerStackTransformation(({ name, props, opts }) => {
    return { props, opts: name === "transformed" ? { ...opts, ...${RETAINING} } : opts };
  });
  const renamed = (name) => chat({ name: again ? name + "-2" : name });
  const g = new Group("g", ${RETAINING});
  new Deployment("parent", renamed("parent"), { parent: g });
  new Deployment("grandparent", renamed("grandparent"), { parent: new Group("h", { parent: g }) });
  new Deployment("transformed", renamed("transformed"));
  if (!again) {
    const other = new Deployment("other", chat({ name: "other" }));
    new Deployment("left", chat({ name: "left" }), { deletedWith: other });
  }
  const revisionTriggers = { prompts: again ? "<{%2" : "1" };
  new Deployment("<{%bold%}>", chat({ name: "colored", revisionTriggers }));
  new Deployment("same", chat({ name: again ? later("same") : "same" }));
  new Deployment("another", chat({ name: again ? later("another-2") : "another" }));
`;

describe("in one program", () => {
  let run: Planned;
  let remaining: readonly string[];
  beforeAll(async () => {
    const emulator = await started();
    run = await planned(emulator, GOING_THROUGH);
    remaining = names(emulator);
  });
  const reportOf = (name: string) => run.report.deployments.find((each) => each.name === name);
  const outcomeOf = (name: string) => run.result.outcomes.find((each) => each.name === name);
  const lineOf = (name: string) => run.said.find((line) => line.startsWith(`${name}: `));
  const remainingWith = (name: string) => remaining.filter((each) => each.startsWith(name));

  test.each(["parent", "grandparent", "transformed"])(
    "%s: if an option of another resource retains a deployment, the deployment stays on the service, as the report says",
    (name) => {
      expect(lineOf(name)).toContain("is deleted with its threads and its URL, unless an option keeps it");
      expect(reportOf(name)).toMatchObject({ verdict: "replace", fate: "retained" });
      expect(run.offences("delete")).not.toContain(`"${name}"`);
      expect(remainingWith(name)).toEqual([name, `${name}-2`]);
      expect(outcomeOf(name)?.fate).toEqual({ predicted: "retained", happened: "retained" });
    },
  );

  test("a name or value that looks like an engine color code is shown unchanged, and the report can read the plan line", () => {
    const name = "<{%bold%}>";
    expect(run.said).toContain(
      '<{%bold%}>: creates a new revision (revisionTriggers.prompts 1 -> "<\\u007b%2")',
    );
    expect(reportOf(name)).toMatchObject({ verdict: "new-revision", warnings: [] });
    expect(outcomeOf(name)).toMatchObject({ happened: "new-revision", right: true });
  });

  test("a deployment with the option deletedWith stays on the service, as the report and the result say", () => {
    expect([reportOf("left")?.fate, reportOf("other")?.fate]).toEqual(["retained", "deleted"]);
    expect([remainingWith("left"), remainingWith("other")]).toEqual([["left"], []]);
    expect(outcomeOf("left")?.fate).toEqual({ predicted: "retained", happened: "retained" });
  });

  test.each([
    ["same", "unchanged", ["same"]],
    ["another", "replaced", ["another-2"]],
  ])(
    "the plan says that a deployment may be replaced if its name is unknown until the apply (here, the deployment is %s in the end)",
    (name, happened, those) => {
      expect(lineOf(name)).toMatch(
        /: may be replaced; otherwise it has no changes; if replaced \(name .* -> /,
      );
      const verdict = { verdict: "may-create-revision", otherwise: "unchanged", fate: "deleted" };
      expect(reportOf(name)).toMatchObject(verdict);
      for (const gate of ["may", "replace", "delete"] as const)
        expect(run.offences(gate)).toContain(`"${name}"`);
      expect(outcomeOf(name)).toMatchObject({ happened });
      expect(remainingWith(name)).toEqual(those);
    },
  );

  test("the result says that every prediction was right", () => {
    expect(run.upFailed).toBe(false);
    expect(run.result).toMatchObject({ right: 8, wrong: 0 });
  });
});

test("if a connection is only renamed, every gate passes, and the result says that the plan was right", async () => {
  const emulator = await started();
  const other = await started();
  const at = (baseUrl: string) => ({ baseUrl, profile: "langsmith" });
  const connections = { one: at(emulator.url), uno: at(emulator.url), other: at(other.url) };
  process.env.DEPLOYMENT_CONTROL_CONNECTIONS = JSON.stringify(connections);
  try {
    const program = `
      const on = (name, before, after) => new Deployment(name, chat({ name, connection: again ? after : before }));
      on("renamed", "one", "uno");
      on("named", undefined, "one");
      on("moved", "one", "other");`;
    const { report, result, offences, upFailed } = await planned(emulator, program);
    expect(headline([report])).toBe(
      "1 deployment is deleted. Traffic moves to newly built revisions: 1 replaced, 2 in place",
    );
    for (const gate of ["new-revision", "may", "delete", "replace"] as const)
      expect(offences(gate)).not.toContain("named");
    expect(offences("replace")).toContain('deployment "moved": connection one -> other');
    expect(upFailed).toBe(false);
    expect(result).toMatchObject({ right: 3, wrong: 0, undecided: 0 });
    expect([names(emulator), names(other)]).toEqual([["named", "renamed"], ["moved"]]);
  } finally {
    delete process.env.DEPLOYMENT_CONTROL_CONNECTIONS;
  }
});

test("the preview and `pulumi up` fail if an option from a parent or a transformation blocks the name that a replacement needs", async () => {
  const emulator = await started();
  const program = `
    const off = ({ props, opts }) => ({ props, opts: { ...opts, deleteBeforeReplace: false } });
    new Deployment("kept", chat({ name: "kept", ...moved }), { parent: new Group("g", ${RETAINING}) });
    new Deployment("late", chat({ name: "late", ...moved }), {
      parent: new Group("h", { transformations: [off] }),
    });`;
  const { report, result, upFailed } = await planned(emulator, program);
  expect(report.failure).toBeNull();
  expect([...(report.refusals ?? [])].sort()).toEqual([
    expect.stringMatching(/"kept".*retainOnDelete.*Change name too/),
    expect.stringMatching(/"late".*deleteBeforeReplace is false.*Change name too/),
  ]);
  expect(upFailed).toBe(true);
  expect(names(emulator)).toEqual(["kept", "late"]);
  expect(result.outcomes.filter(({ right }) => right === false)).toEqual([]);
});
