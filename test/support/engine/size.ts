/** Whether each suite of the engine and of the examples runs whole, as with `npm run test:engine`; `npm test` runs a short part. */
export const isWhole = process.env.DEPLOYMENT_CONTROL_ENGINE === "whole";
