import { isPlugin } from "../support/engine/form";

/**
 * What is not drawn, or not asserted, since it is not true. Each entry has its reason, and goes once that is mended.
 * `AGREEMENT_ON=…` draws it nevertheless.
 */
const OFF: readonly string[] = [
  // The paths of secrets are told by the program, which sees no transformation. SECURITY.md says what it means. Of the
  // plugin the engine itself tells them.
  ...(isPlugin ? [] : ["secrets that a transformation injects"]),
];

const ON = (process.env.AGREEMENT_ON ?? "").split(",");

export const isDrawn = (what: string): boolean => ON.includes(what) || !OFF.includes(what);
