/** Reads ids, names and plain variables from the output of `terraform show -json`. */
import { z } from "zod";
import { isProperties, isUuid, type Properties } from "../../../provider/schema/value";
import { checkDocument, documentsIn } from "../../report/read/documents";
import type { Source } from "./stack";

export interface TerraformResource {
  /** The address for Terraform's commands, such as `module.agents.provider_deployment.chat["eu"]`. */
  readonly address: string;
  readonly id: string;
  /** The resource's name in Terraform, without the type. The program may reuse the name. */
  readonly name: string;
  /** The deployment's plain variables by name, without variables that Terraform marks sensitive. */
  readonly variables: Properties;
}

interface Module {
  readonly resources?: readonly z.output<typeof resourceSchema>[] | null | undefined;
  readonly child_modules?: readonly Module[] | null | undefined;
}

const resourceSchema = z.looseObject({
  address: z.string(),
  mode: z.string().optional(),
  type: z.string().optional(),
  name: z.string().optional(),
  index: z.union([z.string(), z.number()]).nullish(),
  values: z.record(z.string(), z.unknown()).nullish(),
  sensitive_values: z.unknown().optional(),
});
const moduleSchema: z.ZodType<Module> = z.looseObject({
  resources: z.array(resourceSchema).nullish(),
  get child_modules() {
    return z.array(moduleSchema).nullish();
  },
});
const stateSchema = z.looseObject({
  format_version: z.string(),
  values: z.looseObject({ root_module: moduleSchema.optional() }).nullish(),
});

/** The resources whose id is a UUID. If the JSON is faulty, throws an Error that names the place of the fault. */
export function terraformIn({ text, name }: Source): TerraformResource[] {
  const [document, ...extraDocuments] = documentsIn(text, name, "the output of `terraform show -json`");
  if (extraDocuments.length > 0) throw new Error(`${name}: holds several documents; pass one state`);
  const { values } = checkDocument(stateSchema, document, `${name}: `);
  return resourcesIn(values?.root_module ?? {});
}

function resourcesIn({ resources, child_modules: children }: Module): TerraformResource[] {
  const moduleResources = (resources ?? []).flatMap((resource) => {
    const { address, mode, name, index, values } = resource;
    const id = values?.id;
    if (mode === "data" || typeof id !== "string" || !isUuid(id)) return [];
    const ownName = [name ?? address, index ?? []].flat().join("-");
    return [{ address, id: id.toLowerCase(), name: ownName, variables: variablesIn(resource) }];
  });
  return [...moduleResources, ...(children ?? []).flatMap(resourcesIn)];
}

const PLAIN = "environment_variables";

/** Returns no variables unless the Terraform provider's documentation says that the variables are plain. */
function variablesIn({ type, values, sensitive_values: marks }: z.output<typeof resourceSchema>): Properties {
  const variables = values?.[PLAIN];
  const sensitive = isProperties(marks) ? (marks[PLAIN] ?? {}) : (marks ?? {});
  if (type !== "langsmith_deployment" || !isProperties(variables) || !isProperties(sensitive)) return {};
  const isPlain = ([name, value]: [string, unknown]) =>
    typeof value === "string" && !Object.hasOwn(sensitive, name);
  return Object.fromEntries(Object.entries(variables).filter(isPlain));
}
