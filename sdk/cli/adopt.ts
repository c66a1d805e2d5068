/** `deployment-control adopt`: writes a project for an account, or compares the account with the states of stacks. */
import { existsSync } from "node:fs";
import path from "node:path";
import { connectionFrom, settingFrom } from "../../provider/run/configuration";
import { environmentName } from "../../provider/schema/naming";
import { keepSecret } from "../../provider/schema/secrecy";
import { CONFIGURATION_KEYS } from "../../provider/schema/settings";
import { previewOf, proofOf } from "../adopt/check";
import { compare } from "../adopt/compare/compare";
import { COMPARISON_FORMATS } from "../adopt/compare/show";
import { type AccountSnapshot, readAccount } from "../adopt/read/account";
import { type Criteria, selectionOf } from "../adopt/read/selection";
import { resourcesIn, type StackResource } from "../adopt/read/stack";
import { terraformIn } from "../adopt/read/terraform";
import { programOf } from "../adopt/write/program";
import { FORMATS, writeProject } from "../adopt/write/project";
import { pulumiOutput, stackArguments } from "../processes";
import { numberOf } from "../report/render/words";
import { type AdoptOptions, readAdoptFlags } from "./adoptFlags";
import { complain, say, sourceIn, stackConfiguration, writeOutput } from "./input";

/** Exit codes: 2 if the check finds changes or the comparison finds differences; 1 for bad input or failed previews. */
export async function runAdopt(args: readonly string[]): Promise<void> {
  const options = readAdoptFlags(args);
  if (options === undefined) return;
  if (options.mode === "compare") return compareAccount(options);
  const isThere = existsSync(path.join(options.folder, "Pulumi.yaml"));
  if (!options.check || !isThere) await writeAccount(options);
  else say(`${options.folder} already has a project, which is checked as it is`);
  if (options.check) checkProject(options);
}

async function writeAccount(options: AdoptOptions): Promise<void> {
  const { folder, format } = options;
  const writer = FORMATS[format as keyof typeof FORMATS];
  const criteria = await criteriaOf(options);
  const account = await accountOf(options);
  const selection = selectionOf(account, criteria);
  const program = programOf(account, selection);
  if (program.deployments.length === 0) {
    const [firstSkipped] = program.skipped;
    throw new Error(`nothing to adopt: ${firstSkipped?.name} (${firstSkipped?.id}): ${firstSkipped?.why}`);
  }
  const files = writeProject(folder, writer, program, {
    baseUrl: account.connection.baseUrl,
    terraform: program.deployments.flatMap(
      ({ id }) => selection.terraform.get(id.toLowerCase())?.address ?? [],
    ),
    previews: selection.previews,
    showsListeners: account.listeners !== undefined,
  });
  const skipped = program.skipped.length === 0 ? "" : `, ${program.skipped.length} not adopted`;
  say(
    `${folder}: ${numberOf(program.deployments.length, "deployment")} and ${numberOf(program.listeners.length, "listener")} written${skipped} (${files.join(", ")})`,
  );
  say(`${path.join(folder, "README.md")} lists what is left out and the next steps`);
}

function checkProject({ folder, stack }: AdoptOptions): void {
  const source = stackConfiguration(stack);
  // The preview runs on a separate stack, which lacks these settings.
  const settings = CONFIGURATION_KEYS.map((key) => [
    environmentName(key),
    settingFrom(source, process.env, key),
  ]);
  const environment = { ...process.env, ...Object.fromEntries(settings) };
  const { adopted, changes, failures } = proofOf(previewOf(folder, environment));
  changes.forEach(complain);
  for (const failure of failures) complain(`the preview failed: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
  else {
    say(`${adopted} adopted, ${numberOf(changes.length, "change")}`);
    if (changes.length > 0) process.exitCode = 2;
  }
}

async function compareAccount(options: AdoptOptions): Promise<void> {
  const resources = await statesOf(options);
  const criteria = await criteriaOf(options);
  const comparison = compare(await accountOf(options), resources, criteria);
  const table = COMPARISON_FORMATS[options.format as keyof typeof COMPARISON_FORMATS](comparison);
  writeOutput(table, options.out);
  if (comparison.rows.length > 0) process.exitCode = 2;
}

function accountOf({ connection: name, stack }: AdoptOptions): Promise<AccountSnapshot> {
  const connection = connectionFrom(stackConfiguration(stack), process.env, name);
  keepSecret(connection.secrets);
  return readAccount(connection);
}

async function criteriaOf({ criteria: wanted, terraform: file }: AdoptOptions): Promise<Criteria> {
  const terraform = file === undefined ? undefined : terraformIn(await sourceIn(file));
  return { ...wanted, terraform };
}

async function statesOf({ states, stack }: AdoptOptions): Promise<StackResource[]> {
  if (states.length > 0) return resourcesIn(await Promise.all(states.map(sourceIn)));
  const args = ["stack", "export", "--non-interactive", ...stackArguments(stack)];
  return resourcesIn([{ text: pulumiOutput(args, "--state"), name: "pulumi stack export" }]);
}
