/** Reading a request's body. */
import type { IncomingMessage } from "node:http";
import { invalid, Refusal } from "./refusal";

const MOST_BYTES = 16 * 1024 * 1024;

export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MOST_BYTES) chunks.push(chunk);
  }
  if (size > MOST_BYTES) throw new Refusal(413, `The body has more than ${MOST_BYTES} bytes.`);
  return Buffer.concat(chunks).toString("utf8");
}

/** The text as JSON where it is some, otherwise as it is. */
export function asRecorded(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The JSON of a request that must have some: 415 for another content type, 422 for what is no JSON. */
export function requiredJson(request: IncomingMessage, text: string): unknown {
  if (text === "") throw invalid(["body"], "a JSON body is required", "missing");
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Refusal(415, "Content-Type must be application/json.");
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(["body"], "is not valid JSON", "json_invalid");
  }
}
