/** Input and output of the commands: files, standard input, and lines of the terminal. */
import { isUtf8 } from "node:buffer";
import { readFileSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import type { Connection } from "../../provider/client/connection";
import { environmentName, PACKAGE } from "../../provider/fields/naming";
import { escapeControls } from "../../provider/fields/words";
import { connectionFrom } from "../../provider/run/configuration";
import { keepSecret, redacted } from "../../provider/run/secrecy";
import type { Source } from "../adopt/read/stack";
import { place } from "../report/read/documents";
import { pulumiOutput, stackArguments } from "./processes";

export const nameOf = (file: string): string => (file === "-" ? "standard input" : file);

/** The text of a file; `-` is standard input. Throws an Error. */
export async function textIn(file: string): Promise<string> {
  return decoded(await bytesIn(file), nameOf(file));
}

/** The text with its name, for errors about it. */
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

/** The bytes as text. Old versions of PowerShell write UTF-16 with >. Throws an Error. */
function decoded(bytes: Buffer, source: string): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = bytes.toString(isUtf16 ? "utf16le" : "utf8");
  if (isUtf16 || isUtf8(bytes)) return text;
  throw new Error(`${place(text, strangeIn(text), source)}: expected text in UTF-8, found other bytes`);
}

/** Bytes that are not UTF-8 become replacement characters. */
const strangeIn = (text: string): number => Math.max(0, text.indexOf("\ufffd"));

/** The state with its secrets: from a file, or from the stack through a pipe. */
export async function stackExport(file: string | undefined, stack: string | undefined): Promise<Source> {
  if (file !== undefined) return sourceIn(file);
  const args = ["stack", "export", "--show-secrets", "--non-interactive", ...stackArguments(stack)];
  return { text: pulumiOutput(args, "--file"), name: "pulumi stack export" };
}

/** Prints a line without secrets. */
export function say(line: string): void {
  process.stdout.write(`${escapeControls(redacted(line))}\n`);
}

/** Prints a line without secrets on standard error. */
export function complain(line: string): void {
  process.stderr.write(`${escapeControls(redacted(line))}\n`);
}

/** Writes a text to the file of `--out`; to standard output unless there is one. Throws an Error. */
export function write(text: string, out: string | undefined): void {
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

/** The version of this package, which is found by its name, because the compiled file has another path. */
export const packageVersion = (): string =>
  JSON.parse(readFileSync(require.resolve(`${PACKAGE}/package.json`), "utf8")).version;

/** The service that the environment names. Throws an Error. */
export function environmentConnection(command: string, name: string | undefined): Connection {
  const variable = environmentName("baseUrl");
  if (name === undefined && !process.env[variable]?.trim())
    throw new Error(`${variable} is not set: ${command} takes the service and its key from the environment`);
  const connection = connectionFrom(() => undefined, process.env, name);
  keepSecret(connection.secrets);
  return connection;
}
