/**
 * Runs the commands of one guide, and checks that the guide's page shows their current output.
 * `npm run guides -- --check` runs all guides.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { followed } from "../../tools/docs/guides/guide";

const GUIDES = path.join(__dirname, "..", "..", "docs", "guides");

test("the guide to LangSmith shows the current output of its commands", async () => {
  const page = readFileSync(path.join(GUIDES, "langsmith.md"), "utf8");
  expect(await followed(page)).toBe(page);
}, 300_000);
