/** Reads ids and names from the output of `terraform show -json`. */
import { z } from "zod";
import { isUuid } from "../../../provider/fields/value";
import { checkDocument, documentsIn } from "../../report/read/documents";

/** A resource that Terraform manages. */
export interface TerraformResource {
  /** For Terraform's commands, such as `module.agents.provider_deployment.chat["eu"]`. */
  readonly address: string;
  readonly id: string;
  /** Terraform's name without the type; the program may reuse it. */
  readonly name: string;
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

/**
 * The resources, of any Terraform provider, whose ids may be those of deployments or listeners. Throws an Error with the
 * place of the fault.
 */
export function terraformIn(text: string, source: string): TerraformResource[] {
  // Terraform's state holds secrets in plaintext, so no error quotes it.
  const [document, ...extraDocuments] = documentsIn(
    text,
    source,
    "the output of `terraform show -json`",
    false,
  );
  if (extraDocuments.length > 0) throw new Error(`${source}: holds several documents; give one state`);
  const { values } = checkDocument(stateSchema, document, `${source}: `, false);
  return resourcesIn(values?.root_module ?? {});
}

function resourcesIn({ resources, child_modules: children }: Module): TerraformResource[] {
  const moduleResources = (resources ?? []).flatMap(({ address, mode, name, index, values }) => {
    const id = values?.id;
    if (mode === "data" || typeof id !== "string" || !isUuid(id)) return [];
    return [{ address, id: id.toLowerCase(), name: [name ?? address, index ?? []].flat().join("-") }];
  });
  return [...moduleResources, ...(children ?? []).flatMap(resourcesIn)];
}
