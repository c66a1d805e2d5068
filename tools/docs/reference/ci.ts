/** The page of the GitHub Action and the GitLab component, made from the files that declare their inputs. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { code, page, table, withDefault } from "./markdown";

const ROOT = path.join(__dirname, "../../..");
export const ACTION = ".github/actions/deployment-control/action.yml";
export const COMPONENT = "examples/ci/gitlab/templates/deployment-control/template.yml";
const { loadAll } = createRequire(__filename)("js-yaml") as { loadAll(text: string): unknown[] };

interface Described {
  readonly description: string;
}
interface Input extends Described {
  readonly default?: string | number;
}
type Inputs = Readonly<Record<string, Input>>;

/** In a component's file, the first of several YAML documents declares the inputs. */
const first = (file: string): unknown => loadAll(readFileSync(path.join(ROOT, file), "utf8"))[0];

export function ciPage(): string {
  const action = first(ACTION) as { inputs: Inputs; outputs: Readonly<Record<string, Described>> };
  const { spec } = first(COMPONENT) as { spec: { inputs: Inputs } };
  return page(
    "# The action and the component",
    "The inputs of the [GitHub Action](../../.github/actions/deployment-control/action.yml) and of the [GitLab component](../../examples/ci/gitlab/templates/deployment-control/template.yml). [The recipes](../../examples/ci) use both.",
    "## Inputs of the action",
    inputTable(action.inputs),
    "## Outputs of the action",
    table(
      ["output", "what it is"],
      Object.entries(action.outputs).map(([name, { description }]) => [code(name), description]),
    ),
    "## Inputs of the component",
    inputTable(spec.inputs),
  );
}

/**
 * An input without a default is required. If the default is empty, the description may say what an empty input means.
 */
const inputTable = (inputs: Inputs): string =>
  table(
    ["input", "what it is", "default"],
    Object.entries(inputs).map(([name, { description, default: initial }]) => {
      const words = withDefault(`${description}.`);
      const shown =
        initial === undefined ? "required" : initial === "" ? words.initial : code(`${initial}`.trim());
      return [code(name), words.prose.slice(0, -1), shown];
    }),
  );
