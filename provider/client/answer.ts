/** The service's answer: JSON, or a typed error with the service's own words. */
import type { Dispatcher } from "undici";
import { type RequestPlace, StatusError, UnexpectedAnswerError } from "./errors";

export interface HttpAnswer {
  /** Undefined where the answer had no body. */
  readonly body: unknown;
  /** The service's clock at its answer in ms since 1970, to the second, if it told. */
  readonly serviceTime: number | undefined;
}

const LARGEST_BODY = 64 * 1024 * 1024;
const LONGEST_DETAIL = 1000;

/** Reads the answer to its end. `now` is our clock, for a Retry-After that is a date. */
export async function readAnswer(
  place: RequestPlace,
  response: Dispatcher.ResponseData,
  now: () => number,
): Promise<HttpAnswer> {
  const text = await readText(place, response.body);
  const { statusCode: status, headers } = response;
  if (status < 200 || status > 299) {
    const pause = retryAfterSeconds(headers["retry-after"], now());
    throw new StatusError(place, status, detailOf(text, status), pause, isJson(text));
  }
  const serviceTime = Date.parse(String(headers.date));
  return {
    body: text === "" ? undefined : parse(place, text, String(headers["content-type"] ?? "")),
    serviceTime: Number.isNaN(serviceTime) ? undefined : serviceTime,
  };
}

async function readText(place: RequestPlace, body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST_BODY)
      throw new UnexpectedAnswerError(place, `answered with more than ${LARGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(place: RequestPlace, text: string, contentType: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const what =
      contentType.includes("html") || /^\s*</.test(text) ? "an HTML page" : contentType || "something";
    throw new UnexpectedAnswerError(
      place,
      `answered with ${what} where JSON was expected; ${place.addressQuestion ?? "is the base URL that of the service's API?"}`,
    );
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The service's own words in one line: a `detail` text, a list of `{loc, msg}`, or the beginning of the body. */
function detailOf(text: string, status: number): string {
  if (status >= 300 && status < 400)
    return "a redirect, which is not followed so that no credential goes elsewhere";
  const detail = detailIn(text);
  const words = (detail ?? (/^\s*</.test(text) ? "an HTML page" : text)).replace(/\s+/g, " ").trim();
  return words.length > LONGEST_DETAIL ? `${words.slice(0, LONGEST_DETAIL)}…` : words;
}

function detailIn(text: string): string | undefined {
  try {
    const body = JSON.parse(text) as { detail?: unknown; message?: unknown; error?: unknown } | null;
    const detail = body?.detail ?? body?.message ?? body?.error;
    if (typeof detail === "string") return detail;
    if (!Array.isArray(detail)) return undefined;
    return detail.map(issueOf).join("; ");
  } catch {
    return undefined;
  }
}

function issueOf(issue: { loc?: unknown; msg?: unknown } | null): string {
  const place = Array.isArray(issue?.loc) ? issue.loc.filter((part) => part !== "body").join(".") : "";
  const words = typeof issue?.msg === "string" ? issue.msg : JSON.stringify(issue);
  return place === "" ? words : `${place}: ${words}`;
}

function retryAfterSeconds(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== "string" || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - now) / 1000);
}
