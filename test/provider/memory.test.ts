/** The provider's process stays small. */
import { execFile } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";

const provider = JSON.stringify(path.join(__dirname, "..", "..", "dist", "provider"));

/** What the space for new objects grows to, in MB, where much survives in a process that has run this first. */
async function newSpaceAfter(first: string): Promise<number> {
  const script = `
    ${first};
    const kept = [];
    for (let made = 0; made < 3_000_000; made += 1) {
      kept.push({ made });
      if (kept.length > 200_000) kept.splice(0, 100_000);
    }
    const spaces = require("node:v8").getHeapSpaceStatistics();
    console.log(spaces.find(({ space_name }) => space_name === "new_space").space_size / 1e6);
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script]);
  return Number(stdout);
}

test("under an engine the space for new objects does not grow with what survives in it", async () => {
  const engine = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => engine.once("listening", resolve));
  const configured = `
    process.argv[2] = "127.0.0.1:${(engine.address() as AddressInfo).port}";
    require(${provider}).deployment.configure({ config: { get: () => undefined } })`;
  try {
    const grown = await newSpaceAfter("");
    expect(await newSpaceAfter(configured)).toBeLessThan(grown);
    expect(await newSpaceAfter(`require(${provider})`)).toBeGreaterThanOrEqual(grown);
  } finally {
    engine.close();
  }
});
