/** Whether an answered resource is one: what the provider decides by has the type of the contract, all else may be anything. */
import { isProperties, type Properties } from "../fields/value";
import { isSegment } from "./http";

const SHAPES = {
  text: { words: "a string", fits: (value: unknown) => typeof value === "string" },
  object: { words: "an object", fits: isProperties },
  list: {
    words: "a list of objects",
    fits: (value: unknown) => Array.isArray(value) && value.every(isProperties),
  },
} as const;

/** Of whichever resource: no two have a field of the same name and another type. Each may be null or missing. */
const FIELDS: { readonly [wireName: string]: keyof typeof SHAPES } = {
  name: "text",
  status: "text",
  created_at: "text",
  updated_at: "text",
  latest_revision_id: "text",
  active_revision_id: "text",
  compute_type: "text",
  compute_id: "text",
  source_config: "object",
  source_revision_config: "object",
  compute_config: "object",
  secrets: "list",
  secret_references: "list",
};

/** What is wrong with it, to go on after `answered`; undefined where nothing is. Values are not quoted: they may be secret. */
export function entryFault(entry: Properties): string | undefined {
  if (!isSegment(entry.id)) return "without an id";
  for (const [name, shape] of Object.entries(FIELDS)) {
    const value = entry[name] ?? undefined;
    const { words, fits } = SHAPES[shape];
    if (value !== undefined && !fits(value)) return `whose ${name} is not ${words}`;
  }
  return undefined;
}
