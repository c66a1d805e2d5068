/**
 * Whether the suites of the engine and the examples run in full, as with `--part engine`; `npm test` runs only a part of
 * these suites.
 */
export const isWhole = ["engine", "named", "all"].includes(process.env.TEST_PART ?? "");
