/** Reads what happened to each resource, from the engine's events in `pulumi up --json` or its `--event-log`. */
import { z } from "zod";
import { isMarked } from "../../../provider/engine/marks";
import { nameIn, stackOf } from "../../../provider/schema/naming";
import { isProperties, type Properties } from "../../../provider/schema/value";
import { SECRET } from "../model";
import { checkDocument, documentsIn } from "./documents";
import { kindOf, wordsOf } from "./lines";
import { diagnosticSchema, type EngineState, type EngineStep, properties, texts } from "./preview";

export interface Happening {
  readonly urn: string;
  /** The engine's main operation on the resource, such as `update`. */
  op: string;
  /** How the operation ended; `begun` if the events lack its end. */
  end: "done" | "failed" | "begun";
  before?: Metadata["old"];
  after?: Metadata["new"];
  seconds: number | null;
  /** The lines about the resource, in order; empty unless the resource is a deployment. */
  readonly lines: string[];
  /** Ids of resources that the engine no longer manages: deleted resources, and resources that an option kept. */
  readonly givenUp: string[];
  startedAt?: number;
}

export type Events = Readonly<ReturnType<typeof collect>>;

const policy = z.looseObject({
  /** The URN of the resource that violates the policy; undefined for a policy on the whole stack. */
  resourceUrn: z.string().optional(),
  message: z.string(),
  policyName: z.string(),
  enforcementLevel: z.string(),
});
const state = z
  .looseObject({
    id: z.string().optional(),
    inputs: properties.nullish(),
    outputs: properties.nullish(),
  })
  .nullish();
const step = z.looseObject({
  metadata: z.looseObject({
    op: z.string(),
    urn: z.string(),
    old: state,
    new: state,
    /** The arguments that cause a replacement. */
    keys: texts,
  }),
});
const event = z.looseObject({
  sequence: z.number(),
  timestamp: z.number(),
  resourcePreEvent: step.optional(),
  resOutputsEvent: step.optional(),
  resOpFailedEvent: step.optional(),
  diagnosticEvent: diagnosticSchema.optional(),
  policyEvent: policy.optional(),
  summaryEvent: z
    .looseObject({ isPreview: z.boolean().optional(), result: z.string().optional() })
    .optional(),
});
type Event = z.output<typeof event>;
type Metadata = z.output<typeof step>["metadata"];

const EVENTS = "the events of an update, from `pulumi up --json` or `--event-log`";

/** If the input is faulty, throws an Error that names the place of the fault. */
export function eventsIn(text: string, source: string): Events {
  const documents = documentsIn(text, source, EVENTS);
  const events = documents.flatMap((document, index) =>
    eventOf(document, `${source}, document ${index + 1}`),
  );
  if (events.length === 0) throw new Error(`${source}: expected ${EVENTS}; found no event`);
  return collect(events);
}

/** `pulumi up` may first print its preview as a separate document, which is skipped. */
function eventOf(document: unknown, source: string): Event[] {
  if (isProperties(document) && isPreview(document)) return [];
  if (!isProperties(document) || document.sequence === undefined) {
    throw new Error(
      `${source}: expected an event of \`pulumi up --json\`; what other options print does not tell what happened to revisions`,
    );
  }
  return [checkDocument(event, document, `${source}: `)];
}

function isPreview(document: Properties): boolean {
  return document.sequence === undefined && ("steps" in document || "changeSummary" in document);
}

function collect(events: readonly Event[]) {
  // The events before the preview's summary belong to the preview.
  const ofUp = events.slice(events.findLastIndex(({ summaryEvent }) => summaryEvent?.isPreview === true) + 1);
  const eventsByUrn = new Map<string, Happening>();
  for (const each of ofUp) record(eventsByUrn, each);
  const results = ofUp.flatMap(({ summaryEvent }) => summaryEvent?.result ?? []);
  const [first = ""] = eventsByUrn.keys();
  return {
    stack: stackOf(first),
    /** Whether the update succeeded; undefined if the events stop before the end of the update. */
    succeeded: results.length === 0 ? undefined : results.at(-1) === "succeeded",
    /** Whether there are events at debug level, in which the engine writes secrets in plaintext. */
    hasDebug: events.some(({ diagnosticEvent }) => diagnosticEvent?.severity === "debug"),
    eventsByUrn,
    /** The steps on deployments and listeners, and the lines about them, in the form of a preview's JSON. */
    steps: ofUp
      .flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? [])
      .filter(({ urn }) => kindOf(urn) !== undefined)
      .map(stepOf),
    diagnostics: ofUp.flatMap(({ diagnosticEvent: event }) => (event === undefined ? [] : [event])),
    /** The policies that stopped the update or its preview, each with the resource and the policy's message. */
    violations: events
      .flatMap(({ policyEvent }) => policyEvent ?? [])
      .filter(({ enforcementLevel }) => enforcementLevel === "mandatory")
      .map(violationWords),
  };
}

/** A preview's JSON has different names for some members of a step. */
const stepOf = ({ op, urn, old, new: next, keys }: Metadata): EngineStep => ({
  op,
  urn,
  // Every deployment and every listener has inputs, so the inputs are never null.
  oldState: masked(old) as EngineState,
  newState: masked(next) as EngineState,
  replaceReasons: keys,
});

/** The value with a preview's mask in place of each secret that the engine has marked. */
function masked<T>(value: T): T {
  if (isMarked(value)) return SECRET as T;
  if (Array.isArray(value)) return value.map(masked) as T;
  if (!isProperties(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member)])) as T;
}

function violationWords({ resourceUrn, policyName, message }: z.output<typeof policy>): string {
  const forbidden = resourceUrn === undefined ? "this stack" : nameIn(resourceUrn);
  return `the policy ${policyName} forbids ${forbidden}: ${wordsOf(message)}`;
}

function record(eventsByUrn: Map<string, Happening>, each: Event): void {
  const {
    timestamp,
    diagnosticEvent: diagnostic,
    resourcePreEvent,
    resOutputsEvent,
    resOpFailedEvent,
  } = each;
  const happeningOf = (urn: string): Happening => {
    const happening = eventsByUrn.get(urn) ?? nothingOn(urn);
    eventsByUrn.set(urn, happening);
    return happening;
  };
  // An ephemeral diagnostic shows progress, not a result.
  if (diagnostic?.urn && diagnostic.severity !== "debug" && diagnostic.ephemeral !== true) {
    const { lines } = happeningOf(diagnostic.urn);
    if (kindOf(diagnostic.urn) === "deployment") lines.push(wordsOf(diagnostic.message ?? ""));
  }
  const [started, finished, failure] = [resourcePreEvent, resOutputsEvent, resOpFailedEvent].map(
    (event) => event?.metadata,
  );
  if (started) begin(happeningOf(started.urn), started, timestamp);
  if (finished) end(happeningOf(finished.urn), finished, "done", timestamp);
  if (failure) end(happeningOf(failure.urn), failure, "failed", timestamp);
}

/** The record of a resource without events. */
export const nothingOn = (urn: string): Happening => ({
  urn,
  op: "",
  end: "begun",
  seconds: null,
  lines: [],
  givenUp: [],
});

const GIVES_UP: readonly string[] = ["delete", "delete-replaced"];
const CLEANUP: readonly string[] = ["delete-replaced", "replace", "remove-pending-replace"];

/** Whether the step only cleans up after a replacement. The replacement's creation determines the outcome. */
function isCleanup(happening: Happening, { op }: Metadata): boolean {
  return happening.op !== "" && happening.end !== "begun" && CLEANUP.includes(op);
}

function begin(happening: Happening, metadata: Metadata, at: number): void {
  if (isCleanup(happening, metadata)) return;
  happening.op = metadata.op;
  happening.end = "begun";
  happening.startedAt ??= at;
  happening.before ??= metadata.old;
}

function end(happening: Happening, metadata: Metadata, how: "done" | "failed", at: number): void {
  const isGone = how === "done" && GIVES_UP.includes(metadata.op);
  if (isGone && metadata.old?.id !== undefined) happening.givenUp.push(metadata.old.id);
  if (isCleanup(happening, metadata)) return;
  happening.op = metadata.op;
  happening.end = how;
  happening.before ??= metadata.old;
  happening.after = metadata.new;
  happening.seconds = happening.startedAt === undefined ? null : at - happening.startedAt;
}
