import { reportAfter } from "../../../support/goldens";

const warnings = (messages: readonly string[]) =>
  reportAfter("inPlace", ({ diagnostics }) =>
    diagnostics.push(...messages.map((message) => ({ urn: "", message, severity: "warning" }))),
  ).warnings;

test("the report leaves out the engine's warnings about the locations and versions of plugins", () => {
  const aboutMachine = [
    "warning: using pulumi-resource-deployment-control from $PATH at /opt/bin/pulumi-resource-deployment-control\n",
    "warning: using pulumi-language-nodejs from $PATH at /opt/bin/pulumi-language-nodejs expected /usr/bin/pulumi-language-nodejs\n",
    "warning: resource plugin deployment-control is expected to have version >=0.2.0, but has 0.1.0; the wrong version may be on your path, or this may be a bug in the plugin\n",
  ];
  expect(warnings(aboutMachine)).toEqual([]);
});

test("the report keeps the provider's warning about PULUMI_SKIP_CHECKPOINTS", () => {
  const words = "PULUMI_SKIP_CHECKPOINTS is set, so only the journal in";
  expect(warnings([`warning: ${words}\n`])).toEqual([words]);
});

const failureAfter = (severity: string, ...messages: string[]) =>
  reportAfter("mixed", (document) => {
    document.diagnostics = messages.map((message) => ({ severity, message }));
  }).failure;

test("an error that Pulumi's YAML host only prints counts as a failure of the preview", () => {
  const printed = [
    "\x1b[31mError\x1b[0m: Property imageUrl does not exist\n\n",
    "  on Pulumi.yaml line 7:\n\n",
  ];
  expect(failureAfter("info#err", ...printed)).toBe("Property imageUrl does not exist (Pulumi.yaml line 7)");
  expect(failureAfter("info#err", "Error: a caught error\n", "    at program.ts:1:1\n")).toBeNull();
});

test("if a Python program fails, the report shows the last line of the program's error", () => {
  const traceback =
    "Program failed: Traceback (most recent call last):\n  File a.py\nTypeError: no argument 'x'\n";
  expect(failureAfter("error", traceback)).toBe("TypeError: no argument 'x'");
  const exited = reportAfter("mixed", (document) => {
    document.diagnostics = [
      { severity: "info#err", message: "Traceback (most recent call last):\n" },
      { severity: "info#err", message: "ModuleNotFoundError: No module named 'pulumi'\n" },
      { severity: "error", message: "error: program exited with non-zero exit code: 1\n" },
    ];
  });
  expect(exited.failure).toBe(
    "program exited with non-zero exit code: 1: ModuleNotFoundError: No module named 'pulumi'",
  );
});

test("if the JSON does not say why the preview failed, the report names the command that shows the reason", () => {
  const failure = (...messages: string[]) => failureAfter("error", ...messages);
  expect(failure("error: preview failed\n")).toContain("Run pulumi preview without --json");
  expect(failure("error: no such image\n", "error: preview failed\n")).toBe("no such image");
});
