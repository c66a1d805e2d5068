/** The page of `pulumi-deployment-control/testing`. */
import { membersOf, proseOf } from "./declarations";
import { memberTable, optionTable, page } from "./markdown";

const FILE = "sdk/testing/index.ts";
const VALUES = "sdk/testing/values.ts";
const FIXTURES = "sdk/testing/fixtures.ts";

export function mocksPage(): string {
  return page(
    "# mocks",
    'Mocks for the unit tests of a program: `import { mocks } from "pulumi-deployment-control/testing"`. [Test your own programs](../guides/test-your-programs.md) shows them at work.',
    proseOf(FILE, "mocks"),
    "## Options",
    optionTable([...membersOf(FIXTURES, "Given"), ...membersOf(FILE, "MocksOptions")]),
    "A deployment takes the fields of an entry of [getDeployments](get-deployments.md), a listener those of [getListeners](get-listeners.md), a repository those of [getRepositories](get-repositories.md). Of these only the `id` is required of a deployment and of a listener, and a deployment may have besides:",
    optionTable(membersOf(FIXTURES, "GivenDeployment").filter(({ name }) => name !== "id")),
    "## Values and refusals",
    `\`valueOf(output)\`: ${proseOf(VALUES, "valueOf")}`,
    `\`refusalOf(() => new Deployment(…))\`: ${proseOf(VALUES, "refusalOf")}`,
    "## planOf",
    `\`planOf(before, after, { configuration })\`: ${proseOf(FILE, "planOf")}`,
    memberTable(membersOf("sdk/testing/planned.ts", "PlannedUpdate")),
  );
}
