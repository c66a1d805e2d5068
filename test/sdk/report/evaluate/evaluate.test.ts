import { reportAfter } from "../../../support/goldens";

const warnings = (messages: readonly string[]) =>
  reportAfter("inPlace", ({ diagnostics }) =>
    diagnostics.push(...messages.map((message) => ({ urn: "", message, severity: "warning" }))),
  ).warnings;

test("the report leaves out the engine's warnings about the places and versions of plugins", () => {
  const aboutMachine = [
    "warning: using pulumi-resource-deployment-control from $PATH at /opt/bin/pulumi-resource-deployment-control\n",
    "warning: using pulumi-language-nodejs from $PATH at /opt/bin/pulumi-language-nodejs expected /usr/bin/pulumi-language-nodejs\n",
    "warning: resource plugin deployment-control is expected to have version >=0.2.0, but has 0.1.0; the wrong version may be on your path, or this may be a bug in the plugin\n",
  ];
  expect(warnings(aboutMachine)).toEqual([]);
});

test("the report keeps the engine's warning about the time at which the state is written", () => {
  const words = "PULUMI_SKIP_CHECKPOINTS is set, so only the journal in";
  expect(warnings([`warning: ${words}\n`])).toEqual([words]);
});

test("if the JSON does not say why the preview failed, the report names the command that shows the reason", () => {
  const failure = (...messages: string[]) =>
    reportAfter("mixed", (document) => {
      document.diagnostics = messages.map((message) => ({ severity: "error", message }));
    }).failure;
  expect(failure("error: preview failed\n")).toContain("Run pulumi preview without --json");
  expect(failure("error: no such image\n", "error: preview failed\n")).toBe("no such image");
});
