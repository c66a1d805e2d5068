/** The moments at which a process is killed: how to cause each moment, and how to recognize it. */
import { readdirSync } from "node:fs";
import type { EmulatorOptions } from "../../../sdk/emulator/index";
import type { FaultStack, Program, Service } from "./faultStack";

export interface Point {
  readonly operation: "create" | "update" | "delete";
  readonly profile: "contract" | "langsmith";
  readonly before?: EmulatorOptions;
  /** The program that the killed command runs. */
  readonly program: Program;
  /** Called before the command starts; resolves at the moment of the kill. */
  readonly reached: (service: Service, stack: FaultStack) => Promise<void>;
  readonly environment?: Record<string, string>;
}

const LIST = /^\/v2\/deployments$/;
const ONE = /^\/v2\/deployments\/[^/]+$/;
const REVISIONS = /\/revisions$/;
const ANY = /./;

export const image = (tag: number) => ({
  sourceRevisionConfig: { imageUri: `registry.example/chat:${tag}` },
});
export const chat = (args: object = {}) => ({
  name: "chat",
  source: "external_docker",
  ...image(1),
  ...args,
});
const declared: Program = { chat: chat() };
const changed: Program = { chat: chat(image(2)) };

/** A program with `count` deployments that differ only in their names. */
export function several(count: number, args: object = {}): Program {
  const names = Array.from({ length: count }, (_, index) => `chat-${index}`);
  return Object.fromEntries(names.map((name) => [name, chat({ name, ...args })]));
}

/**
 * Milliseconds for which the service holds back a request. The service handles the request even if the client is gone
 * by then.
 */
const LATE_MS = 1_500;

/** The moment when the service has received the request, but has not answered yet. */
const unanswered =
  (method: string, place: RegExp): Point["reached"] =>
  async ({ emulator, gate }) => {
    emulator.failNext({ kind: "delay", ms: LATE_MS, match: { method } });
    await gate.arrival(method, place);
  };

const creation = { operation: "create", profile: "contract", program: declared } as const;
const change = { operation: "update", profile: "contract", program: changed } as const;
const revision = {
  operation: "update",
  profile: "langsmith",
  // With an API key, the journal can prove which secrets were sent. Without a key, the next run has to send all secrets
  // again.
  environment: { DEPLOYMENT_CONTROL_API_KEY: "key-of-the-service" },
  program: {
    chat: chat({
      sourceConfig: { customUrl: "https://chat.example.test" },
      ...image(2),
      environment: { LOG_LEVEL: "debug" },
      secrets: { OPENAI_API_KEY: "key-of-the-kill-matrix" },
    }),
  },
} as const;
const removal = { operation: "delete", profile: "langsmith", program: {} } as const;

export const POINTS: { readonly [name: string]: Point } = {
  "create: before the look-up": {
    ...creation,
    reached: ({ gate }) => gate.hold("request", "GET", LIST),
  },
  "create: after the look-up, before the journal": {
    ...creation,
    // The provider sends one request at a time: while the gate holds the first POST, the second creation has looked up
    // its name but has sent no POST.
    program: { ...declared, other: chat({ name: "other" }) },
    environment: { DEPLOYMENT_CONTROL_MAX_CONCURRENCY: "1" },
    reached: async ({ gate }, stack) => {
      await gate.hold("request", "POST", LIST);
      const entries = readdirSync(stack.journal, { recursive: true, encoding: "utf8" });
      expect(entries.filter((name) => name.endsWith(".json"))).toHaveLength(1);
    },
  },
  "create: after the journal, before the request": {
    ...creation,
    reached: ({ gate }) => gate.hold("request", "POST", LIST),
  },
  "create: request received, not answered": {
    ...creation,
    reached: unanswered("POST", LIST),
  },
  "create: answered, before the journal has the id": {
    ...creation,
    reached: ({ gate }) => gate.hold("answer", "POST", LIST),
  },
  "create: after the journal has the id, before the state": {
    ...creation,
    before: { revisionSeconds: 2 },
    reached: ({ gate }) => gate.hold("request", "GET", ANY, "POST"),
  },
  "create: while the rollout is awaited": {
    ...creation,
    before: { revisionSeconds: 2 },
    reached: ({ gate }) => gate.arrival("GET", ANY, 2, "POST"),
  },
  "update: before the request": {
    ...change,
    reached: ({ gate }) => gate.hold("request", "PATCH", ONE),
  },
  "update: request received, not answered": {
    ...change,
    reached: unanswered("PATCH", ONE),
  },
  "update: answered, before the journal has the revision": {
    ...change,
    reached: ({ gate }) => gate.hold("answer", "PATCH", ONE),
  },
  "update: while the rollout is awaited": {
    ...change,
    before: { revisionSeconds: 2 },
    reached: ({ gate }) => gate.hold("request", "GET", ANY, "PATCH"),
  },
  "revision: before its PATCH is answered": {
    ...revision,
    reached: ({ gate }) => gate.hold("answer", "PATCH", ONE),
  },
  "revision: after its PATCH, before the request": {
    ...revision,
    reached: ({ gate }) => gate.hold("request", "POST", REVISIONS),
  },
  "revision: request received, not answered": {
    ...revision,
    reached: unanswered("POST", REVISIONS),
  },
  "revision: answered, before the journal has it": {
    ...revision,
    reached: ({ gate }) => gate.hold("answer", "POST", REVISIONS),
  },
  "revision: while the rollout is awaited": {
    ...revision,
    before: { revisionSeconds: 2 },
    reached: ({ gate }) => gate.hold("request", "GET", ANY, "POST"),
  },
  "delete: request received, not answered": {
    ...removal,
    reached: unanswered("DELETE", ONE),
  },
  "delete: while the run waits until it is gone": {
    ...removal,
    before: { revisionSeconds: 2 },
    reached: ({ gate }) => gate.hold("request", "GET", ANY, "DELETE"),
  },
};
