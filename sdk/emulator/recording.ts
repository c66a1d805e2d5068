/** The requests that came in, for tests to look at. */
import type { IncomingHttpHeaders } from "node:http";

export interface RecordedRequest {
  readonly method: string;
  /** Without the query, as it came. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed when it is JSON, otherwise the text; undefined when there is none. */
  readonly body: unknown;
  /** What was answered; 0 while nothing is, and when the connection was dropped. */
  status: number;
  readonly headers: IncomingHttpHeaders;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
}

// A long-running emulator must not grow without end.
const MOST = 100_000;

export function record(requests: RecordedRequest[], request: RecordedRequest): void {
  requests.push(request);
  if (requests.length > MOST) requests.splice(0, requests.length - MOST);
}
