/** The schema of the plugin matches the rows and the prose above them. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { schemaText } from "../../tools/docs/schema/package";

const file = path.join(__dirname, "..", "..", "provider", "schema.json");

/** The members of the schema that these tests read. */
interface Property {
  readonly description?: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
  readonly [name: string]: unknown;
}
type Properties = { readonly [name: string]: Property };
interface Resource {
  readonly inputProperties: Properties;
  readonly properties: Properties;
}

const schema = JSON.parse(readFileSync(file, "utf8")) as {
  readonly version: string;
  readonly displayName: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly resources: { readonly [token: string]: Resource };
  readonly provider: { readonly inputProperties: Properties };
};
const resources = Object.entries(schema.resources).map(
  ([token, resource]) => [token.split(":")[2] as string, resource] as const,
);
const namesOf = (properties: Properties, has: (property: Property) => unknown): string[] =>
  Object.keys(properties).filter((name) => has(properties[name] as Property));

test("provider/schema.json is what `npm run docs` would write", () => {
  expect(readFileSync(file, "utf8")).toBe(schemaText());
});

test("the schema has the facts that the registry shows: name, licence, category and kind", () => {
  const { displayName, description, license, version } = schema;
  const packageFile = JSON.parse(readFileSync(path.join(__dirname, "..", "..", "package.json"), "utf8"));
  expect({ description, license, version }).toEqual({
    description: `Deployment Control: ${packageFile.description}`,
    license: packageFile.license,
    version: packageFile.version,
  });
  expect(displayName).toBe("Deployment Control");
  expect(schema.keywords).toEqual(expect.arrayContaining(["category/infrastructure", "kind/native"]));
});

test("the schema has what the registry demands of a publisher, and each resource and function an example", () => {
  const all = JSON.parse(readFileSync(file, "utf8"));
  for (const name of ["publisher", "repository", "homepage", "logoUrl", "pluginDownloadURL"])
    expect([name, all[name]]).toEqual([name, expect.stringMatching(/./)]);
  expect(all.repository).toBe(all.homepage);
  for (const [token, { description }] of Object.entries<Property>({ ...all.resources, ...all.functions }))
    for (const language of ["typescript", "python", "go", "csharp", "yaml"])
      expect(`${token}: ${description}`).toContain(`\n\n\`\`\`${language}\n`);
});

test("everything that the schema names has a description", () => {
  const missing: string[] = [];
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value)) visit(member, `${place}/${name}`);
    const isNamed = /\/(properties|inputProperties|variables|types|resources|functions)\/[^/]+$/.test(place);
    if (isNamed && !(value as Property).description) missing.push(place);
  };
  visit(schema, "");
  expect(missing).toEqual([]);
});

test.each(resources)("no secret argument of a %s is an output", (name, { inputProperties, properties }) => {
  const secret = namesOf(inputProperties, (property) => property.secret);
  expect(secret).toEqual({ Deployment: ["secrets"], Rollout: ["verify"], SmokeTest: ["apiKey"] }[name] ?? []);
  const plainNames = Object.keys(inputProperties).filter((each) => !secret.includes(each));
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(plainNames));
  for (const each of secret) expect(properties).not.toHaveProperty(each);
});

test.each([
  ["Deployment", ["name", "source", "connection"]],
  ["Listener", ["computeType", "computeId", "connection"]],
  ["TokenMetadata", ["tokenId", "connection"]],
  ["Rollout", []],
  ["SmokeTest", ["connection"]],
])("the schema says which arguments replace a %s", (name, replacing) => {
  const { inputProperties } = Object.fromEntries(resources)[name] as Resource;
  expect(namesOf(inputProperties, (property) => property.willReplaceOnChanges)).toEqual(replacing);
});

test("every setting that may hold a credential is a secret of the provider", () => {
  const { inputProperties } = schema.provider;
  expect(namesOf(inputProperties, (property) => property.secret)).toEqual([
    "apiKey",
    "headers",
    "connections",
  ]);
});
