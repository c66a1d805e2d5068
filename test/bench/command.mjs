// One command of the CLI, whose output is shown only when it fails.
import { spawn } from "node:child_process";

export async function pulumiIn(folder, env, args) {
  const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  const code = await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
  if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${text}`);
}

/** The same, killed with all that it has started as soon as that is so. */
export async function killedPulumiIn(folder, env, args, isTime) {
  const child = spawn("pulumi", [...args, "--non-interactive"], {
    cwd: folder,
    env,
    stdio: "ignore",
    detached: true,
  });
  const ended = new Promise((resolve, reject) => child.on("exit", resolve).on("error", reject));
  while (!isTime() && child.exitCode === null) await new Promise((done) => setTimeout(done, 5));
  if (child.exitCode !== null) throw new Error("the command ended before it was killed");
  process.kill(-child.pid, "SIGKILL");
  await ended;
}
