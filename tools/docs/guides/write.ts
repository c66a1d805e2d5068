/** `npm run guides [-- --check] [NAME …]`: runs the commands of the guides, and writes their output into the guides. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { blocksIn } from "../blocks";
import { followed } from "./guide";

const FOLDER = path.join(__dirname, "..", "..", "..", "docs", "guides");

async function main(args: readonly string[]): Promise<void> {
  const isCheck = args.includes("--check");
  const guideNames = args.filter((each) => !each.startsWith("--"));
  const guides = readdirSync(FOLDER).filter((file) => file.endsWith(".md"));
  for (const file of guides.filter(
    (each) => guideNames.length === 0 || guideNames.includes(each.replace(".md", "")),
  )) {
    const place = path.join(FOLDER, file);
    const page = readFileSync(place, "utf8");
    if (!blocksIn(page).some(({ language }) => language === "sh")) continue;
    const began = Date.now();
    const now = await followed(page).catch((error: Error) => {
      throw new Error(`${file}: ${error.message}`);
    });
    const isStale = now !== page;
    process.stdout.write(
      `${file}: ${isStale ? (isCheck ? "STALE" : "written") : "as it was"}, ${((Date.now() - began) / 1000).toFixed(0)} s\n`,
    );
    if (isStale && isCheck) process.exitCode = 1;
    if (isStale && !isCheck) writeFileSync(place, now);
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
