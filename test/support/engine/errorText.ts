/** The output that a person reads after a failed command, and the checks that this output must pass. */
import { execFileSync } from "node:child_process";
import type { Run, TestStack } from "./stack";

/** The errors of a run, each once, without the engine's prefix that names the resource. */
export function errorsOf(run: Run): string[] {
  const errors = run.diagnostics.filter(({ severity }) => severity === "error");
  return [...new Set(errors.map(({ message }) => message.replace(/^.* has a problem: /, "")))];
}

/** The flaws in a run's output: stack traces, doubled prefixes, and printed objects. */
export function blemishesOf(run: Run): string[] {
  const text = run.text + run.diagnostics.map(({ message }) => message).join("\n");
  return [
    /^\s+at .*[:(].*$/m,
    /error: *error:/i,
    /\[object Object\]/,
    /\bundefined\b/,
    /node_modules|\.[jt]s:\d+/,
    /Unhandled|unhandled/,
  ].flatMap((ugly) => ugly.exec(text)?.[0] ?? []);
}

/** The secret in each encoding in which a string could contain the secret. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const quoted = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    quoted,
    JSON.stringify(quoted).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
}

/** The secrets that each string contains in any encoding, each as `where: secret`. */
export function leaksIn(places: { readonly [where: string]: string }, secrets: readonly string[]): string[] {
  return Object.entries(places).flatMap(([where, text]) =>
    secrets
      .filter((secret) => spellingsOf(secret).some((spelling) => text.includes(spelling)))
      .map((secret) => `${where}: ${secret}`),
  );
}

/** Every string that the runs wrote or showed, by place. */
export function placesOf(stack: TestStack, ...runs: Run[]): { [where: string]: string } {
  // The SDK's own debug messages have the program's results in plaintext, but users do not see these messages.
  const isDebug = (severity: string | undefined): boolean => severity === "debug";
  const events = runs.flatMap((run) => run.events.filter((e) => !isDebug(e.diagnosticEvent?.severity)));
  return {
    "state, history and backups": stack.filesOfState(),
    texts: runs.map(({ text }) => text).join("\n"),
    errors: runs.map(({ error }) => error ?? "").join("\n"),
    events: JSON.stringify(events),
  };
}

/**
 * Returns a function that awaits a run, checks that no run so far wrote or showed a secret in plaintext, and returns
 * the run.
 */
export function watched(
  stack: TestStack,
  secrets: readonly string[],
): (started: Promise<Run>) => Promise<Run> {
  const runs: Run[] = [];
  return async (started) => {
    const run = await started;
    runs.push(run);
    expect(leaksIn(placesOf(stack, ...runs), secrets)).toEqual([]);
    return run;
  };
}

/** The state as `pulumi stack export` shows it. The Automation API's export would have the secrets in plaintext. */
export function exported(stack: TestStack): string {
  return execFileSync("pulumi", ["stack", "export", "--stack", "test"], {
    cwd: stack.folder,
    env: { ...process.env, ...stack.environment },
    encoding: "utf8",
  });
}
