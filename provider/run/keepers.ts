/**
 * Records which resource has claimed which id in this run. Each provider of a program has a separate process. One
 * process could delete a resource that a second process has taken over. To prevent this, each process writes its claims
 * to a file that the other processes read.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ConfigurationError } from "../client/errors";
import { hashOf } from "../journal/attempt";
import { trustFolder } from "../journal/trust";
import { NAME } from "../schema/naming";

/** How long to keep the files of a run. No run of the engine takes longer. */
const MEMORY_MS = 24 * 3_600_000;

export class Keepers {
  /** For each id, the URN of this process's resource that has claimed the id. */
  readonly here = new Map<string, string>();
  readonly #serviceUrl: string;
  readonly #file: string | undefined;

  /** `file`: the file of this process. Without an engine, there are no other processes and no file. */
  constructor(serviceUrl: string, file: string | undefined) {
    this.#serviceUrl = serviceUrl;
    this.#file = file;
  }

  /** Records a claim, or returns the URN of a different resource that has already claimed the id. */
  claim(id: string, urn: string): string | undefined {
    const keeper = this.here.get(id);
    if (keeper !== undefined) return keeper === urn ? undefined : keeper;
    // If two processes claim the id at the same time, neither process gets the id.
    this.#write(id, urn);
    this.here.set(id, urn);
    const other = this.#elsewhere(id);
    if (other === undefined || other === urn) return undefined;
    this.release(id, urn);
    return other;
  }

  release(id: string, urn: string): void {
    if (this.here.get(id) !== urn) return;
    this.here.delete(id);
    this.#write(id, "");
  }

  /** The URN of the resource that has claimed the id, in any process of this run. */
  of(id: string): string | undefined {
    return this.here.get(id) ?? this.#elsewhere(id);
  }

  #write(id: string, urn: string): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${hashOf(this.#serviceUrl, id)} ${urn}\n`);
  }

  /** The URN in another process's last line about the id. A line without a URN withdraws a claim. */
  #elsewhere(id: string): string | undefined {
    if (this.#file === undefined) return undefined;
    const folder = path.dirname(this.#file);
    const start = `${hashOf(this.#serviceUrl, id)} `;
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      if (file === this.#file || hasEnded(name)) continue;
      const text = readFileSync(file);
      const at = text.lastIndexOf(start);
      const urn = at < 0 ? "" : text.toString("utf8", at + start.length, text.indexOf("\n", at));
      if (urn !== "") return urn;
    }
    return undefined;
  }
}

/**
 * Makes a file in a folder that only this user can write. `engine`: the engine's address. Throws a ConfigurationError.
 */
export function claimsFile(engine: string): string {
  const root = path.join(tmpdir(), `${NAME}-${process.geteuid?.() ?? "runs"}`);
  const folder = path.join(root, hashOf(engine));
  const file = path.join(folder, `${process.pid}-${randomUUID()}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    trustFolder(root);
    appendFileSync(file, "", { mode: 0o600 });
    forgetOld(root);
  } catch (error) {
    throw new ConfigurationError(
      `${(error as Error).message}. The providers of a run tell each other there which deployments they keep. Set TMPDIR to a folder of your own that can be written`,
    );
  }
  return file;
}

/** Whether the process that wrote the file has ended. A new run may get an old run's address and find its files. */
function hasEnded(name: string): boolean {
  try {
    return !process.kill(Number.parseInt(name, 10), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function forgetOld(root: string): void {
  for (const name of readdirSync(root)) {
    const folder = path.join(root, name);
    const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - changedAt > MEMORY_MS) rmSync(folder, { recursive: true, force: true });
  }
}
