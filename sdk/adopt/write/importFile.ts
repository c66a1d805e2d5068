/** Writes the file for `pulumi import --file`, which uses the provider plugin. */
import { pluginTypeToken } from "../../../provider/fields/naming";
import type { Files, Format } from "./files";
import type { Program } from "./program";

function files({ listeners, deployments }: Program): Files {
  const resources = [
    ...listeners.map(({ naming, id }) => ({ type: pluginTypeToken("Listener"), name: naming.resource, id })),
    ...deployments.map(({ naming, id }) => ({
      type: pluginTypeToken("Deployment"),
      name: naming.resource,
      id,
    })),
  ];
  return { "import.json": `${JSON.stringify({ resources }, null, 2)}\n` };
}

const steps =
  (): string => `In the folder of a Pulumi project that has the provider plugin, with a stack and its settings:

\`\`\`sh
pulumi import --file PATH_OF_THIS_FOLDER/import.json --out imported.txt
\`\`\`

It prints the program's text for you to copy. Pulumi protects what it imports: remove \`protect\` from what you mean to
replace. Destroying an imported deployment does what \`onDestroy\` says; give \`onDestroy: "retain"\` to those that must stay.`;

export const importFile: Format = { files, steps };
