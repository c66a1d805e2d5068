/** An entry of the journal: a creation or an update that has begun. The entry stays until the state has the result. */
import { createHash } from "node:crypto";
import { inDynamicForm } from "../schema/naming";
import type { Arguments } from "../schema/recorded";
import { isProperties, jsonIn, type Properties } from "../schema/value";
import { areMacs, type Macs } from "./macs";

/**
 * The facts by which a later run recognizes the request that this run is about to send. An entry never has a secret's
 * value.
 */
export interface Entry {
  readonly version: 1;
  /** Identifies the request. A run changes an entry only while the entry still has this token. */
  readonly token: string;
  readonly urn: string;
  readonly serviceUrl: string;
  /** The backend that holds the stack, without credentials; empty if the environment names none. */
  readonly backend: string;
  /** The kind of resource that is created, such as `deployment`; `update` for an update. */
  readonly kind: string;
  /** The resource's name on the service; empty if the name is a secret. */
  readonly name: string;
  /** The arguments that were sent, without secrets and other values that the program marked secret. */
  readonly sent: Arguments;
  /** Names of all variables that were sent, including plain ones. */
  readonly secretNames: readonly string[];
  /** MACs of the secret values that were sent; absent without a key. */
  readonly macs?: Macs;
  /** The ids, before the request, of the deployments with this name or, for an update, of the latest revision. */
  readonly known: readonly string[];
  /** When the request was last sent, in ms since 1970 by our clock. */
  readonly sentAt: number;
  /** The time, by our clock, after which the request can no longer arrive. */
  readonly expiresAt: number;
  /** The id that the service returned, absent before the answer; for an update, the deployment's id. */
  readonly id?: string;
  /** For an update: the arguments whose sections the request contains. */
  readonly carries?: readonly string[];
  /** For an update: paths of the values that the request carries as the service had them; `sent` leaves them out. */
  readonly current?: readonly string[];
  /**
   * For an update: the `revisionGeneration` that the update gives the state; absent if the generation does not change.
   */
  readonly generation?: number;
  /**
   * For an update: the latest revision that the service returned, null if the service named none; absent before the
   * answer.
   */
  readonly answer?: string | null;
}

/** The operation that an entry records. Each operation has its own files. */
export type Operation = "creation" | "update";

export const operationOf = ({ kind }: Entry): Operation => (kind === "update" ? "update" : "creation");

/** Whether the entry has the service's answer. */
export const hasAnswer = (entry: Entry): boolean =>
  (operationOf(entry) === "update" ? entry.answer : entry.id) !== undefined;

/** The part of an entry that the creation or update provides; the journal adds the rest. */
export type Intent = Omit<Entry, "version" | "token" | "backend" | "sentAt" | "expiresAt" | "answer">;

/** The time when a request is sent, and the time after which it can no longer arrive. */
export type Moment = Pick<Entry, "sentAt" | "expiresAt">;

/** Identifies the resource that an entry is about. */
export type ResourceKey = Pick<Entry, "urn" | "serviceUrl">;

/**
 * The key of the entry about the update that restores an earlier revision's settings. The entry about the failed update
 * itself keeps the key of the resource.
 */
export const restoringOf = ({ urn, serviceUrl }: ResourceKey): ResourceKey => ({
  urn,
  serviceUrl: `${serviceUrl}#restoring`,
});

/** The longest time that a request can be in transit; the longest time-out is a day. */
const LONGEST_WAY_MS = 2 * 24 * 3_600_000;

const TEXTS = ["token", "urn", "serviceUrl", "backend", "kind", "name"] as const;
const NUMBERS = ["sentAt", "expiresAt"] as const;
const LISTS = ["secretNames", "known"] as const;

/** The journal's note of a service's answer. */
export type Answer = Pick<Entry, "id" | "answer">;

/** The end of an entry's JSON: the only closing brace at the beginning of a line. */
const END = "\n}\n";

/** The entry in a file's text, or why the text is not an entry. */
export function entryIn(text: string): Entry | string {
  const end = text.indexOf(END);
  const [head, answers] =
    end < 0 ? [text, ""] : [text.slice(0, end + END.length), text.slice(end + END.length)];
  const entry = jsonIn(head);
  if (entry === undefined) return text === "" ? "it is empty" : "it is not JSON, or was cut off";
  if (!isProperties(entry)) return "it is not a JSON object";
  // If a crash has cut off the last line, the entry has no answer.
  const value: Properties = Object.assign({}, entry, ...answers.split("\n").map(jsonIn).filter(isProperties));
  if (value.version !== 1) return "it has another version";
  const badField =
    TEXTS.find((name) => !isText(value[name])) ??
    NUMBERS.find((name) => !Number.isFinite(value[name])) ??
    LISTS.find((name) => !isTexts(value[name])) ??
    (isWayOf(value.expiresAt as number, value.sentAt as number) ? undefined : "expiresAt") ??
    (isProperties(value.sent) ? undefined : "sent") ??
    (areMacs(value.macs) ? undefined : "macs") ??
    (value.id === undefined || isText(value.id) ? undefined : "id") ??
    (value.kind === "update" ? badFieldOfUpdate(value) : undefined);
  return badField === undefined ? (value as unknown as Entry) : `its field "${badField}" is missing or wrong`;
}

/** Whether the times are plausible: a damaged time must not make a later run wait forever for a request. */
function isWayOf(expiresAt: number, sentAt: number): boolean {
  return expiresAt >= sentAt && expiresAt - sentAt <= LONGEST_WAY_MS;
}

function badFieldOfUpdate({ id, carries, current = [], generation, answer }: Properties): string | undefined {
  if (!isText(id)) return "id";
  if (!isTexts(carries)) return "carries";
  if (!isTexts(current)) return "current";
  if (generation !== undefined && !Number.isFinite(generation)) return "generation";
  return answer === undefined || answer === null || isText(answer) ? undefined : "answer";
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

export function textOf(entry: Entry): string {
  return `${JSON.stringify(entry, undefined, 2)}\n`;
}

/** The entry, with its times moved back if they are ahead of our clock. */
export function notAhead(entry: Entry, now: number): Entry {
  const ahead = Math.max(0, entry.sentAt - now);
  return { ...entry, sentAt: entry.sentAt - ahead, expiresAt: entry.expiresAt - ahead };
}

/**
 * The text that appends the answer to an entry. The text begins with a line break, because a crash may have cut off the
 * last line.
 */
export function answerText(answer: Answer): string {
  return `\n${JSON.stringify(answer)}\n`;
}

/**
 * Whether both keys mean the same resource. The keys may come from different forms, because a run in one form may
 * finish a request of the other form.
 */
export function isSameResource(first: ResourceKey, second: ResourceKey): boolean {
  return inDynamicForm(first.urn) === inDynamicForm(second.urn) && first.serviceUrl === second.serviceUrl;
}

/** The facts that distinguish the entries of one journal. */
interface Key extends ResourceKey {
  readonly backend: string;
  /** The recorded operation; defaults to `creation`. */
  readonly operation?: Operation;
}

/** The path of a resource's entry in the journal's folder: `project/stack/hash.json`. */
export function placeOf({
  urn,
  serviceUrl,
  backend,
  operation = "creation",
}: Key): readonly [folder: string, file: string] {
  const hash = hashOf(
    inDynamicForm(urn),
    serviceUrl,
    backend,
    ...(operation === "creation" ? [] : [operation]),
  );
  return [folderOf(urn), `${hash}.json`];
}

/** The folder of all entries of the resource's stack: `project/stack`. */
export function folderOf(urn: string): string {
  // urn:pulumi:STACK::PROJECT::TYPE::NAME
  const [stack = "", project = ""] = urn.replace(/^urn:pulumi:/, "").split("::", 2);
  return `${plainName(project)}/${plainName(stack)}`;
}

/** A hash of the parts, 32 hexadecimal digits. */
export function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);
}

function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\.*$/, "_");
}
