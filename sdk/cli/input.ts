/** Input and output of the commands: files, standard input, and lines on the terminal. */
import { isUtf8 } from "node:buffer";
import { readFileSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import type { ConfigurationSource } from "../../provider/run/configuration";
import { PACKAGE, settingName } from "../../provider/schema/naming";
import { redacted } from "../../provider/schema/secrecy";
import { jsonIn, valueAt } from "../../provider/schema/value";
import { escapeControls } from "../../provider/schema/words";
import type { Source } from "../adopt/read/stack";
import { pulumiOutput, stackArguments } from "../processes";
import { place } from "../report/read/documents";

export const nameOf = (file: string): string => (file === "-" ? "standard input" : file);

/** The contents of a file, or of standard input for `-`. Throws an Error if the input is unreadable or is not text. */
export async function textIn(file: string): Promise<string> {
  return decoded(await bytesIn(file), nameOf(file));
}

/** The contents of a file, and the file's name in error messages. */
export const sourceIn = async (file: string): Promise<Source> => ({
  text: await textIn(file),
  name: nameOf(file),
});

async function bytesIn(file: string): Promise<Buffer> {
  try {
    return file === "-" ? await buffer(process.stdin) : readFileSync(file);
  } catch (error) {
    throw new Error(`${nameOf(file)}: cannot be read: ${(error as Error).message}`);
  }
}

/** Decodes UTF-8, and also UTF-16, which old versions of PowerShell write. Throws an Error for any other encoding. */
function decoded(bytes: Buffer, source: string): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = bytes.toString(isUtf16 ? "utf16le" : "utf8");
  if (isUtf16 || isUtf8(bytes)) return text;
  throw new Error(`${place(text, strangeIn(text), source)}: expected text in UTF-8, found other bytes`);
}

/** Decoding puts replacement characters in place of bytes that are not UTF-8. */
const strangeIn = (text: string): number => Math.max(0, text.indexOf("\ufffd"));

/** The stack's export, including secrets, read from a file or from Pulumi through a pipe. */
export async function stackExport(file: string | undefined, stack: string | undefined): Promise<Source> {
  if (file !== undefined) return sourceIn(file);
  const args = ["stack", "export", "--show-secrets", "--non-interactive", ...stackArguments(stack)];
  return { text: pulumiOutput(args, "--file"), name: "pulumi stack export" };
}

/** Prints a line on standard output, with secrets masked. */
export function say(line: string): void {
  process.stdout.write(`${escapeControls(redacted(line))}\n`);
}

/** Prints a line on standard error, with secrets masked. */
export function complain(line: string): void {
  process.stderr.write(`${escapeControls(redacted(line))}\n`);
}

/** Writes the output to the `--out` file, or to standard output. Throws an Error if the file cannot be written. */
export function writeOutput(text: string, out: string | undefined): void {
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(out, text);
  } catch (error) {
    throw new Error(`--out ${out}: cannot be written: ${(error as Error).message}`);
  }
}

/** Finds package.json by the package's name, because compiling changes the file's relative path. */
export const packageVersion = (): string =>
  JSON.parse(readFileSync(require.resolve(`${PACKAGE}/package.json`), "utf8")).version;

/** The configuration of this folder's stack; empty, with `isRead` false, if there is no project, stack or CLI. */
export function stackConfiguration(stack?: string): ConfigurationSource & { readonly isRead: boolean } {
  const args = ["config", "--json", "--show-secrets", "--non-interactive", ...stackArguments(stack)];
  const printed = printedBy(args);
  const values = jsonIn(printed ?? "");
  const settingOf = (key: string): string | undefined => {
    const value = valueAt(values, [settingName(key), "value"]);
    return typeof value === "string" ? value : undefined;
  };
  return Object.assign(settingOf, {
    isSecret: (key: string) => valueAt(values, [settingName(key), "secret"]) === true,
    isRead: printed !== undefined,
  });
}

/** The output of a `pulumi` command; undefined if the command fails. Hides error output, which may quote a secret. */
export function printedBy(args: readonly string[]): string | undefined {
  try {
    return pulumiOutput(args);
  } catch {
    return undefined;
  }
}
