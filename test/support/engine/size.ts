/**
 * Whether the suites of the engine and the examples run in full, as with `npm run test:engine`; `npm test` runs only a
 * part of these suites.
 */
export const isWhole = process.env.DEPLOYMENT_CONTROL_ENGINE === "whole";
