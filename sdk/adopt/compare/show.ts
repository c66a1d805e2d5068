/** Prints a comparison as one table, or as JSON. */
import { visible } from "../../report/render/escape";
import { aligned } from "../../report/render/terminal";
import { numberOf } from "../../report/render/words";
import type { ComparedRow, Comparison, FieldDifference } from "./compare";

export const COMPARISON_FORMATS: { readonly [F in "text" | "json"]: (comparison: Comparison) => string } = {
  text,
  json: (comparison) => `${JSON.stringify(comparison, null, 2)}\n`,
};

const HEADINGS = ["what", "name", "finding", "in the program", "id"] as const;

const cellsOf = ({ kind, name, finding, resources, id }: ComparedRow): string[] => [
  kind,
  name,
  finding,
  resources.join(", ") || "-",
  id,
];

function summaryOf({ rows, compared, baseUrl, elsewhere }: Comparison): string {
  const differ =
    rows.length === 0
      ? "the programs and the service agree"
      : `${rows.length} ${rows.length === 1 ? "differs" : "differ"}`;
  const elsewhereWords =
    elsewhere === 0
      ? ""
      : `; ${elsewhere} of the programs' resources are on other services or in other workspaces`;
  return `${baseUrl}: ${differ}, of ${numberOf(compared.deployments, "deployment")} and ${numberOf(compared.listeners, "listener")}${elsewhereWords}`;
}

/** One sentence about the arguments that were not compared; empty if the states show every value. */
function sealedLines({ sealed }: Comparison): string[] {
  if (sealed.length === 0) return [];
  const count = sealed.reduce((sum, { paths }) => sum + paths.length, 0);
  const names = sealed.map(({ resource, paths }) => `${resource} (${paths.join(", ")})`).join("; ");
  const what = numberOf(count, "secret argument");
  return [
    `not compared, because the state hides them: ${what} of ${names}. \`pulumi stack export --show-secrets\` shows them`,
  ];
}

function text(comparison: Comparison): string {
  const { rows } = comparison;
  const head = [summaryOf(comparison), ...sealedLines(comparison)].map(visible);
  if (rows.length === 0) return `${head.join("\n")}\n`;
  const [heading, ...lines] = aligned([[...HEADINGS], ...rows.map((row) => cellsOf(row).map(visible))]);
  const body = rows.flatMap((row, index) => [
    lines[index],
    ...row.fields.map((field) => `    ${fieldText(field)}`),
  ]);
  return `${[...head, "", heading, ...body].join("\n")}\n`;
}

const valueText = (value: unknown): string => (value === null ? "not set" : JSON.stringify(value));

const fieldText = ({ path, program, service }: FieldDifference): string =>
  visible(`${path}  program: ${valueText(program)}  service: ${valueText(service)}`);
