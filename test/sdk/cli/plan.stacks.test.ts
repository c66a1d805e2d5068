/** The command makes one report, one comment and one gate for the previews of many stacks. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { nothing, textOf } from "../../support/goldens";

const COMMAND = path.join(__dirname, "../../../dist/sdk/cli/main.js");
const folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-stacks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command on these previews, each in a file with the stack's name. */
function planOf(previews: { readonly [stack: string]: string }, ...args: readonly string[]) {
  const files = Object.entries(previews).map(([stack, text]) => {
    const file = `${stack}.json`;
    writeFileSync(path.join(folder, file), text);
    return file;
  });
  const ran = spawnSync(process.execPath, [COMMAND, "plan", ...args, ...files], {
    cwd: folder,
    encoding: "utf8",
  });
  return { code: ran.status, out: ran.stdout, errors: ran.stderr };
}

/** The recorded preview, changed into a preview of that stack. */
const as = (stack: string, text: string): string =>
  text.replaceAll("urn:pulumi:dev::", `urn:pulumi:${stack}::`);

const QUIET = Object.fromEntries(
  Array.from({ length: 18 }, (_, index) => [`q-${index}`, as(`q-${index}`, nothing())]),
);
const FLEET = { first: as("first", nothing()), busy: as("busy", textOf("inPlace")), ...QUIET };

test.each(["markdown", "text", "html"])("in %s, each stack has its own section", (format) => {
  const { code, out } = planOf(FLEET, "--format", format);
  expect(code).toBe(0);
  expect(out.match(/Nothing changes/g)).toHaveLength(19);
  for (const stack of Object.keys(QUIET)) expect(out).toContain(`agents/${stack}`);
  expect(out).toContain("sourceConfig.resourceSpec.minScale");
});

test("a comment begins with the same marker, whichever of the stacks change", () => {
  const first = (previews: { readonly [stack: string]: string }) =>
    planOf(previews, "--format", "markdown").out.split("\n")[0];
  expect(first(FLEET)).toBe("<!-- deployment-control plan: agents/first -->");
  expect(first({ ...FLEET, first: as("first", textOf("create")) })).toBe(first(FLEET));
});

test("a preview that printed nothing is reported as failed, with its file's name, and hides no other stack", () => {
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
