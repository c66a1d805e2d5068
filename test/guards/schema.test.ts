/** Checks that the plugin's schema matches the rows and the prose above them. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { FOLDER, type LANGUAGES, TRANSLATED } from "../../tools/docs/schema/examples";

const ROOT = path.join(__dirname, "..", "..");
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

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

const schema = JSON.parse(textOf("provider/schema.json"));
const resources = Object.entries<Resource>(schema.resources).map(
  ([token, resource]) => [token.split(":")[2] as string, resource] as const,
);
const namesOf = (properties: Properties, has: (property: Property) => unknown): string[] =>
  Object.keys(properties).filter((name) => has(properties[name] as Property));

test("the schema has the name, the license, the category and the kind that the registry shows", () => {
  const { displayName, description, license, version, keywords } = schema;
  const packageFile = JSON.parse(textOf("package.json"));
  expect({ description, license, version }).toEqual({
    description: `Deployment Control: ${packageFile.description}`,
    license: packageFile.license,
    version: packageFile.version,
  });
  expect(displayName).toBe("Deployment Control");
  expect(keywords).toEqual(expect.arrayContaining(["category/infrastructure", "kind/native"]));
  for (const name of ["_index", "installation-configuration"])
    expect(textOf(`docs/${name}.md`)).toMatch(/^---\n(?:title|meta_desc): [\s\S]*\nlayout: package\n---\n/);
});

test("the schema has the facts that the registry requires from a publisher, and an example of each resource and function", () => {
  for (const name of ["publisher", "repository", "homepage", "logoUrl", "pluginDownloadURL"])
    expect([name, schema[name]]).toEqual([name, expect.stringMatching(/./)]);
  expect(schema.repository).toBe(schema.homepage);
  for (const [token, { description }] of Object.entries<Property>({
    ...schema.resources,
    ...schema.functions,
  }))
    for (const language of ["typescript", "python", "go", "csharp", "java", "yaml"])
      expect(`${token}: ${description}`).toContain(`\n\n\`\`\`${language}\n`);
});

type Programs = Readonly<Record<(typeof LANGUAGES)[number] | "yaml", string>>;
const translated: { readonly [name: string]: Programs } = JSON.parse(readFileSync(TRANSLATED, "utf8"));

test("the translated examples match the current YAML and package names; if they do not, run npm run examples", () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));
  const sources = files.map((name) => [path.parse(name).name, readFileSync(path.join(FOLDER, name), "utf8")]);
  const ofTranslated = Object.entries(translated).map(([name, { yaml }]) => [name, yaml]);
  expect(Object.fromEntries(ofTranslated)).toEqual(Object.fromEntries(sources));
  const { nodejs, python, go, csharp, java } = schema.language;
  for (const programs of Object.values(translated)) {
    expect(programs.typescript).toContain(`"${nodejs.packageName}"`);
    expect(programs.python).toContain(`import ${python.packageName} `);
    expect(programs.go).toContain(`"${go.importBasePath}"`);
    expect(programs.csharp).toContain(` ${csharp.rootNamespace}.`);
    expect(programs.java).toContain(`import ${java.basePackage}.`);
  }
});

test("the registry's installation page names the package of each language", () => {
  const page = textOf("docs/installation-configuration.md");
  const { nodejs, python, go, csharp, java } = schema.language;
  const csharpName = `${csharp.rootNamespace}.${csharp.namespaces["deployment-control"]}`;
  const javaName = `${java.basePackage}:deployment-control`;
  for (const name of [nodejs.packageName, python.packageName, go.importBasePath, csharpName, javaName])
    expect(page).toContain(`| \`${name}\` |`);
  expect(page).toContain("needs Node 22 or later on the PATH");
  const install = `pulumi plugin install resource deployment-control --server ${schema.pluginDownloadURL}\n`;
  expect(page).toContain(install);
  for (const setting of ["baseUrl", "profile", "--secret deployment-control:apiKey"])
    expect(page).toMatch(new RegExp(`^pulumi config set (deployment-control:)?${setting}\\b`, "m"));
  for (const variable of ["BASE_URL", "PROFILE", "API_KEY"])
    expect(page).toMatch(new RegExp(`^export DEPLOYMENT_CONTROL_${variable}=`, "m"));
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

test("the schema's enums have the values of newer services in addition to the contract's values", () => {
  const words = (name: string) =>
    schema.types[`deployment-control:index:${name}`].enum.map(({ value }: { value: string }) => value);
  expect(words("DeploymentType")).toEqual(["dev_free", "dev", "prod", "dev_zero", "dev_free_zero"]);
  expect(words("DeploymentStatus")).toContain("AWAITING_FINAL_DELETE");
});

test.each(resources)(
  "every argument of a %s is an output, and each secret argument is a secret output",
  (name, { inputProperties, properties }) => {
    const secret = namesOf(inputProperties, (property) => property.secret);
    expect(secret).toEqual(
      { Deployment: ["secrets"], Rollout: ["verify"], SmokeTest: ["apiKey"] }[name] ?? [],
    );
    const plainNames = Object.keys(inputProperties).filter((each) => !secret.includes(each));
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(plainNames));
    for (const each of secret) expect(properties[each]).toMatchObject({ secret: true });
  },
);

test.each([
  ["Deployment", ["name", "source", "connection"]],
  ["Listener", ["computeType", "computeId", "connection"]],
  ["TokenMetadata", ["tokenId", "connection"]],
  ["Rollout", []],
  ["SmokeTest", ["connection"]],
])("the schema says which arguments cause the replacement of a %s", (name, replacing) => {
  const { inputProperties } = Object.fromEntries(resources)[name] as Resource;
  expect(namesOf(inputProperties, (property) => property.willReplaceOnChanges)).toEqual(replacing);
});

test("every setting that may hold a credential is a secret input of the provider", () => {
  const secret = namesOf(schema.provider.inputProperties, (property) => property.secret);
  expect(secret).toEqual(["apiKey", "headers", "connections"]);
});
