/** Which sources exist here, and which fields go with which source. */
import { isRecord, type JsonRecord, valueAt } from "./mergePatch";
import { type Detail, Refusal } from "./refusal";
import { isHosted, type Service } from "./service";

interface Asked {
  readonly isCreation: boolean;
  /** Source of the deployment. */
  readonly source: string;
  readonly body: JsonRecord;
  /** What is stored already. */
  readonly current?: { readonly source_config: JsonRecord; readonly source_revision_config: JsonRecord };
}

/** Refuses with 422 what the source or the hosting does not have. */
export function checkSource(service: Service, asked: Asked): void {
  const details = [
    ...hostingDetails(service, asked),
    ...referenceDetails(asked),
    ...(service.profile.checksBySource ? publishedDetails(asked) : []),
  ];
  if (details.length > 0) throw new Refusal(422, details);
}

function detail(path: string, msg: string): Detail {
  return { loc: ["body", ...path.split(".")], msg, type: "value_error" };
}

function hostingDetails(service: Service, { isCreation, source, body }: Asked): Detail[] {
  const field = isCreation ? "source" : "revision_source";
  const asked = isCreation ? source : body.revision_source;
  if (typeof asked !== "string" || isHosted(service, asked)) return [];
  return [detail(field, `${asked} is not available on ${service.behaviour.hosting} hosting`)];
}

function referenceDetails({ source, body }: Asked): Detail[] {
  if (body.secret_references == null || source === "external_docker") return [];
  return [detail("secret_references", `goes only with source external_docker, not ${source}`)];
}

const BUILT_FROM_PATH = ["github", "internal_source"];

function publishedDetails(asked: Asked): Detail[] {
  const { source, body } = asked;
  const path = "source_revision_config.langgraph_config_path";
  const hasPath = valueAt(body, path) != null;
  const isBuilt = BUILT_FROM_PATH.includes(source);
  const only = (field: string, holds: boolean, where: string) =>
    valueAt(body, field) != null && !holds ? [detail(field, `goes only with ${where}, not ${source}`)] : [];
  return [
    ...(asked.isCreation && isBuilt && !hasPath ? [detail(path, `is required for source ${source}`)] : []),
    ...only(path, isBuilt, "sources that are built"),
    ...only("source_config.resource_spec", source === "external_docker", "source external_docker"),
    ...only("source_config.custom_url", source === "external_docker", "source external_docker"),
    ...tagDetails(asked),
    ...boundDetails(body),
  ];
}

function tagDetails({ body, current }: Asked): Detail[] {
  const effective = (path: string) => valueAt(body, path) ?? valueAt(current, path);
  const ref = effective("source_revision_config.repo_ref");
  const isTag = typeof ref === "string" && ref.startsWith("refs/tags/");
  if (!isTag || effective("source_config.build_on_push") !== true) return [];
  return [detail("source_config.build_on_push", "must be false when repo_ref is a tag")];
}

const REQUESTS = ["cpu", "queue_cpu", "redis_cpu"];

function boundDetails(body: JsonRecord): Detail[] {
  const spec = valueAt(body, "source_config.resource_spec");
  if (!isRecord(spec)) return [];
  const bounds = REQUESTS.flatMap((name) => [[name, 8] as const, [`${name}_limit`, 16] as const]);
  return bounds.flatMap(([name, most]) => {
    const value = spec[name];
    if (typeof value !== "number" || (value >= 0.1 && value <= most)) return [];
    return [detail(`source_config.resource_spec.${name}`, `must be between 0.1 and ${most}`)];
  });
}
