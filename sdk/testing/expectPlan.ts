/**
 * Plans as tests: asserts what a preview does to each deployment and listener, for jest, vitest or any other runner.
 */
import { evaluate } from "../report/evaluate/evaluate";
import {
  isDeployment,
  type Report,
  type ReportVerdict,
  type ResourceReport,
  resourcesIn,
} from "../report/model";
import { previewIn } from "../report/read/preview";
import { FORMATS } from "../report/render/formats";

/**
 * Reads the output of `pulumi preview --json --show-sames`, as a string or parsed. Throws an Error if the output is not
 * a preview, if the preview failed, or if the plan's update would fail.
 */
export const expectPlan = (preview: string | object): ExpectedPlan => new ExpectedPlan(preview);

/** Each method throws an Error with the plan's report if the plan differs from the expectation. */
export class ExpectedPlan {
  readonly #report: Report;
  readonly #expected = new Set<ResourceReport>();

  constructor(preview: string | object) {
    const text = typeof preview === "string" ? preview : JSON.stringify(preview);
    const report = evaluate(previewIn(text, "the preview"));
    this.#report = report;
    const [failure] = [report.failure, ...(report.refusals ?? [])].filter((words) => words !== null);
    if (failure !== undefined) throw new Error(`the plan fails: ${failure}`);
  }

  /** `name`: the resource's name in the program, or its URN if several resources have the name. */
  create(name: string): this {
    return this.#expect("create", name);
  }

  /** `paths`: the changes that make the revision, such as `sourceRevisionConfig.imageUri`; by default, any changes. */
  newRevision(name: string, paths?: readonly string[]): this {
    return this.#expect("new-revision", name, paths);
  }

  /** `paths`: the changes that may make a revision; by default, any changes. */
  mayCreateRevision(name: string, paths?: readonly string[]): this {
    return this.#expect("may-create-revision", name, paths);
  }

  /** `paths`: the changed arguments; by default, any arguments. */
  inPlace(name: string, paths?: readonly string[]): this {
    return this.#expect("in-place", name, paths);
  }

  /** `paths`: the changes that replace the resource; by default, any changes. */
  replace(name: string, paths?: readonly string[]): this {
    return this.#expect("replace", name, paths);
  }

  /** Expects that only the apply shows whether the resource is replaced. */
  mayReplace(name: string): this {
    return this.#expect("may-replace", name);
  }

  delete(name: string): this {
    return this.#expect("delete", name);
  }

  /** Expects every other deployment and listener to be unchanged, and no leftover of a replacement to be deleted. */
  nothingElse(): void {
    const isExpected = (each: ResourceReport) =>
      (this.#expected.has(each) || effectOf(each) === "unchanged") && !hasMore(each);
    const rest = resourcesIn(this.#report).filter((each) => !isExpected(each));
    if (rest.length > 0) this.#fail(`nothing else, but found ${rest.map(outlineOf).join("; ")}`);
  }

  #expect(effect: Effect, name: string, paths?: readonly string[]): this {
    const isMeant = (each: ResourceReport) => [each.name, each.urn].includes(name);
    const [resource, ...namesakes] = resourcesIn(this.#report).filter(isMeant);
    const expected = `${name}: ${wordsOf(effect, paths)}`;
    if (resource === undefined) return this.#fail(`${expected}, but no deployment or listener has this name`);
    if (namesakes.length > 0) return this.#fail(`${expected}, but several have this name: use the URN`);
    const hasPaths = paths === undefined || sorted(paths) === sorted(decidingPaths(resource));
    if (effectOf(resource) !== effect || !hasPaths)
      return this.#fail(`${expected}, but found ${outlineOf(resource)}`);
    this.#expected.add(resource);
    return this;
  }

  #fail(words: string): never {
    throw new Error(`expected ${words}\n\n${FORMATS.text.plan([this.#report])}`);
  }
}

type Effect = ReportVerdict | "may-replace";

const effectOf = ({ verdict, otherwise }: ResourceReport): Effect =>
  otherwise === undefined ? verdict : "may-replace";

/** Whether the plan does, or may do, more to the resource than its verdict says. */
const hasMore = (resource: ResourceReport): boolean =>
  resource.notUnderstood !== undefined ||
  (isDeployment(resource) && (resource.forbidden === true || resource.leftovers !== undefined));

/** The paths of the changes that decide the resource's verdict. For an update in place, the paths of all changes. */
const decidingPaths = ({ verdict, reasons }: ResourceReport): string[] =>
  reasons
    .filter(({ effect }) => effect === verdict || (verdict === "in-place" && effect === "kept"))
    .map(({ path }) => path);

const sorted = (paths: readonly string[]): string => JSON.stringify([...paths].sort());

const wordsOf = (effect: Effect, paths: readonly string[] = []): string =>
  `${effect.replaceAll("-", " ")}${paths.length === 0 ? "" : ` (${paths.join(", ")})`}`;

const outlineOf = (resource: ResourceReport): string =>
  `${isDeployment(resource) ? "" : "listener "}${resource.name}: ${wordsOf(effectOf(resource), decidingPaths(resource))}`;
