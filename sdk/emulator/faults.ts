/** Faults that a test asks for, in the order in which the test added them. Each fault happens a set number of times. */

/** The requests that a fault applies to; by default, all requests. */
export interface FaultMatch {
  /** The method, such as `PATCH`. */
  method?: string;
  /** A pattern to find in the path without the query. */
  pathPattern?: RegExp;
}

interface AnsweredStatus {
  status: number;
  /** The body of the answer. A string is sent as is; any other value is sent as JSON. Defaults to `{"detail": …}`. */
  body?: unknown;
  contentType?: string;
  headers?: Record<string, string>;
}

/**
 * A fault to inject.
 *
 * `status`: answers with the status and does nothing. `status-after`: carries the request out, then answers with the
 * status. `drop-before`, `drop-after`: breaks the connection before or after the request is carried out. `delay`:
 * carries the request out `ms` later. `html`: answers with an HTML page and status 200, and does nothing. `revision`:
 * the next revision ends with `status`, and its `status_message` is `message`.
 */
export type Fault = { match?: FaultMatch /** Defaults to 1. */; times?: number } & (
  | ({ kind: "status" | "status-after" } & AnsweredStatus)
  | { kind: "drop-before" | "drop-after" | "html" }
  | { kind: "delay"; ms: number }
  | { kind: "revision"; status: string; message?: string }
);

type RevisionFault = Extract<Fault, { kind: "revision" }>;
export type RequestFault = Exclude<Fault, RevisionFault>;

/** The parts of a request that decide whether a fault applies to the request. */
export interface Occasion {
  readonly method: string;
  readonly path: string;
}

const KINDS = ["status", "status-after", "drop-before", "drop-after", "delay", "html", "revision"];

export class Faults {
  private queue: { readonly fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    if (!KINDS.includes(fault.kind)) {
      throw new TypeError(
        `unknown kind of fault ${JSON.stringify(fault.kind)}; there are ${KINDS.join(", ")}`,
      );
    }
    if ("status" in fault && !(fault.kind === "revision" ? fault.status : Number.isInteger(fault.status))) {
      throw new TypeError(`a fault of kind ${fault.kind} needs a status`);
    }
    this.queue.push({ fault, left: fault.times ?? 1 });
  }

  /** Returns the next fault that applies to this request, and subtracts one from the fault's remaining times. */
  forRequest(occasion: Occasion): RequestFault | undefined {
    return this.take((fault): fault is RequestFault => fault.kind !== "revision", occasion);
  }

  /** `occasion`: the request that makes the revision; undefined if no request makes it. */
  forRevision(occasion: Occasion | undefined): RevisionFault | undefined {
    return this.take((fault): fault is RevisionFault => fault.kind === "revision", occasion);
  }

  private take<F extends Fault>(isOfKind: (fault: Fault) => fault is F, occasion?: Occasion): F | undefined {
    const entry = this.queue.find(({ fault }) => isOfKind(fault) && applies(fault.match, occasion));
    if (!entry) return undefined;
    entry.left -= 1;
    if (entry.left <= 0) this.queue = this.queue.filter((fault) => fault !== entry);
    return entry.fault as F;
  }
}

function applies(match: FaultMatch | undefined, occasion: Occasion | undefined): boolean {
  if (!match) return true;
  if (!occasion) return false;
  const method = match.method === undefined || match.method.toUpperCase() === occasion.method;
  // `search` ignores the `lastIndex` of a global pattern, but `test` would start at `lastIndex`.
  return method && (match.pathPattern === undefined || occasion.path.search(match.pathPattern) >= 0);
}
