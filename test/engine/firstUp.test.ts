/**
 * The first `up` of this version on recordings of earlier ones: states, journals, and services in the middle of an
 * operation. It does what the earlier version did, and an `up` after it does nothing.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { service } from "../support/engine/stack";

const ROOT = path.join(__dirname, "..", "..");
const RECORDINGS = path.join(ROOT, "test", "states", "firstUp");

interface FirstUp {
  readonly code: number;
  /** The engine's operation, by the name of the resource. */
  readonly steps: Readonly<Record<string, string>>;
  readonly writes: readonly { readonly request: string; readonly body?: unknown }[];
  /** How often each path was read. */
  readonly reads: Readonly<Record<string, number>>;
  /** The service's deployments under their names in the state, with their revisions, newest first. */
  readonly deployments: readonly { name: string; inState: string[]; revisions: string[] }[];
  readonly second: { readonly code: number; readonly steps: object; readonly requests: number };
}

interface Recording {
  readonly form: "dynamic" | "plugin";
  readonly environment: Record<string, string>;
  readonly service: { readonly profile: "contract" | "langsmith" };
  readonly expected: FirstUp;
}

const { RecordedStack, firstUp, serviceFile } = require("../states/firstUp/stack") as {
  RecordedStack: new (options: object) => { close(): void };
  firstUp: (...given: unknown[]) => Promise<{ did: FirstUp; messages: string[] }>;
  serviceFile: (folder: string, recording: Recording) => string;
};

/** How many times this version may read a path: as many times as the recorded version, with the exceptions below. */
function mayRead({ steps, reads }: FirstUp, place: string): number {
  const recorded = reads[place] ?? 0;
  // The number of resources that share one listing depends on timing.
  if (place === "/v2/deployments") return recorded + Object.keys(steps).length;
  // One read of a deployment's revisions proves which revision an update made. Earlier versions proved it in other
  // ways.
  const [, name = ""] = /^\/v2\/deployments\/([^/]+)\/revisions$/.exec(place) ?? [];
  return steps[name] === "update" ? recorded + 1 : recorded;
}

const names = readdirSync(RECORDINGS).filter((file) => file.endsWith(".json"));

test.each(names)(
  "%s: the first up acts like the version that made the recording, and the next up does nothing",
  async (name) => {
    const recording = JSON.parse(readFileSync(path.join(RECORDINGS, name), "utf8")) as Recording;
    const { expected, form, environment } = recording;
    const folder = mkdtempSync(path.join(tmpdir(), "states-"));
    const data = serviceFile(folder, recording);
    const emulator = await service({ data, profile: recording.service.profile });
    const stack = new RecordedStack({ checkout: ROOT, form, url: emulator.url, environment });
    try {
      const { did, messages } = await firstUp(stack, emulator, recording);
      const { reads, ...done } = did;
      const { reads: _recorded, ...recorded } = expected;
      const errors = messages.filter((message) => message.startsWith("error"));
      expect({ errors, ...done }).toEqual({ errors: [], ...recorded });
      const tooOften = Object.entries(reads).filter(([place, count]) => count > mayRead(expected, place));
      expect(tooOften).toEqual([]);
    } finally {
      stack.close();
      rmSync(folder, { recursive: true });
    }
  },
);
