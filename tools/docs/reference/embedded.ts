/** The page of `pulumi-deployment-control/emulator`. */
import { exampleUsing, membersOf, propertiesOf, proseOf } from "./declarations";
import { memberTable, optionTable, page } from "./markdown";

const FILES = {
  options: "sdk/emulator/behaviour.ts",
  controls: "sdk/emulator/control.ts",
  faults: "sdk/emulator/faults.ts",
  start: "sdk/emulator/index.ts",
};
const EXAMPLE = "examples/scripts/emulator.ts";

export function embeddedPage(): string {
  return page(
    "# startEmulator",
    'A service that implements the contract strictly, for tests: `import { startEmulator } from "pulumi-deployment-control/emulator"`. It needs no Pulumi and no network. [`deployment-control emulator`](emulator.md) is the same on the command line.',
    proseOf(FILES.start, "startEmulator"),
    "## Example",
    `From [${EXAMPLE}](../../${EXAMPLE}), which the tests run:`,
    `\`\`\`ts\n${exampleUsing(EXAMPLE, "export async function")}\n\`\`\``,
    "## Options",
    'All are optional. Those of the second table can be changed while it runs: `emulator.behaviour.patch = "replace"`.',
    optionTable([...propertiesOf(FILES.options, "startRows"), ...membersOf(FILES.options, "LogOption")]),
    optionTable(propertiesOf(FILES.options, "behaviourRows")),
    "## What it gives",
    memberTable(membersOf(FILES.start, "Emulator")),
    "A test can also do to the service what none of its callers can:",
    memberTable(propertiesOf(FILES.controls, "operations")),
    "## Faults",
    proseOf(FILES.faults, "Fault").replace(
      /^A fault to inject\.\s*/,
      "The kinds of fault that `failNext` takes. ",
    ),
  );
}
