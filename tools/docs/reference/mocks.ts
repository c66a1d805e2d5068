/** The page of `pulumi-deployment-control/testing`. */
import { membersOf, proseOf } from "./declarations";
import { optionTable, page } from "./markdown";

const FILE = "sdk/testing/index.ts";
const VALUES = "sdk/testing/values.ts";
const PLANS = "sdk/testing/expectPlan.ts";

export function mocksPage(): string {
  return page(
    "# mocks",
    'Mocks for the unit tests of a program: `import { mocks } from "pulumi-deployment-control/testing"`. [Test your own programs](../guides/test-your-programs.md) shows them at work.',
    proseOf(FILE, "mocks"),
    "## Options",
    optionTable(membersOf(FILE, "MocksOptions")),
    "## Values and refusals",
    `\`valueOf(output)\`: ${proseOf(VALUES, "valueOf")}`,
    `\`refusalOf(() => new Deployment(…))\`: ${proseOf(VALUES, "refusalOf")}`,
    "## Plans",
    `\`expectPlan(preview)\`: ${proseOf(PLANS, "expectPlan")} ${proseOf(PLANS, "ExpectedPlan")} The methods are \`create\`, \`newRevision\`, \`mayCreateRevision\`, \`inPlace\`, \`replace\`, \`mayReplace\`, \`delete\` and, at the end, \`nothingElse\`. Each takes a name and, where arguments decide, their paths.`,
  );
}
