import { isPlugin } from "../support/engine/form";

/**
 * Cases that are not generated, or not asserted, because they fail today. Each has its reason, and is removed once the
 * fault is fixed. `AGREEMENT_ON=…` generates a case nevertheless.
 */
const OFF: readonly string[] = [
  // The program packs the paths of secrets before a transformation changes them. SECURITY.md explains the consequence.
  // With the plugin, the engine itself finds the secrets.
  ...(isPlugin ? [] : ["secrets that a transformation injects"]),
];

const ON = (process.env.AGREEMENT_ON ?? "").split(",");

export const isDrawn = (what: string): boolean => ON.includes(what) || !OFF.includes(what);
