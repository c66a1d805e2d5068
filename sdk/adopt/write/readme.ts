/** Writes the project's README: what is adopted, what is left out and why, and the next steps. */
import { code, prose } from "../../report/render/escape";
import { numberOf } from "../../report/render/words";
import type { Format, Project } from "./files";
import type { LeftOut } from "./leftOut";
import type { DeploymentDeclaration, Program, Skipped } from "./program";

export interface Origin {
  readonly baseUrl: string;
  /** Addresses of the adopted deployments in Terraform's state. */
  readonly terraform: readonly string[];
  /** How many deployments are left out because the service made them for pull requests. */
  readonly previews: number;
  /** Whether the service lets this API key list listeners. */
  readonly showsListeners: boolean;
}

export function readme(program: Program, format: Format, project: Project, origin: Origin): string {
  const { deployments, listeners, skipped } = program;
  const count = numberOf(origin.previews, "preview deployment");
  const previews =
    origin.previews === 0 ? "" : ` Left out: ${count}, which the service makes and removes itself.`;
  const sections = [
    `# Adopted deployments\n\nWritten by \`deployment-control adopt\`, from ${code(origin.baseUrl)}: ${numberOf(deployments.length, "deployment")} and ${numberOf(listeners.length, "listener")}, as the service had them.${previews}`,
    format.steps(project),
    format.declares ? FIRST_PLAN : "",
    terraformSection(origin.terraform),
    ...(format.declares ? programSections(program, origin) : []),
    skippedSection(skipped),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

const programSections = (program: Program, origin: Origin): string[] => [
  variablesSection(program.deployments),
  unservedSection(program.deployments),
  leftOutSection(program.deployments),
  listenerSection(program, origin),
];

const FIRST_PLAN = `The engine calls each adoption a creation; the plan report says what it is: \`unchanged\`. The first \`pulumi up\` changes
nothing on the service. \`deployment-control adopt --check --out FOLDER\` proves it for this folder before a stack has it.

- Secrets are not declared: their values cannot be read, and what is not declared is left alone. To manage one secret, declare
  all secrets of its deployment at once in \`secrets\`, each from the configuration: \`pulumi config set --secret NAME\`.
- \`onDestroy: "retain"\` keeps each deployment running when its resource goes.
- Every value in the program ends up in your repository: look for keys in the environment of containers.`;

function terraformSection(addresses: readonly string[]): string {
  if (addresses.length === 0) return "";
  const lines = addresses.map((address) => `- ${code(address)}`);
  return `## First, in Terraform

Two tools must never manage one thing. Before the first \`pulumi up\`, remove each of these from Terraform's configuration, and
from its state with \`terraform state rm ADDRESS\`, which changes nothing on the service:

${lines.join("\n")}`;
}

function variablesSection(deployments: readonly DeploymentDeclaration[]): string {
  const declaring = deployments.filter(({ args }) => args.members.some(([name]) => name === "environment"));
  if (declaring.length === 0) return "";
  const lines = declaring
    .filter(({ secretNames }) => secretNames.length > 0)
    .map(({ naming, secretNames }) => `- ${code(naming.resource)}: ${secretNames.map(code).join(", ")}`);
  const list = lines.length === 0 ? [] : [TO_DECLARE, lines.join("\n")];
  return ["## Plain variables", BOTH_MAPS, ...list].join("\n\n");
}

const BOTH_MAPS = "The service keeps `environment` in one list with the secrets.";
const TO_DECLARE =
  "A change of `environment` sends the whole list of variables. Unless you first declare the following in `secrets`, the change removes them; the plan names each removal:";

function unservedSection(deployments: readonly DeploymentDeclaration[]): string {
  const unserved = deployments.filter(({ serves }) => !serves).map(({ naming }) => code(naming.resource));
  if (unserved.length === 0) return "";
  return `## Look at these first

The service shows the settings of the newest revision, and so does the program. In these deployments the newest revision is not
the active one, because it failed or is still being built: ${unserved.join(", ")}.`;
}

const WHY_SECRETS = "values cannot be read, and what is not declared is left alone";

function leftOutSection(deployments: readonly DeploymentDeclaration[]): string {
  const items = deployments.flatMap(({ naming, leftOut, secretNames }) => {
    const secrets = secretNames.map((name): LeftOut => ({ path: `secrets.${name}`, why: WHY_SECRETS }));
    return [...Map.groupBy([...secrets, ...leftOut], ({ why }) => why)].map(
      ([why, group]) =>
        `- ${code(naming.resource)}: ${group.map(({ path }) => code(path)).join(", ")}: ${reason(why)}`,
    );
  });
  return items.length === 0 ? "" : `## Left out\n\n${items.join("\n")}`;
}

/** A reason with quotes is easier to read as code. */
const reason = (why: string): string => (/["'`]/.test(why) ? code(why) : prose(why));

function skippedSection(skipped: readonly Skipped[]): string {
  const items = skipped.map(({ name, id, why }) => `- ${code(name)} (${code(id)}): ${reason(why)}`);
  return items.length === 0 ? "" : `## Not adopted\n\n${items.join("\n")}`;
}

function listenerSection({ listeners }: Program, { showsListeners }: Origin): string {
  if (!showsListeners)
    return "## Listeners\n\nThis key may not list listeners, so deployments refer to theirs by id.";
  if (listeners.length === 0) return "";
  return `## Listeners

They are read, not managed: a plan does not know the id of a listener before creating it, so it could not promise that the
deployments on it stay unchanged. To manage a listener too, also declare \`new Listener\` with its \`computeType\` and
\`computeId\`, which takes it over; the deployments keep using the one that is read.`;
}
