/** The documented bounds of `resource_spec`. */
import { isRecord, type JsonRecord, valueAt } from "./mergePatch";
import type { Bound, PublishedRules } from "./publishedRules";
import type { Detail } from "./refusal";
import type { Service } from "./service";

const PLACE = "source_config.resource_spec";

export function specDetails(service: Service, body: JsonRecord, rules: PublishedRules): Detail[] {
  const spec = valueAt(body, PLACE);
  if (!isRecord(spec)) return [];
  const bounds = Object.entries(rules.bounds).flatMap(([name, bound]) => {
    const words = fault(spec[name], bound, service.behaviour.finerCpu === "rounded");
    return words === undefined ? [] : [detail([name], `must be ${words}`, "value_error")];
  });
  const members = Object.entries(rules.requiredMembers).flatMap(([name, required]) =>
    missingIn(name, spec[name], required),
  );
  return [...bounds, ...members];
}

function detail(path: readonly (string | number)[], msg: string, type: string): Detail {
  return { loc: ["body", ...PLACE.split("."), ...path], msg, type };
}

function fault(value: unknown, { minimum, maximum, step }: Bound, rounds: boolean): string | undefined {
  if (typeof value !== "number") return undefined;
  if (minimum !== undefined && maximum !== undefined && (value < minimum || value > maximum))
    return `between ${minimum} and ${maximum}`;
  if (step === 1) return Number.isInteger(value) ? undefined : "a whole number";
  return step === undefined || rounds || rounded(value) === value ? undefined : "of one decimal place";
}

/** To one decimal place. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function missingIn(name: string, list: unknown, required: readonly string[]): Detail[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((element: JsonRecord, index) =>
    required
      .filter((member) => element[member] === undefined)
      .map((member) => detail([name, index, member], "this field is required", "missing")),
  );
}

/** The values as a service stores them that rounds what has more decimal places than it knows. */
export function roundedSpec(spec: JsonRecord, rules: PublishedRules): JsonRecord {
  return Object.fromEntries(
    Object.entries(spec).map(([name, value]) => [
      name,
      rules.bounds[name]?.step === 0.1 && typeof value === "number" ? rounded(value) : value,
    ]),
  );
}
