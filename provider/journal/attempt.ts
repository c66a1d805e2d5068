/** An attempt is a request that must not take effect twice. The journal keeps it until the state has the result. */
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { inDynamicForm } from "../schema/naming";
import type { Arguments, State } from "../schema/recorded";
import { isProperties, jsonIn, type Properties } from "../schema/value";
import { areMacs, type Macs } from "./macs";

/** `restore`: the attempt sends the settings from before a failed update. The failed update's own attempt stays. */
export const PURPOSES = ["create", "update", "restore"] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Identifies an attempt. A resource has at most one attempt for each purpose. */
export interface AttemptKey {
  readonly urn: string;
  readonly serviceUrl: string;
  readonly purpose: Purpose;
  /** The id of the updated deployment; absent for a creation. */
  readonly id?: string;
}

/** When a request is sent, and the time after which it can no longer arrive; in ms since 1970, by our clock. */
export interface Moment {
  readonly sentAt: number;
  readonly expiresAt: number;
}

/** The facts by which a later run recognizes the request. They never include a secret's value. */
export interface Intent extends AttemptKey {
  /** The kind of the resource, such as `deployment`. */
  readonly kind: string;
  /** The resource's name on the service; empty if the name is a secret. */
  readonly name: string;
  /** The arguments that were sent, without secrets and other values that the program marked secret. */
  readonly sent: Arguments;
  /** Names of all variables that were sent, including plain variables. */
  readonly secretNames: readonly string[];
  /** MACs of the secret values that were sent; absent if there is no key. */
  readonly macs?: Macs;
  /** For a creation: ids of earlier deployments with this name. For an update: ids of earlier revisions. */
  readonly known: readonly string[];
  /** For an update: the top-level arguments that the update sends, at least in part. */
  readonly carries?: readonly string[];
  /** For an update: paths of the values that the request took from the service; `sent` leaves these values out. */
  readonly current?: readonly string[];
  /** For an update: the `revisionGeneration` that the update records; absent if the generation does not change. */
  readonly generation?: number;
  /**
   * Set if only the engine's state records the request. The request may then have been sent at any time since `sentAt`,
   * so its result needs a stronger proof. `shown`: the service shows everything that the request changes. `alone`: the
   * request also changes something hidden, so its revision must be the only new one. `none`: even a single new revision
   * may come from a push.
   */
  readonly evidence?: "shown" | "alone" | "none";
}

export interface Attempt extends Intent, Moment {
  readonly version: 1;
  /** Identifies the request. A run changes an attempt only while the file still has this token. */
  readonly token: string;
  /** The backend that holds the stack, without credentials; empty if the environment names none. */
  readonly backend: string;
  /**
   * The id in the service's answer: the created resource's id, or the id of the updated deployment's latest revision;
   * null if the answer names none; absent before the answer.
   */
  readonly answer?: string | null;
}

/** The longest time that a request can be in flight: the longest time-out plus a minute. */
const LONGEST_WAY_MS = 24 * 3_600_000 + 60_000;

const texts = z.array(z.string());
const schema = z
  .object({
    token: z.string(),
    urn: z.string(),
    serviceUrl: z.string(),
    backend: z.string(),
    purpose: z.enum(PURPOSES),
    kind: z.string(),
    name: z.string(),
    sentAt: z.number(),
    expiresAt: z.number(),
    secretNames: texts,
    known: texts,
    sent: z.custom<Properties>(isProperties),
    macs: z.optional(z.custom<Macs>(areMacs)),
    id: z.optional(z.string()),
    carries: z.optional(texts),
    current: z.optional(texts),
    generation: z.optional(z.number()),
    evidence: z.optional(z.enum(["shown", "alone", "none"])),
    answer: z.optional(z.nullable(z.string())),
  })
  .check(
    z.refine(({ sentAt, expiresAt }) => expiresAt >= sentAt, { path: ["expiresAt"] }),
    z.refine(({ purpose, id }) => (purpose === "create") === (id === undefined), { path: ["id"] }),
  );

/** The attempt in a file's contents, or why the contents are not an attempt. */
export function attemptIn(text: string): Attempt | string {
  const value = jsonIn(text);
  if (value === undefined) return text === "" ? "it is empty" : "it is not JSON, or was cut off";
  if (!isProperties(value)) return "it is not a JSON object";
  if (value.version !== 1) return "it has another version";
  const { error } = schema.safeParse(value);
  const field = error?.issues[0]?.path[0];
  return error === undefined
    ? (value as unknown as Attempt)
    : `its field "${String(field)}" is missing or wrong`;
}

export const textOf = (attempt: Attempt): string => `${JSON.stringify(attempt, undefined, 2)}\n`;

/**
 * The attempt, with its times moved back if they are ahead of our clock. Otherwise, a damaged time could make a later
 * run wait forever for a request.
 */
export function notAhead(attempt: Attempt, now: number): Attempt {
  const ahead = Math.max(0, attempt.sentAt - now);
  const expiresAt = Math.min(attempt.expiresAt - ahead, now + LONGEST_WAY_MS);
  return { ...attempt, sentAt: attempt.sentAt - ahead, expiresAt };
}

/**
 * Whether the state of the resource with this id has the attempt's result. After an update in doubt, the state does not
 * have the result. An update without a generation only remakes a revision. The state has this update's result if the
 * state names a new revision, or if the service's answer named no revision.
 */
export function isRecorded(attempt: Attempt, id: string, state: State): boolean {
  const { purpose, generation, answer, known } = attempt;
  if (purpose === "create") return answer === id;
  if (attempt.id !== id || state.uncertainSince !== undefined) return false;
  if (generation !== undefined) return Number(state.revisionGeneration) >= generation;
  const isNew = (revision: unknown) => typeof revision === "string" && !known.includes(revision);
  return answer !== undefined && (!isNew(answer) || isNew(state.latestRevisionId));
}

/**
 * The path of the attempt's file in the journal's folder: `project/stack/hash.json`. The dynamic
 * form and the plugin use the same path, because a run of one form may finish a request of the other form.
 */
export function placeOf({ urn, serviceUrl, purpose, id }: AttemptKey, backend: string): [string, string] {
  // urn:pulumi:STACK::PROJECT::TYPE::NAME
  const [stack = "", project = ""] = urn.replace(/^urn:pulumi:/, "").split("::", 2);
  const hash = hashOf(id ?? inDynamicForm(urn), serviceUrl, backend, purpose);
  return [`${plainName(project)}/${plainName(stack)}`, `${hash}.json`];
}

/** A hash of the parts, as 32 hexadecimal digits. */
export function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);
}

const plainName = (name: string): string => name.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\.*$/, "_");
