/** Tests that each row of a resource's tables becomes a property, and that the engine's answer fills the property. */
import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../../sdk/index";
import { Deployment, Listener } from "../../../sdk/index";
import { tablesOf } from "../../support/classTables";
import { thrown } from "../../support/thrown";

const ID = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";

const answers: { [name: string]: { readonly [output: string]: unknown } } = {};

beforeAll(() => {
  pulumi.runtime.setMocks({
    newResource: ({ id, name, inputs }) => ({
      id: id ?? `${name}-id`,
      state: { ...inputs, ...answers[name] },
    }),
    call: ({ inputs }) => inputs,
  });
});

const classes = sdk as { readonly [name: string]: unknown };
const resources = Object.entries(tablesOf);

function declare(resource: string, name: string, args: object): { readonly [output: string]: unknown } {
  const construct = classes[resource] as new (name: string, args: object) => object;
  return new construct(name, args) as { readonly [output: string]: unknown };
}

/** The minimal arguments with which the SDK registers the resource. */
const least = (resource: string): object => (resource === "Rollout" ? { deployments: [] } : {});

const valueIn = (output: unknown): Promise<unknown> =>
  new Promise((resolve) => (output as pulumi.Output<unknown>).apply(resolve));

test.each(resources)(
  "each output of a %s has the value of its row in the engine's answer",
  async (resource, tables) => {
    const rows = tables.flatMap((table) => Object.keys(table.rows));
    answers.one = Object.fromEntries(rows.map((row) => [row, `the ${row}`]));
    const outputs = declare(resource, "one", { ...least(resource), ...givenIn(tables) });
    for (const row of rows) expect(await valueIn(outputs[row])).toBe(`the ${row}`);
  },
);

/** A string for each argument, except for the deployments of a Rollout, which cannot be a string. */
function givenIn(tables: (typeof tablesOf)[string]): object {
  const names = tables.filter(({ given }) => given).flatMap(({ rows }) => Object.keys(rows));
  return Object.fromEntries(
    names.filter((name) => name !== "deployments").map((name) => [name, `given ${name}`]),
  );
}

test.each(resources)(
  "if the program omits an argument of a %s, the argument's output has the value undefined",
  async (resource, tables) => {
    answers.two = {};
    const outputs = declare(resource, "two", least(resource));
    const rows = tables.filter(({ given }) => given).flatMap((table) => Object.keys(table.rows));
    for (const row of rows.filter((name) => name !== "deployments"))
      expect(await valueIn(outputs[row])).toBeUndefined();
  },
);

test.each(resources)(
  "an argument of a %s is a secret output if the argument's row is secret",
  async (resource, tables) => {
    const secret = tables.flatMap(({ rows }) => Object.keys(rows).filter((name) => rows[name]?.secret));
    const outputs = declare(resource, "three", { ...least(resource), ...givenIn(tables) });
    for (const name of secret) expect(await pulumi.isSecret(pulumi.output(outputs[name]))).toBe(true);
  },
);

test.each([Deployment, Listener])("%p.get is refused without an id", (resource) => {
  expect(() => resource.get("one", undefined as never)).toThrow(
    `${resource.name}.get("one"): the id is missing`,
  );
  expect(resource.get("one", ID)).toBeInstanceOf(resource);
});

test("an argument that a transformation sets is an output, and an argument that a transformation removes has the value undefined", async () => {
  answers.transformed = {};
  const transformations: pulumi.ResourceTransformation[] = [
    ({ props: { source: _taken, ...props }, opts }) => ({ props: { ...props, connection: "far" }, opts }),
  ];
  const args = { name: "chat", source: "external_docker" } as const;
  const { name, source, connection } = new Deployment("transformed", args, { transformations });
  expect(await Promise.all([name, source, connection].map(valueIn))).toEqual(["chat", undefined, "far"]);
});

test("a deployment has an alias with the plugin's type, with and without a parent", async () => {
  answers.outside = {};
  const parent = new pulumi.ComponentResource("test:index:Team", "aliased");
  const args = { name: "chat", source: "external_docker" } as const;
  const aliasesOf = (deployment: Deployment) =>
    Promise.all(
      (deployment as unknown as { __aliases: pulumi.Input<string>[] }).__aliases.map((each) =>
        valueIn(pulumi.output(each)),
      ),
    );
  const both = await Promise.all(
    [{}, { parent }].map((options) => aliasesOf(new Deployment("outside", args, options))),
  );
  expect(both.map((aliases) => aliases.map((each) => String(each).split("::").slice(2).join("::")))).toEqual([
    ["deployment-control:index:Deployment::outside"],
    ["test:index:Team$deployment-control:index:Deployment::outside"],
  ]);
});

test("the program fails if a resource has an option without effect, an option that forces a replacement, or an invalid duration", () => {
  const refusals = [
    { replaceOnChanges: ["name"] },
    { replacementTrigger: "1" },
    { replaceWith: [pulumi.rootStackResource as pulumi.Resource] },
    { customTimeouts: { create: "10 minutes" } },
    { customTimeouts: { update: "0s" } },
    { customTimeouts: { delete: 90 as unknown as string } },
  ].map((options) =>
    thrown(() => new Deployment("chat", { name: "chat", source: "external_docker" }, options)),
  );
  // The engine shows a `RunError` without its stack trace.
  expect(refusals.every((refusal) => pulumi.RunError.isInstance(refusal))).toBe(true);
  expect(refusals.map((refusal) => refusal.message)).toEqual([
    expect.stringMatching(/^Deployment "chat": .*replaceOnChanges has no effect .*revisionTriggers.*name$/),
    expect.stringMatching(/^Deployment "chat": the option replacementTrigger would replace .*change name$/),
    expect.stringMatching(/^Deployment "chat": the option replaceWith would replace .*revisionTriggers/),
    'Deployment "chat": customTimeouts.create: got "10 minutes"; allowed: a duration such as "90s", "10m" or "1h30m"',
    expect.stringMatching(/customTimeouts.update: got "0s"; allowed: /),
    expect.stringMatching(/customTimeouts.delete: got 90; allowed: /),
  ]);
});
