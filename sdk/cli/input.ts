/** Input and output of the commands: files, standard input, lines of the terminal, and the user's own Pulumi. */
import { isUtf8 } from "node:buffer";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import type { Connection } from "../../provider/client/connection";
import { environmentName } from "../../provider/fields/naming";
import { escapeControls } from "../../provider/fields/words";
import { connectionFrom } from "../../provider/run/configuration";
import { keepSecret, redacted } from "../../provider/run/secrecy";
import type { Source } from "../adopt/read/stack";
import { place } from "../report/read/documents";

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

interface PulumiRun {
  readonly isDone: boolean;
  readonly output: string;
  /** The text that it wrote to standard error. */
  readonly errors: string;
}

/** Runs `pulumi`, whose output is never on disk. `instead`: advice if there is no Pulumi. Throws an Error. */
export function pulumi(args: readonly string[], instead = ""): PulumiRun {
  const { status, stdout, stderr, error } = spawnSync("pulumi", args, {
    encoding: "utf8",
    maxBuffer: 1024 ** 3,
  });
  if (error !== undefined)
    throw new Error(`pulumi: cannot be run: ${error.message}. Is it on the PATH?${instead}`);
  return { isDone: status === 0, output: stdout, errors: stderr.trim() };
}

/** The output of `pulumi`. `instead` is what to give if there is no Pulumi. Throws an Error. */
export function pulumiOutput(args: readonly string[], instead?: string): string {
  const { isDone, output, errors } = pulumi(args, instead && ` Or give ${instead}`);
  if (!isDone) throw new Error(`pulumi ${args.join(" ")}: ${errors}`);
  return output;
}

/** The state with its secrets: from a file, or from the stack through a pipe. */
export async function stateText(file: string | undefined, stack: string | undefined) {
  if (file !== undefined) return { text: await textIn(file), source: nameOf(file) };
  const args = ["stack", "export", "--show-secrets", "--non-interactive", ...stackArguments(stack)];
  return { text: pulumiOutput(args, "--file"), source: "pulumi stack export" };
}

/** The arguments that name the stack; none for the selected one. */
export const stackArguments = (stack: string | undefined): string[] =>
  stack === undefined ? [] : ["--stack", stack];

/** Prints a line without secrets. */
export function say(line: string): void {
  process.stdout.write(`${escapeControls(redacted(line))}\n`);
}

/** The service that the environment names. Throws an Error. */
export function environmentConnection(command: string, name: string | undefined): Connection {
  const variable = environmentName("baseUrl");
  if (name === undefined && !process.env[variable]?.trim())
    throw new Error(`${variable} is not set: ${command} takes the service and its key from the environment`);
  const connection = connectionFrom(() => undefined, process.env, name);
  keepSecret(connection.secrets);
  return connection;
}
