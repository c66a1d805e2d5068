/** The texts that `deployment-control plan` is given: files, or what is piped into it. */
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { Malformed, place } from "../report/read/documents";
import { BadInput } from "./command";

export const nameOf = (file: string): string => (file === "-" ? "standard input" : file);

/** Throws `BadInput` where it cannot be read, `Malformed` with the place where it is no text. */
export async function textIn(file: string): Promise<string> {
  if (file === "-" && process.stdin.isTTY) {
    throw new BadInput(
      "give a file, or pipe the output of `pulumi preview --json` into this; see deployment-control plan --help",
    );
  }
  return decoded(await bytesIn(file), nameOf(file));
}

async function bytesIn(file: string): Promise<Buffer> {
  try {
    return file === "-" ? await piped() : readFileSync(file);
  } catch (error) {
    throw new BadInput(`${nameOf(file)}: cannot be read: ${(error as Error).message}`);
  }
}

/** Not read in one go: a pipe may hold nothing yet, which an immediate read answers with an error. */
async function piped(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What a PowerShell of old writes with > is UTF-16. */
function decoded(bytes: Buffer, source: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString("utf16le");
  const text = bytes.toString("utf8");
  if (isUtf8(bytes)) return text;
  throw new Malformed(`${place(text, strangeIn(text), source)}: expected text in UTF-8, found other bytes`);
}

/** Bytes that are no UTF-8 become replacement characters. */
const strangeIn = (text: string): number => Math.max(0, text.indexOf("\ufffd"));
