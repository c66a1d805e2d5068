/** Used by the tests of `provider/journal`: a folder, an attempt, and a journal in the folder. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Attempt } from "../../provider/journal/attempt";
import { Journal } from "../../provider/journal/journal";

export const URN = "urn:pulumi:dev::app::type::chat";
export const SERVICE = "https://service.example.test";
export const KEY = { urn: URN, serviceUrl: SERVICE, purpose: "create" } as const;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The path of a folder that does not exist yet, in a temporary folder. */
export function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "journal-"));
  folders.push(folder);
  return path.join(folder, "journal");
}

export const intent = {
  ...KEY,
  kind: "deployment",
  name: "chat",
  sent: { source: "repohost" },
  secretNames: ["A"],
  known: ["old"],
};
export const moment = { sentAt: 1, expiresAt: 3 };
export const attempt: Attempt = { version: 1, token: "t", backend: "", ...intent, ...moment };

export function journalIn(folder: string | undefined, backend = ""): { journal: Journal; warned: string[] } {
  const warned: string[] = [];
  const journal = new Journal({ folder, backend }, async (words) => void warned.push(words));
  return { journal, warned };
}

/** The paths of all files below the folder, relative to the folder. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => path.relative(folder, path.join(each.parentPath, each.name)))
    .sort();
}
