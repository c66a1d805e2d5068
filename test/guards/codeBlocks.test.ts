/**
 * Checks the code blocks in the pages: blocks of TypeScript compile, commands are in pages that tests run, and every
 * block names its language.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as ts from "typescript";
import { type Block, blocksIn, pages, pageText } from "../../tools/docs/blocks";
import { followsCommands } from "../../tools/docs/guides/guide";

const ROOT = path.join(__dirname, "..", "..");

const EXAMPLES = path.join(ROOT, "examples");
const examples = readdirSync(EXAMPLES).flatMap((name) => {
  const folder = path.join(EXAMPLES, name);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(path.join(folder, file), "utf8"));
});

interface Placed extends Block {
  readonly page: string;
}

const blocks: Placed[] = pages().flatMap((page) =>
  blocksIn(pageText(page)).map((block) => ({ ...block, page })),
);
const isTypeScript = ({ language }: Block): boolean => language === "ts" || language === "js";
/**
 * The imports of a block are not compared with the examples, because a block imports only the names that it uses. The
 * compiler checks the imports.
 */
const IMPORTS = /^(?:import [^;]+;\n)+\n/;
const isInExample = ({ text }: Block): boolean =>
  examples.some((example) => example.includes(text.replace(IMPORTS, "").trim()));
const isGuide = ({ page }: Placed): boolean => page.startsWith("docs/guides/");

/** The program of a block. A comment `<!-- with: … -->` above the block contains the program's earlier lines. */
function textOf({ comment, text }: Block): string {
  const [, before = ""] = /^with: ([\s\S]*)$/.exec(comment ?? "") ?? [];
  return `${before}\n${text}\nexport {};\n`;
}

/** The compiler's errors in these programs, each of which is a separate file. */
function complaints(programs: readonly string[]): string[] {
  const { config } = ts.readConfigFile(path.join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const texts = new Map(
    programs.map((text, at) => [path.join(ROOT, "test", "guards", `block${at}.ts`), text]),
  );
  const host = ts.createCompilerHost(options);
  const read = host.readFile.bind(host);
  const exists = host.fileExists.bind(host);
  host.readFile = (file) => texts.get(path.normalize(file)) ?? read(file);
  host.fileExists = (file) => texts.has(path.normalize(file)) || exists(file);
  host.getSourceFile = (file, version) => {
    const text = host.readFile(file);
    return text === undefined ? undefined : ts.createSourceFile(file, text, version, true);
  };
  const program = ts.createProgram(
    [...texts.keys()],
    { ...options, noEmit: true, noUnusedLocals: false },
    host,
  );
  return [...texts.keys()].flatMap((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(
        ({ messageText }) => `${path.basename(file)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
      ),
  );
}

test("every block of TypeScript and the imports of every block compile, and a program with a misspelled argument does not", () => {
  const programs = blocks.filter(isTypeScript);
  const ownBlocks = programs.filter((block) => !isInExample(block));
  const imports = programs.filter(isInExample).flatMap(({ text }) => IMPORTS.exec(text)?.[0] ?? []);
  expect(ownBlocks.length).toBeGreaterThan(3);
  expect(imports.length).toBeGreaterThan(10);
  const misspelled =
    'import { Deployment } from "pulumi-deployment-control";\nnew Deployment("x", { nam: "x" });';
  // All programs are compiled at once, because compiling the libraries takes most of the time.
  const errors = complaints([
    misspelled,
    ...ownBlocks.map(textOf),
    ...imports.map((text) => `${text}export {};\n`),
  ]);
  expect(errors).toEqual([expect.stringMatching(/^block0\.ts: .*'nam' does not exist/s)]);
});

test("only guides and READMEs of examples have commands, because tests run those pages", () => {
  const commands = blocks.filter(({ language }) => language === "sh");
  expect(commands.filter(isGuide).length).toBeGreaterThan(30);
  const elsewhere = commands.filter((block) => !isGuide(block) && !block.page.startsWith("examples/"));
  expect(elsewhere.map(({ page, text }) => `${page}: ${text}`)).toEqual([]);
});

test("every code block names its language", () => {
  // The guard of the schema compares these programs with the schema's examples, and type checkers check the Python
  // program of the guide.
  const translated = ["typescript", "python", "go", "csharp", "java"];
  const further: { [page: string]: string[] } = {
    "docs/_index.md": translated,
    "docs/guides/languages.md": ["python"],
  };
  const ownLanguages = ["sh", "text", "ts", "js", "yaml", "json"];
  for (const page of pages()) {
    const languages = [...ownLanguages, ...(further[page] ?? [])];
    const fences = [...pageText(page).matchAll(/^```(\w*)[^\n]*$/gm)].map(
      ([, language]) => language as string,
    );
    const opening = fences.filter((_, at) => at % 2 === 0);
    expect({ page, strange: opening.filter((language) => !languages.includes(language)) }).toEqual({
      page,
      strange: [],
    });
  }
});

test("no block of output after a guide's commands is empty", () => {
  const shown = blocks.filter(isGuide).filter(({ language }) => language === "text");
  const outputs = shown.filter((block) => followsCommands(pageText(block.page), block));
  expect(outputs.length).toBeGreaterThan(20);
  for (const { page, text } of outputs) expect({ page, said: text.trim() }).not.toEqual({ page, said: "" });
});
