import { type ReportVerdict, VERDICTS } from "../../../../sdk/report/model";
import { FORMATS } from "../../../../sdk/report/render/formats";
import { busy, deployment, large, report } from "../../../support/report/handMadeReports";
import { HOSTILE } from "../../../support/report/hostileTexts";
import { foreignTagsIn, rendered } from "../../../support/report/renderedMarkdown";

const { plan: planMarkdown } = FORMATS.markdown;

const LIMIT = 65_535;

test("the headline says whether traffic moves, and gives the counts", () => {
  const first = (text: string) => text.split("\n").find((line) => line.startsWith("## "));
  expect(first(planMarkdown([large(15)]))).toBe(
    "## Traffic moves to newly built revisions: 3 new revisions, 3 may create one, 3 in place, 6 unchanged",
  );
  expect(first(planMarkdown([report([deployment("a", "in-place")])]))).toContain("No running traffic moves");
  expect(first(planMarkdown([report([deployment("a", "may-create-revision")])]))).toContain("may move");
  const reasons = [{ path: "sourceConfig.customUrl", effect: "in-place" as const, before: "a", after: "b" }];
  const moving = planMarkdown([report([deployment("a", "in-place", { reasons })])]);
  expect(first(moving)).toContain("No new revision, but an address changes");
  expect(first(planMarkdown([report([])]))).toBe("## Nothing changes");
});

test("the headline of a failed preview says that the preview failed, and says nothing about traffic", () => {
  const failure = "chat: newRevisions is forbid";
  const heading = (verdict?: ReportVerdict) => {
    const text = planMarkdown([report(verdict === undefined ? [] : [deployment("a", verdict)], { failure })]);
    expect(text).toContain(failure);
    return text.split("\n").find((line) => line.startsWith("## "));
  };
  expect(heading()).toBe("## The preview failed");
  for (const verdict of VERDICTS) expect(heading(verdict)).toMatch(/^## The preview failed: 1 [a-z ]+$/);
});

test("if an update in place follows a failed update, the headline says that traffic may move to the failed update's revision", () => {
  const waits = (previousFailure: boolean) =>
    planMarkdown([report([deployment("chat", "in-place", { previousFailure })])]);
  expect(waits(true)).toContain("## Traffic may move to revisions that an earlier update began: 1 in place");
  expect(waits(false)).toContain("## No running traffic moves");
});

test("a warning begins with its deployment's name, unless the warning's text already quotes the name", () => {
  const warnings = ["builds the branch release as it is", 'deployment "branch": is given up elsewhere'];
  const text = planMarkdown([report([deployment("branch", "new-revision", { warnings })])]);
  expect(text).toContain("> - branch: builds the branch release as it is\n");
  expect(text).toContain('> - deployment "branch": is given up elsewhere\n');
});

test("the markers of all stacks come first, then one headline, then a section for each stack", () => {
  const text = planMarkdown([report([deployment("a", "replace")], { stack: "shop/one" }), busy()]);
  expect(text).toMatch(
    /^<!-- deployment-control plan: shop\/one -->\n<!-- deployment-control plan: shop\/production -->\n## /,
  );
  expect(text.split("\n")[2]).toContain("1 may create one");
  expect(text.match(/^### `shop\/(one|production)`, plan `0123456789ab`$/gm)).toHaveLength(2);
});

test("other resources are counted by type, and types with a change come first", () => {
  const none = { create: 0, update: 0, replace: 0, delete: 0, unchanged: 0 };
  const others = [
    { ...none, type: "aws:s3/bucket:Bucket", unchanged: 2 },
    { ...none, type: "pulumi:index:Stash", update: 1, unchanged: 1 },
  ];
  expect(planMarkdown([report([], { others })])).toContain(
    "- other resources: `pulumi:index:Stash`: 1 update, 1 unchanged\n- other resources: `aws:s3/bucket:Bucket`: 2 unchanged\n",
  );
});

test.each([1, 20, 200, 600])(
  "a report on %i deployments fits in a comment, has the table, and lists the replacement before the revisions",
  (count) => {
    const many = report(
      Array.from({ length: count }, (_, index) =>
        deployment(`日本-${index}-${"n".repeat(50)}`, index === count - 1 ? "replace" : "new-revision", {
          reasons: HOSTILE.map((value, at) => ({
            path: `sourceRevisionConfig.${at}`,
            effect: "new-revision" as const,
            before: value,
            after: `${value}!`,
          })),
          warnings: ["a warning ".repeat(40)],
        }),
      ),
    );
    const text = planMarkdown([many]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(rendered([text]).flatMap(foreignTagsIn)).toEqual([]);
    expect(text).toContain("| deployment | change |");
    expect(text.indexOf("± **replaced**")).toBeLessThan(text.indexOf("▲ **new revision**") >>> 0);
    if (count >= 200) expect(text).toMatch(/… and \d+ more parts, too long for this place/);
  },
);

test.each([2, 50, 300])("a report on %i stacks fits in a comment", (count) => {
  const stacks = Array.from({ length: count }, (_, index) => ({
    ...busy(),
    stack: `shop/${index}-${"s".repeat(300)}`,
  }));
  const text = planMarkdown(stacks);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
  expect(text).toContain(`${2 * count} new revisions`);
  expect(rendered([text]).flatMap(foreignTagsIn)).toEqual([]);
});
