/** The disk is really full: the state or the journal is on a small file system. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { closeAfterTest, FaultStack, startService, WITHOUT_CHECKPOINTS } from "../support/faults/faultStack";
import { image, several } from "../support/faults/killPoints";
import { tellFigures } from "../support/faults/size";

const LONG = 600_000;
const COUNT = 12;
const program = (tag: number) => several(COUNT, image(tag));

/** A small file system, mounted at `folder`, that accepts no more data after `fill`. */
class SmallDisk {
  readonly #folder: string;
  readonly #filler: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#filler = path.join(folder, "filler");
    mkdirSync(folder, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
  }

  fill(): void {
    try {
      for (let size = 4_096; ; ) writeFileSync(this.#filler, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }

  empty(): void {
    rmSync(this.#filler, { force: true });
  }

  close(): void {
    execFileSync("umount", ["-l", this.#folder]);
  }
}

function mayMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), "disk-"));
  try {
    new SmallDisk(folder).close();
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}

async function begun(place: "state" | "journal", environment: Record<string, string>) {
  const service = await startService();
  const stack = new FaultStack(service.gate, {
    environment: { ...environment, DEPLOYMENT_CONTROL_MAX_CONCURRENCY: "1" },
  });
  const disk = new SmallDisk(place === "state" ? path.join(stack.folder, "state") : stack.journal);
  closeAfterTest(disk);
  await stack.init();
  return { service, stack, disk };
}

/** If the engine has left a truncated state, restores the earlier state, as a user would, and returns true. */
function restoredIfCutOff({ stateFile }: FaultStack, before: string): boolean {
  try {
    JSON.parse(readFileSync(stateFile, "utf8"));
    return false;
  } catch {
    writeFileSync(stateFile, before);
    return true;
  }
}

async function filledDuring(
  place: "state" | "journal",
  environment: Record<string, string>,
  operation: "create" | "update",
) {
  const { service, stack, disk } = await begun(place, environment);
  if (operation === "update") await stack.mustUp(program(1));
  const declared = program(operation === "create" ? 1 : 2);
  const before = readFileSync(stack.stateFile, "utf8");
  service.gate.arrivals.length = 0;
  const running = stack.startUp(declared);
  await service.gate.arrival(operation === "create" ? "POST" : "PATCH", /./, 3);
  disk.fill();
  const ended = await running.ended;
  const sent = service.gate.arrivals.filter(({ method }) => method !== "GET").length;
  disk.empty();
  const isRestored = restoredIfCutOff(stack, before);
  await stack.cancel();
  const again = await stack.up(declared);
  const preview = await stack.run(declared, "preview", "--expect-no-changes");
  const living = service.emulator.deployments();
  return {
    ended,
    isRestored,
    again,
    preview,
    sent,
    names: living.map(({ name }) => name).sort(),
    revisions: [...new Set(living.map((each) => each.revisions.length))],
    inState: (await stack.ids()).length,
  };
}

const CASES = (["state", "journal"] as const).flatMap((place) =>
  (["with", "without"] as const).flatMap((checkpoints) =>
    (["create", "update"] as const).map((operation) => ({ place, checkpoints, operation })),
  ),
);

const testOnDisk: typeof test = mayMount()
  ? test
  : (((title: string) =>
      test.skip(`${title} (skipped: this user may not mount a file system)`, () => undefined)) as never);

for (const { place, checkpoints, operation } of CASES)
  testOnDisk(
    `if the disk of the ${place} fills up in the middle of an up (${operation}, ${checkpoints} checkpoints), the next update makes nothing twice`,
    async () => {
      const environment = checkpoints === "with" ? {} : WITHOUT_CHECKPOINTS;
      const { ended, isRestored, sent, ...outcome } = await filledDuring(place, environment, operation);
      const restored = isRestored
        ? "; the engine's state was cut off, and that of before the run put back"
        : "";
      tellFigures(
        `full disk, ${place}, ${operation}, ${checkpoints} checkpoints: ended with ${ended.code} after ${sent} changes${restored}`,
      );
      if (place === "state") expect(ended.code).not.toBe(0);
      expect(outcome).toMatchObject({ again: { code: 0 }, preview: { code: 0 }, inState: COUNT });
      expect(outcome.again.text).not.toContain("the journal's file");
      expect(outcome.names).toEqual(Object.keys(program(1)).sort());
      expect(outcome.revisions).toEqual([operation === "create" ? 1 : 2]);
    },
    LONG,
  );
