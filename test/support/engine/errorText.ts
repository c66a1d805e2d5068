/** The text of a failed command as a person reads it, and the guards that every such text has to pass. */
import { execFileSync } from "node:child_process";
import type { Run, TestStack } from "./stack";

/** The errors of a run, each once, without the engine's words on which resource has the problem. */
export function errorsOf(run: Run): string[] {
  const errors = run.diagnostics.filter(({ severity }) => severity === "error");
  return [...new Set(errors.map(({ message }) => message.replace(/^.* has a problem: /, "")))];
}

/** Whatever is wrong with how a text reads: stack traces, doubled prefixes, objects that were printed as such. */
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

/** A secret in every spelling in which it could come back. */
export function spellingsOf(secret: string): string[] {
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

/** Which secrets stand in clear in the texts, as `where: secret`. */
export function leaksIn(places: { readonly [where: string]: string }, secrets: readonly string[]): string[] {
  return Object.entries(places).flatMap(([where, text]) =>
    secrets
      .filter((secret) => spellingsOf(secret).some((spelling) => text.includes(spelling)))
      .map((secret) => `${where}: ${secret}`),
  );
}

/** Everything that runs have written and shown. */
export function placesOf(stack: TestStack, ...runs: Run[]): { [where: string]: string } {
  // The SDK's own debug messages hold the answers that the program itself gets, in clear; nobody sees them.
  const isDebug = (severity: string | undefined): boolean => severity === "debug";
  const events = runs.flatMap((run) => run.events.filter((e) => !isDebug(e.diagnosticEvent?.severity)));
  return {
    "state, history and backups": stack.filesOfState(),
    texts: runs.map(({ text }) => text).join("\n"),
    errors: runs.map(({ error }) => error ?? "").join("\n"),
    events: JSON.stringify(events),
  };
}

/** The state as `pulumi stack export` shows it; the Automation API asks for the secrets in clear. */
export function exported(stack: TestStack): string {
  return execFileSync("pulumi", ["stack", "export", "--stack", "test"], {
    cwd: stack.folder,
    env: { ...process.env, ...stack.environment },
    encoding: "utf8",
  });
}
