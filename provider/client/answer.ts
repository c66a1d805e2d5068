/** Reads the service's answer as JSON, or throws a typed error with the service's message. */
import * as z from "zod/mini";
import { ANSWERS, issuesIn, memberSchema, objectSchema, type Schema, schemaOf } from "../schema/check";
import type { Kind, Rows } from "../schema/kind";
import { redacted } from "../schema/secrecy";
import { canonicalId, isProperties, jsonIn, type Properties } from "../schema/value";
import { type Spelling, wireName } from "../schema/wire";
import { escapeControls } from "../schema/words";
import { type RequestPlace, StatusError, UnexpectedAnswerError } from "./errors";
import { proxyFor } from "./network";

export interface HttpAnswer {
  readonly place: RequestPlace;
  /** The body, parsed from JSON; undefined if the answer had no body. */
  readonly body: unknown;
  /** The time in the answer's `date` header, in ms since 1970; undefined if the answer has no date. */
  readonly serviceTime: number | undefined;
}

/** The largest allowed body in bytes. A full page has 100 deployments of at most 160 kB each. */
const LARGEST_BODY = 16 * 1024 * 1024;
/** The deepest nesting that a body may have. Without a limit, a deep body could overflow the call stack. */
const DEEPEST_BODY = 200;
const LONGEST_DETAIL = 1000;

interface Arriving {
  readonly statusCode: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Reads the whole answer. `now` gives the local time, which is needed to turn a Retry-After date into a pause. */
export async function readAnswer(
  request: RequestPlace,
  response: Arriving,
  now: () => number,
): Promise<HttpAnswer> {
  const { statusCode: status, headers } = response;
  const place = { ...request, status };
  if (status < 200 || status > 299) throw await statusError(place, response, now());
  const text = await readText(place, response.body);
  const serviceTime = Date.parse(String(headers.date));
  return {
    place,
    body: text === "" ? undefined : parse(place, text, String(headers["content-type"] ?? "")),
    serviceTime: Number.isNaN(serviceTime) ? undefined : serviceTime,
  };
}

/** Ignores an unreadable body, because the status alone shows whether the request may have been applied. */
async function statusError(place: RequestPlace, { statusCode, headers, body }: Arriving, now: number) {
  const pause = retryAfterSeconds(headers["retry-after"], now);
  const text = await readText(place, body).catch(() => "");
  const json = jsonIn(text);
  const content = isTooDeep(json) ? undefined : json;
  const isRedirect = statusCode > 299 && statusCode < 400;
  const otherwise = /^\s*</.test(text) ? "an HTML page" : text;
  const words = isRedirect ? redirect(place, headers.location) : oneLine(detailIn(content) ?? otherwise);
  // If a proxy cannot reach an http service, the proxy itself answers, but not in JSON.
  const mayBeProxys = content === undefined && place.url.startsWith("http:");
  const proxy = mayBeProxys ? proxyFor(place.url) : undefined;
  const hint = proxy === undefined ? "" : `(perhaps from the proxy of ${proxy.variable})`;
  const detail = [words, hint].filter((part) => part !== "").join(" ");
  return new StatusError(place, statusCode, detail, pause, content !== undefined);
}

async function readText(place: RequestPlace, body: Arriving["body"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new UnexpectedAnswerError(place, `with more than ${LARGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(place: RequestPlace, text: string, contentType: string): unknown {
  const body = jsonIn(text);
  if (isTooDeep(body))
    throw new UnexpectedAnswerError(place, `with JSON that is nested deeper than ${DEEPEST_BODY} levels`);
  if (body !== undefined) return body;
  const what =
    contentType.includes("html") || /^\s*</.test(text) ? "an HTML page" : contentType || "something";
  throw new UnexpectedAnswerError(
    place,
    `with ${what} where JSON was expected; ${place.addressAdvice ?? "set the base URL to the address of the service's API"}`,
  );
}

/** Stops at the allowed depth, because a deeper recursion could overflow the call stack. */
function isTooDeep(value: unknown, levels = DEEPEST_BODY): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/** Shows the address without its user, password and query, because these parts may be secret. */
function redirect({ url }: RequestPlace, location: string | string[] | undefined): string {
  const goal =
    typeof location === "string" && URL.canParse(location, url) ? new URL(location, url) : undefined;
  const to = goal === undefined ? "" : ` to ${oneLine(goal.origin + goal.pathname)}`;
  return `a redirect${to}, which is not followed, so that no credential goes elsewhere. Set the base URL to the address of the service's API`;
}

/** A service's message on one line, with secrets masked. A long message is truncated. */
export function oneLine(text: string): string {
  const words = redacted(text).replace(/\s+/g, " ").trim();
  return words.length > LONGEST_DETAIL ? `${words.slice(0, LONGEST_DETAIL)}…` : words;
}

function detailIn(body: unknown): string | undefined {
  if (!isProperties(body)) return undefined;
  const detail = body.detail ?? body.message ?? body.error;
  if (typeof detail === "string") return detail;
  return Array.isArray(detail) ? detail.map(issueOf).join("; ") : undefined;
}

function issueOf(issue: { loc?: unknown; msg?: unknown } | null): string {
  const place = Array.isArray(issue?.loc) ? issue.loc.filter(isStep).join(".") : "";
  const words = typeof issue?.msg === "string" ? issue.msg : JSON.stringify(issue);
  return place === "" ? words : `${place}: ${words}`;
}

const isStep = (part: unknown): boolean =>
  (typeof part === "string" && part !== "body") || typeof part === "number";

function retryAfterSeconds(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== "string" || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - now) / 1000);
}

/** Returns an entry's fault, such as `without an id`, or undefined for a valid entry. A fault never quotes a value. */
export type EntryCheck = (entry: Properties) => string | undefined;

export function entryCheck(rows: Rows, spelling: Spelling): EntryCheck {
  const schema = entrySchema(rows, spelling);
  return (entry) => {
    const [issue] = issuesIn(schema, entry);
    if (issue === undefined) return undefined;
    return issue.path[0] === "id"
      ? "without an id"
      : `whose ${String(issue.path[0])} is not ${issue.message}`;
  };
}

/** Checks only the outermost type of each field. A fault inside a field must not make the whole list unreadable. */
function entrySchema(rows: Rows, spelling: Spelling): Schema {
  const members = Object.entries(rows)
    .filter(([name, field]) => field.class !== undefined || !spelling.lacks?.includes(name))
    .map(([name, field]): [string, Schema] => [
      wireName(field, name, spelling),
      memberSchema(outermost(field.kind), false, true),
    ]);
  return objectSchema({ ...Object.fromEntries(members), id: z.custom(isSegment) }, ANSWERS);
}

function outermost(kind: Kind<unknown>): Schema {
  if (kind.type === "keyed") return z.array(z.custom(isProperties, LIST), LIST);
  return kind.type === "object" ? z.custom(isProperties, "an object") : schemaOf(kind, ANSWERS);
}

const LIST = "a list of objects";

const IDS = ["id", "latest_revision_id", "active_revision_id"];

/** Returns the resource with canonical ids and a printable status. An empty id becomes null. */
export function plainResource(resource: Properties): Properties {
  const plain: Properties = { ...resource };
  for (const name of IDS)
    if (typeof plain[name] === "string") plain[name] = plain[name] === "" ? null : canonicalId(plain[name]);
  if (typeof plain.status === "string") plain.status = escapeControls(plain.status);
  return plain;
}

/** Whether the value, once encoded, is exactly one segment of a path. A service may return any string as an id. */
export function isSegment(value: unknown): value is string {
  return typeof value === "string" && !["", ".", ".."].includes(value) && !/\p{Surrogate}/u.test(value);
}
