/** Finds the slots that a preview or a report refuses, and the slots that fail in `pulumi up`. */
import type { Report } from "../../sdk/report/model";
import type { Preview } from "../../sdk/report/read/preview";
import type { Ask } from "./asks";
import type { Declared, Slot } from "./slots";

/** The number of the slot in a resource's name; -1 if the name has no number. */
export const slotOf = (name: string): number =>
  Number(/^(?:agents-)?(?:[a-z]+-)?(\d+)/.exec(name)?.[1] ?? -1);

const slotsAt = (urns: readonly string[]): number[] =>
  urns.map((urn) => slotOf(urn.split("::").at(-1) as string)).filter((index) => index >= 0);

/** The numbers of the slots that make the preview fail or that the report refuses. */
export function refusedIn(preview: Preview, report: Report): number[] {
  const failing = preview.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ urn = "" }) => urn);
  const refusals = (report as { refusals?: readonly string[] }).refusals ?? [];
  const named = [
    ...[report.failure, ...refusals].join("\n").matchAll(/"([a-z]+-\d+[^"]*)"|::([a-z]+-\d+\S*)/g),
  ];
  const fated = [
    ...report.deployments.filter(({ fate }) => fate === "refused"),
    ...report.listeners.filter(isRefused),
  ];
  const names = [...named.map(([, label, end]) => label ?? end ?? ""), ...fated.map(({ name }) => name)];
  return [...slotsAt(failing), ...names.map(slotOf).filter((index) => index >= 0)];
}

const isRefused = ({ warnings }: Report["listeners"][number]): boolean =>
  warnings.some((each) => each.includes("the update will refuse this"));

/** The numbers of the slots in which a resource failed during `pulumi up`. */
export function failedIn(events: string): Set<number> {
  const each = events
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
  const urns = each.flatMap(({ resOpFailedEvent, diagnosticEvent }) => [
    resOpFailedEvent?.metadata.urn ?? "",
    diagnosticEvent?.severity === "error" ? (diagnosticEvent.urn ?? "") : "",
  ]);
  return new Set(slotsAt(urns));
}

/**
 * Whether the slot failed in `pulumi up` because a removed deployment still has the name of a new deployment. No
 * preview can see this conflict: the engine creates before it deletes, and does not ask the provider about removals.
 */
export const meetsRemoved = ({ deployments }: Report, slot: number, text: string): boolean =>
  deployments.some(({ name, verdict }) => verdict === "delete" && slotOf(name) === slot) &&
  errorsIn(text).includes(" exists already on ");

/** Whether the report says that the slot fails in `pulumi up` if an unknown value turns out to have changed. */
export const mayCollide = ({ deployments }: Report, slot: number): boolean =>
  deployments.some(
    ({ name, warnings }) =>
      slotOf(name) === slot &&
      warnings.some((each) => /^if it is replaced: .* so every update fails/.test(each)),
  );

/**
 * Whether a forced replacement failed because the old deployment still has the name. No preview can see this conflict
 * if a dependency may be replaced: the engine would then delete the old deployment first.
 */
export const meetsPredecessor = (slot: Slot, ask: Ask | undefined, text: string): boolean =>
  (ask?.how === "replace" || ask?.how === "taint") &&
  Object.values(slot).some(({ args }) => /"\$(unknown|from)"/.test(JSON.stringify(args.name))) &&
  errorsIn(text).includes(" exists already on ");

/** Whether a variable is in two maps, and the preview does not know the entries of a map that has an unknown value. */
export const meetsUnknown = (slot: Slot, text: string): boolean =>
  JSON.stringify(slot).includes('"$unknown"') && errorsIn(text).includes(": is in secrets too.");

const UNCOMPARED =
  /"([^"]+)": another tool has changed (?:variables|settings) that this plan did not compare/g;

/** Whether the slot failed in `pulumi up` because another person added or changed an entry since the last refresh. */
export const meetsVariables = (slot: number, text: string): boolean =>
  [...errorsIn(text).matchAll(UNCOMPARED)].some(([, name]) => slotOf(name as string) === slot);

/** The lines of a command's output that say why the command failed. */
export const errorsIn = (text: string): string =>
  text
    .split("\n")
    .filter((line) => /error:|refus/.test(line))
    .join("\n");

function renamed(declared: Declared, suffix: number): Declared {
  const { adopt: _id, ...args } = declared.args;
  return { ...declared, args: { ...args, name: `${args.name}-${suffix}` } };
}

/**
 * The remedies that the errors of `pulumi up` name: commands to run first, and edits to the program, such as an id to
 * adopt or a new name for a deployment.
 */
export function wayOutIn(text: string, suffix: number) {
  const errors = errorsIn(text).split("\n");
  const errorsAbout = (name: string): string =>
    errors.filter((line) => line.includes(`"${name}": `)).join("\n");
  const edited = (declared: Declared): Declared => {
    const error = errorsAbout(declared.name);
    const adopt = /set adopt: "([^"]+)"/.exec(error)?.[1];
    // To adopt the deployment, the program would need a secret that another person has added on the service.
    if (/that the program does not set/.test(error)) return renamed(declared, suffix);
    if (adopt !== undefined) return { ...declared, args: { ...declared.args, adopt } };
    if (/set newRevisions to "allow"/.test(error))
      return { ...declared, args: { ...declared.args, newRevisions: "allow" } };
    return /[Cc]hange name|(?:another|different) name|is not identical/.test(error)
      ? renamed(declared, suffix)
      : declared;
  };
  return {
    commands: [...errors.join("\n").matchAll(/pulumi (state delete) '([^']+)'/g)].map(
      ([, command, urn]) => [...(command as string).split(" "), urn as string] as const,
    ),
    edit: (slot: Slot): Slot =>
      Object.fromEntries(Object.entries(slot).map(([role, declared]) => [role, edited(declared)])),
  };
}
