/**
 * What is not drawn, or not asserted, since it is not true yet. Each entry has its reason, and goes once that is mended:
 * an empty list is the aim. `AGREEMENT_ON=deletedWith,…` draws it nevertheless.
 */
const OFF: readonly string[] = [
  // The paths of secrets are told by the program, which sees no transformation.
  "secrets that a transformation injects",
  // Named once refresh and plan name what a PATCH of the secrets would remove.
  "foreign secrets",
  // A line that says flatly "is deleted" where a parent or a transformation keeps it.
  "inherited options",
  // `deletedWith` is not read.
  "deletedWith",
  // A name that is unknown and turns out the same.
  "unknown names",
  // With a kept name it makes every up fail, and nobody says so.
  "deleteBeforeReplace: false",
];

const ON = (process.env.AGREEMENT_ON ?? "").split(",");

export const isDrawn = (what: string): boolean => ON.includes(what) || !OFF.includes(what);
