import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { digestMismatches, reportsIn } from "../../../sdk/report/evaluate/expect";
import {
  changed,
  eventsOf,
  fileOf,
  type Loose,
  nothing,
  reportOf,
  stepOf,
  textOf,
} from "../../support/goldens";
import { UNSEEN } from "../../support/report/hostileTexts";

const COMMAND = path.join(__dirname, "../../../dist/sdk/cli/main.js");
const folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-plan-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function plan(args: readonly string[], input: string | Buffer = "", profile = "") {
  const env = { ...process.env, DEPLOYMENT_CONTROL_PROFILE: profile };
  const ran = spawnSync(process.execPath, [COMMAND, "plan", ...args], {
    input,
    env,
    encoding: "utf8",
    cwd: folder,
  });
  return { code: ran.status, out: ran.stdout, errors: ran.stderr };
}
const preview = (name: string) => fileOf("previews", `${name}.json`);

test("the JSON is an object for one stack and an array for several, from files or from standard input", () => {
  expect(JSON.parse(plan(["--format", "json"], textOf("mixed")).out)).toEqual(
    JSON.parse(JSON.stringify(reportOf("mixed"))),
  );
  const other = textOf("create").replaceAll("urn:pulumi:dev::", "urn:pulumi:prod::");
  writeFileSync(path.join(folder, "prod.json"), other);
  const both = plan(["--format", "json", preview("mixed"), "prod.json"]);
  expect(JSON.parse(both.out).map((report: { stack: string }) => report.stack)).toEqual([
    "agents/dev",
    "agents/prod",
  ]);
  expect(plan(["--format", "json", "-", "prod.json"], textOf("mixed")).out).toBe(both.out);
  expect(plan([preview("mixed"), preview("create")])).toMatchObject({
    code: 1,
    errors: expect.stringContaining("same stack, agents/dev"),
  });
});

test("the command reads a preview in UTF-16, which old versions of PowerShell write", () => {
  const bytes = Buffer.from(`\ufeff${textOf("create")}`, "utf16le");
  expect(plan(["--format", "json"], bytes)).toMatchObject({
    code: 0,
    out: plan(["--format", "json"], textOf("create")).out,
  });
});

test("the command reads its whole input, even if the input arrives late or in pieces, or is larger than a pipe's buffer", async () => {
  expect(textOf("fleet").length).toBeGreaterThan(200_000);
  for (let round = 0; round < 3; round += 1)
    expect(plan([], textOf("fleet"))).toMatchObject({ code: 0, errors: "" });
  const late = spawn(process.execPath, [COMMAND, "plan"], { stdio: ["pipe", "pipe", "inherit"] });
  late.stdin.write(textOf("mixed").slice(0, 1000));
  late.stdout.resume();
  setTimeout(() => late.stdin.end(textOf("mixed").slice(1000)), 400);
  expect(await once(late, "close")).toEqual([0, null]);
});

test("bytes that are not UTF-8 text are refused, and the error names their place", () => {
  const bytes = Buffer.from(textOf("mixed"));
  bytes[bytes.indexOf("\n", 100) + 3] = 0xff;
  const { code, errors } = plan([], bytes);
  expect(errors).toMatch(
    /^deployment-control: standard input, line \d+, column 3: expected text in UTF-8, found other bytes\n$/,
  );
  expect(code).toBe(1);
  expect(plan([], Buffer.from(`\ufeff${textOf("create").replaceAll("\n", "\r\n")}`)).code).toBe(0);
});

test("an error that quotes the input escapes control characters", () => {
  const { code, errors } = plan([], '{"\u009b31m\u202e": 1}');
  expect(errors).toMatch(/\\u202e/);
  expect(errors).not.toMatch(UNSEEN);
  expect(code).toBe(1);
});

test("an unknown profile in a preview is refused, and the error names the input with the profile", () => {
  const text = changed("mixed", (document) => {
    stepOf(document, "revised").newState.inputs.__plan.profile = "other";
  });
  expect(plan([], text)).toMatchObject({
    code: 1,
    errors: 'deployment-control: standard input: profile: got "other"; allowed: contract, langsmith\n',
  });
});

test("for a plan whose update would always fail, the command exits with 1, and the error and the report say why and what to change", () => {
  const text = changed("langsmith", (document) => {
    stepOf(document, "moved").oldState.retainOnDelete = true;
  });
  const { code, errors, out } = plan([], text);
  const words =
    'the update would fail: deployment "moved": keeps the name "agents-moved" when it is replaced';
  expect([code, errors]).toEqual([1, expect.stringContaining(words)]);
  expect(errors).toContain("Change name too");
  expect(out).toMatch(/^The update would fail\. As far as it gets: /m);
  expect(out.replace(/\s+/g, " ")).toContain(words);
});

test("if a gate fails, the command exits with 2, names every offender, and still prints the report", () => {
  const gated = plan(["--fail-on", "new-revision,replace", "--fail-on", "may", preview("mixed")]);
  expect(gated.code).toBe(2);
  expect(gated.out).toBe(plan([preview("mixed")]).out);
  for (const name of ["revised", "renamed", "keyed"])
    expect(gated.errors).toContain(`deployment "${name}": `);
  const allowed = plan([
    "--fail-on",
    "new-revision, replace, may",
    "--allow",
    "revised, renamed, keyed",
    preview("mixed"),
  ]);
  expect(allowed).toMatchObject({ code: 0, errors: "" });
});

test("for a failed preview, the command exits with 1, and still prints the report and the reason", () => {
  const failed = plan(["--format", "json", preview("forbidden")]);
  expect(failed.code).toBe(1);
  expect(failed.errors).toContain(
    'the preview failed: deployment "chat": its argument newRevisions is "forbid"',
  );
  expect(JSON.parse(failed.out)).toMatchObject({ failure: expect.any(String), summary: { inPlace: 1 } });
});

test("--expect accepts a reviewed report only while the plan is still the same", () => {
  const written = plan(["--out", "reviewed.json", preview("mixed")]);
  expect(written).toMatchObject({ code: 0, out: "" });
  expect(plan(["--expect", "reviewed.json", preview("mixed")]).code).toBe(0);
  const changed = plan(["--expect", "reviewed.json"], textOf("mixed").replaceAll("1.1.0", "1.2.0"));
  expect(changed.code).toBe(2);
  expect(changed.errors).toContain("--expect: the plan is no longer the one that was reviewed");
  expect(changed.errors).toContain('deployment "revised": no longer sourceRevisionConfig.imageUri');
  writeFileSync(path.join(folder, "forged.json"), JSON.stringify({ ...reportOf("mixed"), others: [] }));
  expect(plan(["--expect", "forged.json", preview("mixed")])).toMatchObject({
    code: 2,
    errors: expect.stringContaining("the reviewed report does not match its own digest"),
  });
});

const FORGERIES: readonly (readonly [title: string, forge: (report: Loose) => unknown])[] = [
  ["a changed reason", (report) => (report.deployments[0].reasons[0].after = "other")],
  [
    "a changed verdict",
    (report) => (report.deployments.find((each: Loose) => each.name === "revised").verdict = "in-place"),
  ],
  ["a missing deployment", (report) => report.deployments.shift()],
  ["changed counts of other resources", (report) => (report.others = [])],
  ["changed operations", (report) => (report.operations = reportOf("create").operations)],
  ["a changed summary", (report) => (report.summary.newRevision = 0)],
  ["an added reason why the update would fail", (report) => (report.refusals = ["none"])],
];

test.each(FORGERIES)("a reviewed report that does not match its digest is refused: %s", (_title, forge) => {
  const report = JSON.parse(JSON.stringify(reportOf("mixed")));
  forge(report);
  expect(digestMismatches(reportsIn(JSON.stringify(report), "forged.json"))).toEqual([
    "stack agents/dev: the reviewed report does not match its own digest: it was changed, or another version made it. Make it again from the reviewed preview",
  ]);
});

test("with --result, the command exits with 2 if the plan was wrong", () => {
  expect(plan([preview("mixed"), "--result", fileOf("results", "mixed.up.jsonl")]).code).toBe(0);
  const wrong = plan([
    preview("langsmith"),
    "--format",
    "json",
    "--result",
    fileOf("results", "langsmith.events.jsonl"),
  ]);
  expect(wrong.code).toBe(2);
  expect(wrong.errors).toContain('deployment "titled": planned in-place, but: new-revision');
  expect(JSON.parse(wrong.out)).toMatchObject({ wrong: 1 });
});

test("events at debug level cause a warning on standard error, and no format shows these events", () => {
  const canary = "canary-of-a-debug-event";
  const urn = stepOf(JSON.parse(textOf("mixed")), "revised").urn;
  const events = eventsOf("mixed")
    .split("\n")
    .filter((line) => !line.includes('"severity":"debug"'))
    .join("\n");
  const message = `RegisterResource RPC finished: resp: {"secrets":{"KEY":"${canary}"}}`;
  const debug = (more: object) =>
    `${JSON.stringify({ sequence: 900, timestamp: 1, diagnosticEvent: { severity: "debug", message, ...more } })}\n`;
  const words =
    "standard input: holds events at debug level, in which the engine writes the values of secrets in plaintext";
  const args = ["--result", "-", preview("mixed")];
  expect(plan(args, events).errors).toBe("");
  for (const format of ["text", "markdown", "html", "json"]) {
    const { code, out, errors } = plan(["--format", format, ...args], debug({}) + events + debug({ urn }));
    expect([code, errors]).toEqual([0, expect.stringContaining(words)]);
    expect(out + errors).not.toContain(canary);
  }
  const cut = plan(args, `${debug({ urn })}${events}${debug({ urn }).slice(0, -4)}`);
  expect([cut.code, cut.errors]).toEqual([1, expect.not.stringContaining(canary)]);
});

test("standard input may be the preview or a result, but not both", () => {
  for (const args of [
    ["--result", "-"],
    ["--result", "-", "-"],
    ["--result", "-", "--result", "-", "x.json"],
  ])
    expect(plan(args, "{}")).toMatchObject({
      code: 1,
      errors: expect.stringContaining("standard input can be read once"),
    });
});

test("an unknown profile in the environment is refused", () => {
  const { code, errors } = plan([preview("mixed")], "", "other");
  expect(errors).toContain('DEPLOYMENT_CONTROL_PROFILE: got "other"; allowed: "contract", "langsmith"');
  expect(code).toBe(1);
});

test.each([
  [
    ["--fail-on", "revision"],
    '--fail-on: got "revision"; allowed: "new-revision", "replace", "may", "delete", "previous-failure"',
  ],
  [["--fail-on", "", preview("mixed")], "--fail-on: is empty; allowed: new-revision"],
  [["--expect", "/dev/null", preview("mixed")], "/dev/null: is empty. Expected a report as"],
  [["--result", "/dev/null", preview("mixed")], "/dev/null: is empty. Expected the events of an up"],
  [["--format", "xml"], '--format: got "xml"; allowed: "text", "markdown", "html", "json"'],
  [["missing.json"], "missing.json: cannot be read"],
  [["--out", "no/such/folder", preview("mixed")], "--out no/such/folder: cannot be written"],
  [[preview("mixed"), "--result", fileOf("previews", "mixed.json")], "found no event"],
])("with the arguments %j, the command exits with 1, and the error says what is wrong", (args, words) => {
  const { code, errors } = plan(args, "{}");
  expect(errors).toContain(words);
  expect(code).toBe(1);
});

test.each([["--fail-on", "new-revision,may,replace,delete"], ["--expect", "kept.json"], []])(
  "for a preview with missing steps, the command exits with 1, and one sentence says what is missing: %s %s",
  (...args) => {
    const changing = ["create", "update", "replace", "delete"];
    const only = (isKept: (step: Loose) => boolean) =>
      changed("mixed", (document) => {
        document.steps = document.steps.filter(isKept);
      });
    const none = only(({ op }) => !changing.includes(op));
    writeFileSync(path.join(folder, "kept.json"), plan(["--format", "json"], none).out);
    const words = (operation: string, listed: number, counted: number) =>
      `agents/dev: the preview failed: its changeSummary counts ${counted} ${operation}, but it holds ${listed} of these steps: it was cut or filtered. Pass the whole output of \`pulumi preview --json\`\n`;
    expect(plan(args, none)).toMatchObject({ code: 1, errors: words("create", 0, 1) });
    const fewer = only(({ urn }) => !urn.endsWith("::keyed"));
    expect(plan(args, fewer)).toMatchObject({
      code: 1,
      errors: expect.stringContaining(words("update", 3, 4)),
    });
  },
);

test("a warning with several lines becomes one line in the report", () => {
  const document = JSON.parse(textOf("mixed"));
  const urn = document.steps.at(-1).urn;
  document.diagnostics.push({ urn, severity: "warning", message: "warning: first line\r\n  second line\n" });
  const input = JSON.stringify(document);
  for (const format of ["text", "markdown", "html"]) {
    const { out } = plan(["--format", format], input);
    expect(out).not.toMatch(/u000[ad]/);
    expect(out).toContain("first line second line");
  }
});

// The tests below pass the previews of many stacks to one command.

/** Runs the command on these previews, each in a file with the stack's name. */
function planOf(previews: { readonly [stack: string]: string }, ...args: readonly string[]) {
  const files = Object.entries(previews).map(([stack, text]) => {
    const file = `${stack}.json`;
    writeFileSync(path.join(folder, file), text);
    return file;
  });
  return plan([...args, ...files]);
}

/** The recorded preview, changed into a preview of that stack. */
const as = (stack: string, text: string): string =>
  text.replaceAll("urn:pulumi:dev::", `urn:pulumi:${stack}::`);

const QUIET = Object.fromEntries(
  Array.from({ length: 18 }, (_, index) => [`q-${index}`, as(`q-${index}`, nothing())]),
);
const FLEET = { first: as("first", nothing()), busy: as("busy", textOf("inPlace")), ...QUIET };

test.each(["markdown", "text", "html"])("in the format %s, each stack has its own section", (format) => {
  const { code, out } = planOf(FLEET, "--format", format);
  expect(code).toBe(0);
  expect(out.match(/Nothing changes/g)).toHaveLength(19);
  for (const stack of Object.keys(QUIET)) expect(out).toContain(`agents/${stack}`);
  expect(out).toContain("sourceConfig.resourceSpec.minScale");
});

test("the marker at the start of a comment does not depend on which stacks change", () => {
  const first = (previews: { readonly [stack: string]: string }) =>
    planOf(previews, "--format", "markdown").out.split("\n")[0];
  expect(first(FLEET)).toBe("<!-- deployment-control plan: agents/first -->");
  expect(first({ ...FLEET, first: as("first", textOf("create")) })).toBe(first(FLEET));
});

test("an empty preview is reported as failed under its file's name, and the report still shows the other stacks", () => {
  const { code, out, errors } = planOf({ ...FLEET, silent: "\n" }, "--format", "markdown");
  expect(code).toBe(1);
  expect(errors).toContain("(unknown, silent.json): the preview failed: it printed nothing");
  expect(out).toContain("### `(unknown, silent.json)`");
  expect(out).toContain("### `agents/busy`");
});

test("if two previews failed before they named their stacks, they count as two stacks", () => {
  const failed = JSON.stringify({ diagnostics: [{ severity: "error", message: "no such stack" }] });
  const { code, errors } = planOf({ ...FLEET, lost: failed, gone: failed });
  expect(code).toBe(1);
  for (const file of ["lost.json", "gone.json"])
    expect(errors).toContain(`(unknown, ${file}): the preview failed: no such stack`);
});

test("--fail-on names every offender together with its stack, and --expect names each stack that differs", () => {
  const previews = { ...FLEET, moved: as("moved", textOf("failed")) };
  const gate = planOf(previews, "--fail-on", "new-revision");
  expect(gate.code).toBe(2);
  expect(gate.errors).toMatch(
    /^--fail-on new-revision: 3 offenders\n {2}agents\/moved: deployment "first": /,
  );
  expect(planOf(previews, "--format", "json", "--out", "reviewed.json").code).toBe(0);
  expect(planOf(previews, "--expect", "reviewed.json").code).toBe(0);
  const { moved: _unplanned, ...fewer } = previews;
  const other = planOf({ ...fewer, added: as("added", textOf("create")) }, "--expect", "reviewed.json");
  expect(other.code).toBe(2);
  expect(other.errors).toContain("stack agents/added:\n  is planned, but was not reviewed");
  expect(other.errors).toContain("stack agents/moved:\n  was reviewed, but is not planned");
});
