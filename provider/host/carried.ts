/** Inputs that the program hands along with the arguments and that never show as a change. */
import { isAbsent, isProperties, type Properties } from "../fields/value";

/** The resource's URN: the methods of a dynamic resource are not told it. */
export const URN = "__urn";
/** Paths of arguments whose values the program marked secret, beyond those that always are. */
export const SECRET_PATHS = "__secrets";
/** Time-outs of the resource's options, in seconds; the engine does not pass them on. */
export const TIMEOUTS = "__timeouts";
/** Set where the resource's options keep the engine from deleting it. */
export const RETAINED = "__retained";
/** Set on a resource that is only read. */
export const READ_ONLY = "__get";

/**
 * The profile under which the plan was made, unless it is the plain default and the stack's configuration names none: a
 * preview's JSON holds that configuration, but not the environment, which may have overridden it. Computed by `check`.
 */
export const PROFILE_IN_USE = "__profile";

export const CARRIED = [URN, SECRET_PATHS, TIMEOUTS, RETAINED, READ_ONLY, "__provider"] as const;

/** What stands of them in a resource's inputs or outputs. */
export function carriedIn(properties: Properties): Properties {
  return Object.fromEntries(
    CARRIED.filter((name) => name in properties).map((name) => [name, properties[name]]),
  );
}

/** What the program itself gave: nothing that is carried, and nothing that is null. */
export function givenIn(properties: Properties): Properties {
  const carried: readonly string[] = CARRIED;
  return Object.fromEntries(
    Object.entries(properties).filter(([name, value]) => !carried.includes(name) && !isAbsent(value)),
  );
}

/** The name in the program, as reports and gates use it. */
export function programName(properties: Properties): string {
  const urn = urnOf(properties);
  // urn:pulumi:STACK::PROJECT::TYPE::NAME, where a name may itself hold "::".
  return urn === "" ? String(properties.name ?? "") : urn.split("::").slice(3).join("::");
}

export function urnOf(properties: Properties): string {
  return typeof properties[URN] === "string" ? (properties[URN] as string) : "";
}

/** Whether the value at a path must not be shown. */
export function hiddenIn(...properties: Properties[]): (path: string) => boolean {
  const secret = properties.flatMap((each) =>
    Array.isArray(each[SECRET_PATHS]) ? (each[SECRET_PATHS] as string[]) : [],
  );
  const covered = (path: string, by: string): boolean =>
    path === by || path.startsWith(`${by}.`) || by.startsWith(`${path}.`);
  return (path) =>
    path === "secrets" || path.startsWith("secrets.") || secret.some((by) => covered(path, by));
}

export function timeoutSeconds(
  properties: Properties,
  operation: "create" | "update" | "delete",
  fallback: number,
): number {
  const given = isProperties(properties[TIMEOUTS]) ? properties[TIMEOUTS][operation] : undefined;
  return typeof given === "number" ? given : fallback;
}
