/** Checks that the TypeScript blocks in the docs compile. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as ts from "typescript";
import { type Block, blocksIn, pages, pageText } from "../../tools/docs/blocks";

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

/** The program of a block. A comment `<!-- with: … -->` above the block contains the program's earlier lines. */
function textOf({ comment, text }: Block): string {
  const [, before = ""] = /^with: ([\s\S]*)$/.exec(comment ?? "") ?? [];
  return `${before}\n${text}\nexport {};\n`;
}

/** The compiler's errors in these programs. Each program is a separate file. */
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

test("every TypeScript block and its imports compile, but a program with a misspelled argument does not compile", () => {
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
