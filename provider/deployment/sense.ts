/** Warnings about values that the service may accept, but that make no sense under the profile. Unknown values pass. */
import { faultInWords, type Hidden } from "../fields/check";
import { SPEC } from "../fields/resourceSpec";
import { type Properties, propertiesIn, UNKNOWN, valueAt } from "../fields/value";
import { escapeControls } from "../fields/words";
import type { Profile } from "../profiles/profiles";

interface Doubt {
  readonly path: string;
  readonly got: string;
  /** Another path whose value is shown in `got`; undefined if `got` shows only the value at `path`. */
  readonly of?: string;
  readonly rule: string;
}

/** `olds`: for an update, the recorded state. */
export function senseDoubts(
  args: Properties,
  profile: Profile,
  hidden: Hidden,
  olds: Properties = {},
): string[] {
  const doubts = [
    ...unlistedValues(args, profile),
    ...invertedRanges(args, olds, profile),
    ...unscalableMinimum(args, profile),
  ];
  return doubts.map(({ path, got, of = path, rule }) => {
    const shownValue = hidden(path) || hidden(of) ? "a value that is secret" : got;
    return faultInWords({
      path: path.split("."),
      words: `got ${shownValue}; ${rule} (profile "${profile.name}")`,
    });
  });
}

/** Values that the profile does not list, but that a newer service may accept. */
function unlistedValues(args: Properties, { fields }: Profile): Doubt[] {
  return Object.entries(fields).flatMap(([path, { kind }]) => {
    const value = valueAt(args, path.split("."));
    if (kind?.type !== "choice" || typeof value !== "string" || value === UNKNOWN) return [];
    if (kind.values.includes(value)) return [];
    const rule = `known: ${kind.values.join(", ")}. Another one is sent as it is`;
    return [{ path, got: JSON.stringify(escapeControls(value)), rule }];
  });
}

/** Ranges whose lower end is above the upper end that the program gives or the service keeps. */
function invertedRanges(args: Properties, { unmanagedSpec }: Properties, { ranges }: Profile): Doubt[] {
  const keptMembers = propertiesIn(unmanagedSpec);
  return ranges.flatMap(([path, of]) => {
    const member = of.slice(SPEC.length + 1);
    const declaredLimit = valueAt(args, of.split("."));
    const [least, most] = [valueAt(args, path.split(".")), declaredLimit ?? keptMembers[member]];
    if (typeof least !== "number" || typeof most !== "number" || least <= most) return [];
    const whose = declaredLimit === undefined ? `, which the service has and keeps: give ${member} too` : "";
    return [
      { path, of, got: `${least}, over ${member} ${most}`, rule: `allowed: at most ${member}${whose}` },
    ];
  });
}

const TYPE = "sourceConfig.deploymentType";

function unscalableMinimum(args: Properties, { scalesToZero, fields }: Profile): Doubt[] {
  const path = `${SPEC}.minScale`;
  const type = valueAt(args, TYPE.split(".")) ?? "prod";
  const kind = fields[TYPE]?.kind;
  const isKnown = kind?.type === "choice" && kind.values.some((each) => each === type);
  if (valueAt(args, path.split(".")) !== 0 || !isKnown || scalesToZero.some((each) => each === type))
    return [];
  const rule = `only deployments of type ${scalesToZero.join(" or ")} scale to zero`;
  return [{ path, of: TYPE, got: `0 with type ${type}`, rule }];
}
