/** A guide, followed for real: what its page shows is what its commands say now. `npm run guides -- --check` follows all. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { followed } from "../../tools/docs/guides/guide";

const GUIDES = path.join(__dirname, "..", "..", "docs", "guides");

test("the guide to the public service shows what its commands say", async () => {
  const page = readFileSync(path.join(GUIDES, "public-service.md"), "utf8");
  expect(await followed(page)).toBe(page);
}, 300_000);
