/**
 * Runs the first `up` of this version on states, journals and services that an earlier version left in the middle of an
 * operation. The `up` must do what the earlier version did, and the next `up` must do nothing.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { service } from "../support/engine/stack";

const ROOT = path.join(__dirname, "..", "..");
const RECORDINGS = path.join(ROOT, "test", "states", "firstUp");

interface FirstUp {
  readonly code: number;
  /** The engine's operations, by the resource's name. */
  readonly steps: Readonly<Record<string, string>>;
  readonly writes: readonly { readonly request: string; readonly body?: unknown }[];
  /** The number of GETs, by path. */
  readonly reads: Readonly<Record<string, number>>;
  /** The deployments on the service: each with its names in the state and its revisions, newest first. */
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

/** The number of times this version may read a path: as many as the recorded version did, except for two paths. */
function mayRead({ steps, reads }: FirstUp, place: string): number {
  const recorded = reads[place] ?? 0;
  // Timing decides how many resources share one read of the list.
  if (place === "/v2/deployments") return recorded + Object.keys(steps).length;
  // Earlier versions sent other requests to prove which revision an update made; this version reads the deployment's
  // revisions once to prove it.
  const [, name = ""] = /^\/v2\/deployments\/([^/]+)\/revisions$/.exec(place) ?? [];
  return steps[name] === "update" ? recorded + 1 : recorded;
}

const names = readdirSync(RECORDINGS).filter((file) => file.endsWith(".json"));

test.each(names)(
  "the first up on the recording %s acts like the version that made the recording, and the next up does nothing",
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
