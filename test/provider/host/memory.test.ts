/** The provider's process stays small. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { started } from "../../sdk/emulator/emulating";
import { provider, silentEngine, startHost } from "../hosting";
import { chat, inParallel } from "../providing";

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
  const engine = await silentEngine();
  const configured = `
    process.argv[2] = "${engine.address}";
    require(${provider}).deployment.configure({ config: { get: () => undefined } })`;
  try {
    const grown = await newSpaceAfter("");
    expect(await newSpaceAfter(configured)).toBeLessThan(grown);
    expect(await newSpaceAfter(`require(${provider})`)).toBeGreaterThanOrEqual(grown);
    // A later V8 may not have the flags.
    const later = `Object.defineProperty(process.versions, "v8", { value: "15.0" }); ${configured}`;
    expect(await newSpaceAfter(later)).toBeGreaterThanOrEqual(grown);
  } finally {
    engine.close();
  }
});

test("what the calls of a refresh leave behind is not kept among what lives long, although its first calls wait", async () => {
  const emulator = await started({ latencyMs: 60 });
  const ids = emulator.seed(500);
  const host = await startHost({
    DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
    DEPLOYMENT_CONTROL_JOURNAL: "off",
  });
  // Of the size that a real one has.
  const env = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`KEY_${index}`, `value ${index}`]),
  );
  const state = { ...chat, sourceConfig: { resourceSpec: { env } }, serviceUrl: emulator.url };
  const refresh = (some: readonly string[]) => inParallel(some, (id) => host.read(id, { ...state, id }));
  try {
    await refresh(ids.slice(0, 100));
    const before = await host.oldSpace();
    await refresh(ids.slice(100));
    // 14 MB of it are what it knows by then; 38 where V8 has learnt from the first calls.
    expect((await host.oldSpace()) - before).toBeLessThan(24_000_000);
  } finally {
    await host.stop();
  }
});
