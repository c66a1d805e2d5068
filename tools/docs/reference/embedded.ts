/** The page of `pulumi-deployment-control/emulator`. */
import { membersOf, propertiesOf, proseOf, statementUsing } from "./declarations";
import { code, page, table } from "./markdown";

const FILES = {
  options: "sdk/emulator/behaviour.ts",
  controls: "sdk/emulator/control.ts",
  start: "sdk/emulator/index.ts",
};
const EXAMPLE = "examples/scripts/emulator.ts";

/** The path below `/_emulator/` is the first text of the operation. */
const pathOf = (signature: string): string => /operation\(\s*"(\w+)"/.exec(signature)?.[1] as string;

export function embeddedPage(): string {
  const options = [
    ...membersOf(FILES.options, "StartOptions"),
    ...propertiesOf(FILES.options, "behaviourRows"),
  ];
  return page(
    "# startEmulator",
    'A service that speaks the contract strictly, for tests: `import { startEmulator } from "pulumi-deployment-control/emulator"`. It needs no Pulumi and no network. [`deployment-control emulator`](emulator.md) is the same on the command line.',
    proseOf(FILES.start, "startEmulator"),
    "## Example",
    `Of [${EXAMPLE}](../../${EXAMPLE}), which the tests run:`,
    `\`\`\`ts\n${statementUsing(EXAMPLE, "export async function")}\n\`\`\``,
    "## Options",
    'All are optional. Those of the second table can be changed while it runs: `emulator.behaviour.patch = "replace"`.',
    listed(options.slice(0, -propertiesOf(FILES.options, "behaviourRows").length)),
    listed(propertiesOf(FILES.options, "behaviourRows")),
    "## What it gives",
    listed(membersOf(FILES.start, "Emulator")),
    "Beside these, what a test can do to the service that none of its callers can. From another process each is a `POST` of JSON to the path below `/_emulator/`; `POST behaviour` changes options there, `GET state` and `GET requests` show what the service has and was asked.",
    table(
      ["method", "path", "what it does"],
      propertiesOf(FILES.controls, "operations").map(({ name, signature, prose }) => [
        code(name),
        code(pathOf(signature)),
        prose,
      ]),
    ),
    "What `failNext` takes as `kind`: " +
      lowerFirst(proseOf("sdk/emulator/faults.ts", "Fault").replace(/^What goes wrong\.\s*/, "")),
  );
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const listed = (members: readonly { readonly name: string; readonly prose: string }[]): string =>
  table(
    ["name", "what it is"],
    members.map(({ name, prose }) => [code(name), prose]),
  );
