/**
 * Whether the suites of the engine and the examples run in full, as with `npm run test:engine`; `npm test` runs a part
 * of them.
 */
export const isWhole = process.env.DEPLOYMENT_CONTROL_ENGINE === "whole";
