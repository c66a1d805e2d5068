/** Which sources exist here, and which fields go with which source. */
import { type JsonRecord, valueAt } from "./mergePatch";
import type { PublishedRules } from "./publishedRules";
import { type Detail, Refusal } from "./refusal";
import { isHosted, type Service } from "./service";
import { specDetails } from "./specRules";

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
  const rules = service.profile.published;
  const details = [
    ...hostingDetails(service, asked),
    ...referenceDetails(asked),
    ...(rules ? [...publishedDetails(asked, rules), ...specDetails(service, asked.body, rules)] : []),
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

/** Whose values the request sets: a revision may have another source than its deployment. */
function sourceOf(path: string, { source, body }: Asked): string {
  const other = path.startsWith("source_revision_config.") ? body.revision_source : undefined;
  return typeof other === "string" ? other : source;
}

function publishedDetails(asked: Asked, rules: PublishedRules): Detail[] {
  return [
    ...Object.entries(rules.sources).flatMap(([path, sources]) => strangerDetails(asked, path, sources)),
    ...(asked.isCreation
      ? Object.entries(rules.requiredFor).flatMap(([path, sources]) => missingDetails(asked, path, sources))
      : []),
    ...tagDetails(asked),
  ];
}

function strangerDetails(asked: Asked, path: string, sources: readonly string[]): Detail[] {
  const source = sourceOf(path, asked);
  if (valueAt(asked.body, path) == null || sources.includes(source)) return [];
  return [detail(path, `goes only with source ${sources.join(" or ")}, not ${source}`)];
}

function missingDetails({ source, body }: Asked, path: string, sources: readonly string[]): Detail[] {
  if (valueAt(body, path) != null || !sources.includes(source)) return [];
  return [detail(path, `is required for source ${source}`)];
}

function tagDetails({ body, current }: Asked): Detail[] {
  const effective = (path: string) => valueAt(body, path) ?? valueAt(current, path);
  const ref = effective("source_revision_config.repo_ref");
  const isTag = typeof ref === "string" && ref.startsWith("refs/tags/");
  if (!isTag || effective("source_config.build_on_push") !== true) return [];
  return [detail("source_config.build_on_push", "must be false when repo_ref is a tag")];
}
