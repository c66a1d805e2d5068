/** Checks the compiler's messages about common mistakes in a program that uses the package's declarations. */
import { join } from "node:path";
import * as ts from "typescript";

const ROOT = join(__dirname, "../../..");
/** The path has forward slashes on every system, because TypeScript writes paths that way. */
const PROGRAM = join(__dirname, "program.ts").replaceAll("\\", "/");
const MOST_LINES = 3;

const HEAD = `import { Deployment } from "pulumi-deployment-control";
const chat = new Deployment("chat", { name: "chat", source: "repohost" });
const base = { name: "other", source: "repohost" } as const;
`;

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  types: [],
  paths: { "pulumi-deployment-control": [join(ROOT, "dist/sdk/index.d.ts")] },
};

/** The mistake, the program's line, the text that an editor marks in the line, and the compiler's message. */
type Mistake = readonly [title: string, statement: string, marked: string, ...words: string[]];

const MISTAKES: readonly Mistake[] = [
  [
    "a missing source",
    'new Deployment("other", { name: "other" });',
    '{ name: "other" }',
    "Argument of type '{ name: string; }' is not assignable to parameter of type 'DeploymentArgs'.",
    "  Property 'source' is missing in type '{ name: string; }' but required in type 'DeploymentArgs'.",
  ],
  [
    "a misspelled field",
    'new Deployment("other", { ...base, sourceConfg: {} });',
    "sourceConfg",
    "Object literal may only specify known properties, but 'sourceConfg' does not exist in type 'DeploymentArgs'. Did you mean to write 'sourceConfig'?",
  ],
  [
    "an unknown nested field",
    'new Deployment("other", { ...base, sourceConfig: { resourceSpec: { replicas: 2 } } });',
    "replicas",
    "Object literal may only specify known properties, and 'replicas' does not exist in type 'ResourceSpecArgs | Promise<ResourceSpecArgs | undefined> | OutputInstance<ResourceSpecArgs | undefined>'.",
  ],
  [
    "a number instead of a string",
    'new Deployment("other", { name: 1, source: "repohost" });',
    "name",
    "Type 'number' is not assignable to type 'Input<string>'.",
  ],
  [
    "a string instead of a number",
    'new Deployment("other", { ...base, sourceConfig: { resourceSpec: { minScale: "2" } } });',
    "minScale",
    "Type 'string' is not assignable to type 'Input<number | undefined>'.",
  ],
  [
    "a word that is not allowed",
    'new Deployment("other", { name: "other", source: "docker" });',
    "source",
    'Type \'"docker"\' is not assignable to type \'Input<"repohost" | "external_docker" | "internal_docker" | "internal_source" | "internal_template">\'.',
  ],
  [
    "secrets as a list",
    'new Deployment("other", { ...base, secrets: ["KEY"] });',
    "secrets",
    "Type 'string[]' is not assignable to type 'Input<{ [name: string]: Input<string>; } | undefined>'.",
    "  Type 'string[]' is not assignable to type '{ [name: string]: Input<string>; }'.",
    "    Index signature for type 'string' is missing in type 'string[]'.",
  ],
  [
    "an output instead of its value",
    "export const address: string = chat.url;",
    "address",
    "Type 'Output<string | null>' is not assignable to type 'string'.",
    "  Type 'OutputInstance<string | null>' is not assignable to type 'string'.",
  ],
];

const RIGHT = 'new Deployment("other", { ...base, rollout: { wait: false }, secrets: { KEY: "value" } });';
const statements = [...MISTAKES.map(([, statement]) => statement), RIGHT];
const program = HEAD + statements.join("\n");

/** The marked text and the compiler's message, by the number of the statement. */
const complaints = new Map<number, readonly string[]>();
/** The members without documentation in the interfaces that programs import. */
const bare: string[] = [];
let memberCount = 0;

beforeAll(() => {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (file, target) =>
    file === PROGRAM ? ts.createSourceFile(file, program, target) : getSourceFile(file, target);
  host.fileExists = (file) => file === PROGRAM || fileExists(file);
  const compiled = ts.createProgram([PROGRAM], options, host);
  for (const { start = 0, length = 0, messageText } of compiled.getSemanticDiagnostics(
    compiled.getSourceFile(PROGRAM),
  )) {
    const at = program.slice(HEAD.length, start).split("\n").length - 1;
    const marked = program.slice(start, start + length);
    complaints.set(at, [marked, ...ts.flattenDiagnosticMessageText(messageText, "\n").split("\n")]);
  }
  const checker = compiled.getTypeChecker();
  const entry = compiled.getSourceFile(join(ROOT, "dist/sdk/index.d.ts")) as ts.SourceFile;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(entry) as ts.Symbol);
  for (const symbol of exported) {
    const members = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(symbol)).getProperties();
    const ours = members.filter(({ declarations = [] }) =>
      declarations.every((each) => each.getSourceFile().fileName.startsWith(join(ROOT, "dist"))),
    );
    // A program must leave out a member of type `undefined`.
    const settable = ours.filter(
      (each) => checker.getNonNullableType(checker.getTypeOfSymbol(each)) !== checker.getNeverType(),
    );
    memberCount += settable.length;
    for (const member of settable.filter((each) => each.getDocumentationComment(checker).length === 0))
      bare.push(`${symbol.name}.${member.name}`);
  }
});

test("an editor shows documentation for each argument, output and field of an answer", () => {
  expect(memberCount).toBeGreaterThan(300);
  expect(bare).toEqual([]);
});

test.each(MISTAKES.map(([title, , ...words], at) => ({ title, at, words })))(
  "the compiler marks this mistake and says why in at most three lines: $title",
  ({ at, words }) => {
    const [marked, ...lines] = complaints.get(at) ?? [];
    expect([marked, ...lines]).toEqual(words);
    expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
  },
);

test("the compiler reports no error in a correct program", () => {
  expect(complaints.get(statements.indexOf(RIGHT))).toBeUndefined();
});
