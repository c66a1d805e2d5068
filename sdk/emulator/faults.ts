/** Faults on demand; each happens a number of times, in the order added. */

/** The requests that a fault applies to; all unless given. */
export interface FaultMatch {
  /** Such as `PATCH`. */
  method?: string;
  /** Searched for in the path, without the query. */
  pathPattern?: RegExp;
}

interface AnsweredStatus {
  status: number;
  /** Text is sent as it is, anything else as JSON; `{"detail": …}` unless given. */
  body?: unknown;
  contentType?: string;
  headers?: Record<string, string>;
}

/**
 * A fault to inject.
 *
 * `status`: answers with the status and does nothing. `status-after`: does what was asked, then answers with the status.
 * `drop-before`, `drop-after`: breaks the connection before or after doing it. `delay`: does it `ms` later. `html`: answers a
 * page with status 200 and does nothing. `revision`: the next revision ends with that status, and says why in `status_message` if `message` is given.
 */
export type Fault = { match?: FaultMatch /** 1 unless given. */; times?: number } & (
  | ({ kind: "status" | "status-after" } & AnsweredStatus)
  | { kind: "drop-before" | "drop-after" | "html" }
  | { kind: "delay"; ms: number }
  | { kind: "revision"; status: string; message?: string }
);

type RevisionFault = Extract<Fault, { kind: "revision" }>;
export type RequestFault = Exclude<Fault, RevisionFault>;

/** The request that a fault is matched with. */
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

  /** Takes the fault that applies to this request. */
  forRequest(occasion: Occasion): RequestFault | undefined {
    return this.take((fault): fault is RequestFault => fault.kind !== "revision", occasion);
  }

  /**
   * Takes the fault that applies to a new revision. `occasion`: the request that makes it; undefined if the service
   * makes it by itself.
   */
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
  // `search` ignores the state that a global pattern carries from call to call.
  return method && (match.pathPattern === undefined || occasion.path.search(match.pathPattern) >= 0);
}
