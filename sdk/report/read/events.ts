/** The engine's events of an `up`, from `pulumi up --json` or its `--event-log`: what happened to each resource. */
import { z } from "zod";
import { stackOf } from "../../../provider/fields/urn";
import { isProperties, type Properties } from "../../../provider/fields/value";
import { checked, documentsIn } from "./documents";
import { type Diagnostic, diagnosticSchema } from "./preview";

/** What happened to one resource. */
export interface Happening {
  readonly urn: string;
  /** The engine's operation that says most, such as `update`. */
  op: string;
  /** `begun`: its end is not in the events. */
  end: "done" | "failed" | "begun";
  before?: Metadata["old"];
  after?: Metadata["new"];
  seconds: number | null;
  /** What was said about it, in order. */
  readonly said: Diagnostic[];
  /** Ids of old ones, of this or of an earlier replacement, whose deletion failed. */
  readonly undeleted: string[];
  /** Ids of those that the engine has done with: it had them deleted, or an option kept them. */
  readonly givenUp: string[];
  startedAt?: number;
}

export interface Events {
  readonly stack: string | undefined;
  /** Whether the up ended well; undefined where the events do not tell. */
  readonly succeeded: boolean | undefined;
  /** Whether there are events at debug level, in which the engine writes the values of secrets in clear. */
  readonly hasDebug: boolean;
  readonly happenings: ReadonlyMap<string, Happening>;
}

const state = z.looseObject({ id: z.string().optional(), outputs: z.unknown().optional() }).nullish();
const step = z.looseObject({
  metadata: z.looseObject({ op: z.string(), urn: z.string(), old: state, new: state }),
});
const event = z.looseObject({
  sequence: z.number(),
  timestamp: z.number(),
  resourcePreEvent: step.optional(),
  resOutputsEvent: step.optional(),
  resOpFailedEvent: step.optional(),
  diagnosticEvent: diagnosticSchema.optional(),
  summaryEvent: z
    .looseObject({ isPreview: z.boolean().optional(), result: z.string().optional() })
    .optional(),
});
type Event = z.output<typeof event>;
type Metadata = z.output<typeof step>["metadata"];

const EVENTS = "the events of an up, from `pulumi up --json` or `--event-log`";

/** Throws an Error with the place of the fault. */
export function eventsIn(text: string, source: string): Events {
  const documents = documentsIn(text, source, EVENTS, false);
  const events = documents.flatMap((document, index) =>
    eventOf(document, `${source}, document ${index + 1}`),
  );
  if (events.length === 0) throw new Error(`${source}: expected ${EVENTS}; found no event`);
  return gathered(events);
}

/** An up that previews first prints that preview as a document of its own. */
function eventOf(document: unknown, source: string): Event[] {
  if (isProperties(document) && isPreview(document)) return [];
  if (!isProperties(document) || document.sequence === undefined) {
    throw new Error(
      `${source}: expected an event of \`pulumi up --json\`; what other options print does not tell what happened to revisions`,
    );
  }
  return [checked(event, document, `${source}: `, false)];
}

function isPreview(document: Properties): boolean {
  return document.sequence === undefined && ("steps" in document || "changeSummary" in document);
}

function gathered(events: readonly Event[]): Events {
  const happenings = new Map<string, Happening>();
  let succeeded: boolean | undefined;
  for (const each of events) {
    if (each.summaryEvent?.isPreview === true) {
      // All so far was planned, not done.
      happenings.clear();
      continue;
    }
    if (each.summaryEvent?.result !== undefined) succeeded = each.summaryEvent.result === "succeeded";
    record(happenings, each);
  }
  const [first = ""] = happenings.keys();
  const hasDebug = events.some(({ diagnosticEvent }) => diagnosticEvent?.severity === "debug");
  return { stack: stackOf(first), succeeded, hasDebug, happenings };
}

function record(happenings: Map<string, Happening>, each: Event): void {
  const { timestamp, diagnosticEvent, resourcePreEvent, resOutputsEvent, resOpFailedEvent } = each;
  const of = (urn: string) => happeningOf(happenings, urn);
  // An ephemeral word says how a wait stands, not what happened.
  const isWord = diagnosticEvent?.severity !== "debug" && diagnosticEvent?.ephemeral !== true;
  if (diagnosticEvent?.urn && isWord) of(diagnosticEvent.urn).said.push(diagnosticEvent);
  const [begun, done, failed] = [resourcePreEvent, resOutputsEvent, resOpFailedEvent].map(
    (event) => event?.metadata,
  );
  if (begun) begin(of(begun.urn), begun, timestamp);
  if (done) end(of(done.urn), done, "done", timestamp);
  if (failed) end(of(failed.urn), failed, "failed", timestamp);
}

function happeningOf(happenings: Map<string, Happening>, urn: string): Happening {
  const known = happenings.get(urn);
  if (known !== undefined) return known;
  const fresh: Happening = { urn, op: "", end: "begun", seconds: null, said: [], undeleted: [], givenUp: [] };
  happenings.set(urn, fresh);
  return fresh;
}

const GIVES_UP: readonly string[] = ["delete", "delete-replaced"];

/** Of a replacement the creation counts: what goes afterwards is the old one. */
function isAfterthought(known: Happening, { op }: Metadata): boolean {
  return known.op !== "" && known.end !== "begun" && (op === "delete-replaced" || op === "replace");
}

function begin(known: Happening, metadata: Metadata, at: number): void {
  if (isAfterthought(known, metadata)) return;
  known.op = metadata.op;
  known.end = "begun";
  known.startedAt ??= at;
  known.before ??= metadata.old;
}

function end(known: Happening, metadata: Metadata, how: "done" | "failed", at: number): void {
  const isGone = how === "done" && GIVES_UP.includes(metadata.op);
  if (isGone && metadata.old?.id !== undefined) known.givenUp.push(metadata.old.id);
  if (isAfterthought(known, metadata)) {
    if (how === "failed") known.undeleted.push(metadata.old?.id ?? "(unknown)");
    return;
  }
  known.op = metadata.op;
  known.end = how;
  known.before ??= metadata.old;
  known.after = metadata.new;
  known.seconds = known.startedAt === undefined ? null : at - known.startedAt;
}
