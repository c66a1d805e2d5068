// The peak memory of the provider's process (VmHWM), on systems that have /proc.
import fs from "node:fs";

const BETWEEN_LOOKS_MS = 40;
/** Matches the command lines of the dynamic provider and of a plugin. */
const PROVIDER = /dynamic-provider|pulumi-resource-deployment-control/;

/** Watches the provider's memory; `stop` returns the peak in kilobytes, or undefined if no provider was seen. */
export function watchProvider(home) {
  const peaks = new Map();
  const otherProcesses = new Set();
  const look = () => {
    for (const pid of processes()) {
      if (otherProcesses.has(pid)) continue;
      if (isProvider(pid, home)) peaks.set(pid, peakOf(pid) ?? peaks.get(pid));
      // Looks again only at young processes: a process that has just been forked may still become the provider.
      else if (isOld(pid)) otherProcesses.add(pid);
    }
  };
  const timer = setInterval(look, BETWEEN_LOOKS_MS);
  return {
    stop: () => {
      clearInterval(timer);
      const seen = [...peaks.values()].filter((peak) => peak !== undefined);
      return seen.length === 0 ? undefined : Math.max(...seen);
    },
  };
}

/** Whether the process is the provider of the stack with that home: providers of other stacks may be running too. */
function isProvider(pid, home) {
  return (
    PROVIDER.test(read(`/proc/${pid}/cmdline`)) &&
    read(`/proc/${pid}/environ`).includes(`PULUMI_HOME=${home}\0`)
  );
}

function isOld(pid) {
  const started = fs.statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  return Date.now() - started > 5_000;
}

function processes() {
  try {
    return fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function peakOf(pid) {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes);
}

// A process may end before its file in /proc is read.
function read(file) {
  try {
    return fs.readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
