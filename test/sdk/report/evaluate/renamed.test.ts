import { evaluate } from "../../../../sdk/report/evaluate/evaluate";
import { aliasOf } from "../../../../sdk/report/evaluate/renamed";
import { previewIn } from "../../../../sdk/report/read/preview";
import { changed, deploymentIn, stepOf } from "../../../support/goldens";

const TYPE = "pulumi-nodejs:dynamic/deployment-control:Deployment";
const urn = (name: string, ...parents: string[]) =>
  `urn:pulumi:dev::app::${[...parents, TYPE].join("$")}::${name}`;

test.each([
  ["of another name", urn("new"), urn("old"), '{ name: "old" }'],
  ["of another name below a parent", urn("new", "a:b:C"), urn("old", "a:b:C"), '{ name: "old" }'],
  ["that moved below a parent", urn("one", "a:b:C"), urn("one"), "{ parent: pulumi.rootStackResource }"],
  [
    "that moved below a parent under another name",
    urn("new", "a:b:C"),
    urn('o"ld'),
    '{ name: "o\\"ld", parent: pulumi.rootStackResource }',
  ],
  ["that moved from a parent to the stack", urn("one"), urn("one", "a:b:C"), `"${urn("one", "a:b:C")}"`],
  ["that moved between parents", urn("one", "a:b:D"), urn("one", "a:b:C"), `"${urn("one", "a:b:C")}"`],
])("the alias of a resource %s refers to the old entry", (_, now, old, alias) => {
  expect(aliasOf(now, old)).toBe(alias);
});

test("if a resource moves to the plugin, its alias gives the former type", () => {
  const [now, inside] = [urn("one"), urn("one", "a:b:C")].map((each) =>
    each.replace(TYPE, "deployment-control:index:Deployment"),
  ) as [string, string];
  expect(aliasOf(now, urn("one"))).toBe(`{ type: "${TYPE}" }`);
  expect(aliasOf(now, urn("old"))).toBe(`{ name: "old", type: "${TYPE}" }`);
  expect(aliasOf(inside, urn("one"))).toBe(`{ type: "${TYPE}", parent: pulumi.rootStackResource }`);
});

/** The refusals of a plan that creates "fresh" with these inputs and deletes "gone" with these outputs. */
function refusals(inputs: object, outputs: object = {}): readonly string[] | undefined {
  const text = changed("mixed", (document) => {
    Object.assign(stepOf(document, "fresh").newState.inputs, inputs);
    Object.assign(stepOf(document, "gone").oldState.outputs, outputs);
  });
  return evaluate(previewIn(text, "mixed")).refusals;
}

test("a creation with the name of a deleted deployment counts as a renaming, unless the name is hidden or the service differs", () => {
  const name = "agents-gone";
  expect(refusals({ name })).toEqual([expect.stringContaining('aliases: [{ name: "gone" }] to "fresh"')]);
  expect(refusals({ name, connection: "eu" }, { connection: "eu" })).toHaveLength(1);
  expect(refusals({ name, connection: "eu" })).toBeUndefined();
  expect(refusals({})).toBeUndefined();
  expect(refusals({ name: "[secret]" }, { name: "[secret]" })).toBeUndefined();
});

test("a replacement that takes the name of a deleted deployment fails the up, unless it may adopt that deployment", () => {
  const refusals = (inputs: object, config: object = {}) =>
    evaluate(
      previewIn(
        changed("mixed", (document) => {
          document.config = { ...document.config, ...config };
          Object.assign(stepOf(document, "renamed").newState.inputs, inputs);
        }),
        "mixed",
      ),
    ).refusals;
  const name = "agents-gone";
  expect(refusals({ name })).toEqual([
    expect.stringMatching(
      /"renamed": is to be created under the name "agents-gone", .* take "gone" out in an update before/,
    ),
  ]);
  expect(refusals({ name, adopt: true })).toBeUndefined();
  expect(refusals({ name }, { "deployment-control:adopt": "true" })).toBeUndefined();
});

test("a deployment that another resource takes over stays on the service, whatever its onDestroy says", () => {
  for (const onDestroy of ["delete", "fail"]) {
    const text = changed("mixed", (document) => {
      const gone = stepOf(document, "gone");
      Object.assign(gone.oldState.outputs, { onDestroy });
      Object.assign(stepOf(document, "renamed").newState.inputs, { adopt: gone.oldState.id });
    });
    const report = evaluate(previewIn(text, "mixed"));
    expect(report.refusals).toBeUndefined();
    const gone = deploymentIn(report, "gone");
    expect(gone.fate).toBe("retained");
    expect(gone.warnings).toContainEqual(expect.stringContaining('stays: "renamed" takes it over'));
  }
});

/** The warnings of a plan that creates the listener "cluster" and deletes the listener "former" with these outputs. */
function warnings(outputs: object): readonly string[] {
  const text = changed("create", (document) => {
    const step = stepOf(document, "cluster");
    const { inputs } = step.newState;
    const urn = step.urn.replace(/::cluster$/, "::former");
    const oldState = { id: "listener-1", inputs, outputs: { ...inputs, ...outputs } };
    document.steps.push({ op: "delete", urn, oldState });
  });
  return evaluate(previewIn(text, "create")).warnings;
}

test("if one resource creates the listener that another resource deletes, the report warns about a renaming", () => {
  const alias = 'add the option aliases: [{ name: "former" }] to "cluster"';
  expect(warnings({})).toEqual([expect.stringContaining(alias)]);
  expect(warnings({})[0]).toContain('takes over the listener of "former", which is then left as it is');
  expect(warnings({ onDestroy: "fail" })[0]).toContain("whose onDestroy then fails the up");
  expect(warnings({ computeId: "another" })).toEqual([]);
  expect(warnings({ connection: "eu" })).toEqual([]);
});
