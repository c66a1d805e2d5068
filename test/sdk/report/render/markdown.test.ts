import fc from "fast-check";
import { type ReportVerdict, VERDICTS } from "../../../../sdk/report/model";
import { visible } from "../../../../sdk/report/render/escape";
import { planMarkdown, resultMarkdown } from "../../../../sdk/report/render/markdown";
import { cellsOf, read } from "../../../support/report/commonMark";
import {
  busy,
  deployment,
  hostileReport,
  hostileResult,
  large,
  reason,
  report,
} from "../../../support/report/handMadeReports";
import { HOSTILE, hostileText, UNSEEN } from "../../../support/report/hostileTexts";

const LIMIT = 65_535;

test("the headline says whether traffic moves, and gives the counts", () => {
  const first = (text: string) => text.split("\n").find((line) => line.startsWith("## "));
  expect(first(planMarkdown([large(15)]))).toBe(
    "## Traffic moves to newly built revisions: 3 new revisions, 3 may create one, 3 in place, 6 unchanged",
  );
  expect(first(planMarkdown([report([deployment("a", "in-place")])]))).toContain("No traffic moves");
  expect(first(planMarkdown([report([deployment("a", "may-create-revision")])]))).toContain("may move");
  expect(first(planMarkdown([report([])]))).toBe("## Nothing changes");
});

test("the heading of a failed preview does not claim that nothing changes or that no traffic moves", () => {
  const failure = "chat: newRevisions is forbid";
  const heading = (verdict?: ReportVerdict) => {
    const text = planMarkdown([report(verdict === undefined ? [] : [deployment("a", verdict)], { failure })]);
    expect(text).toContain(failure);
    return text.split("\n").find((line) => line.startsWith("## "));
  };
  expect(heading()).toBe("## The preview failed before it reached a change");
  for (const verdict of ["in-place", "create"] as const)
    expect(heading(verdict)).toMatch(
      /^## The preview failed before it reached a change of running traffic: 1 /,
    );
  expect(heading("new-revision")).toBe(
    "## The preview failed. As far as it got: Traffic moves to newly built revisions: 1 new revision",
  );
  for (const verdict of VERDICTS) expect(heading(verdict)).not.toMatch(/nothing changes|no traffic moves:/i);
});

test("if an up only waits for the revision of an earlier up, the heading says that traffic moves to that revision", () => {
  const waits = (latestStatus: string) =>
    planMarkdown([
      report([
        deployment("chat", "in-place", {
          previousFailure: true,
          revisions: { latestId: "r2", latestStatus, activeId: "r1" },
        }),
      ]),
    ]);
  expect(waits("CREATING")).toContain(
    "## Traffic moves to revisions that an earlier update began: 1 in place",
  );
  expect(waits("CREATING")).toContain("waits for the revision of that one");
  expect(waits("BUILD_FAILED")).toContain("## No traffic moves");
});

test("a short table comes before the warnings, except warnings that say why the plan cannot be applied", () => {
  const inOrder = (count: number, overrides: Parameters<typeof report>[1]) => {
    const all = Array.from({ length: count }, (_, index) => deployment(`chat-${index}`, "new-revision"));
    const text = planMarkdown([report(all, { warnings: ["look at this"], ...overrides })]);
    return text.indexOf("| deployment | change |") < text.indexOf("[!WARNING]");
  };
  expect(inOrder(2, {})).toBe(true);
  expect(inOrder(40, {})).toBe(false);
  expect(inOrder(2, { failure: "the key is wrong" })).toBe(false);
  expect(inOrder(2, { refusals: ['deployment "chat-1": the name is taken'] })).toBe(false);
});

test("a warning begins with its deployment's name, unless the warning's text already quotes the name", () => {
  const warnings = ["builds the branch release as it is", 'deployment "branch": is given up elsewhere'];
  const text = planMarkdown([report([deployment("branch", "new-revision", { warnings })])]);
  expect(text).toContain("> - `branch`: builds the branch release as it is\n");
  expect(text).toContain('> - deployment "branch": is given up elsewhere\n');
});

test("the markers of all stacks come first, then one headline, then a section for each stack", () => {
  const text = planMarkdown([report([deployment("a", "replace")], { stack: "shop/one" }), busy()]);
  expect(text).toMatch(
    /^<!-- deployment-control plan: shop\/one -->\n<!-- deployment-control plan: shop\/production -->\n## /,
  );
  expect(text.split("\n")[2]).toContain("3 may create one".replace("3", "1"));
  expect(text.match(/^### `shop\/(one|production)`$/gm)).toHaveLength(2);
});

test("a fold separates changes that make a revision from those that do not", () => {
  const text = planMarkdown([busy()]);
  const chat = text.slice(text.indexOf("<code>chat</code>"), text.indexOf("<code>research</code>"));
  const [makes, not] = chat.split("**Does not make a revision**");
  expect(makes).toContain("- registry.example.com/shop/chat:1.0.0\n+ registry.example.com/shop/chat:1.1.0");
  expect(not).toContain("sourceConfig.resourceSpec.minScale: in place\n- 1\n+ 2");
});

test("a row of the table shows the effect, the name and the changes, without the beginning that both values share", () => {
  const reasons = [
    reason(
      "sourceRevisionConfig.imageUri",
      "new-revision",
      "registry.example.com/chat:1.0.0",
      "registry.example.com/chat:1.1.0",
    ),
    reason("environment.LOG_LEVEL", "new-revision", "info", "debug"),
  ];
  const text = planMarkdown([report([deployment("chat", "new-revision", { reasons })])]);
  expect(text).toContain(
    "| ▲ **new revision** `chat` | `imageUri` `…:1.0.0` → `…:1.1.0`<br>`environment.LOG_LEVEL` `info` → `debug` |",
  );
  expect(text.trimEnd().split("\n").at(-1)).toBe("Plan `0123456789ab`");
});

test("take-overs without a change share one line, and the provider's other resources are named", () => {
  const warnings = ["takes over the existing deployment 3f9c; nothing in it changes"];
  const otherTypes = [
    { type: "pulumi:index:Stash", create: 0, update: 1, replace: 0, delete: 0, unchanged: 1 },
    {
      ...{
        type: "pulumi-nodejs:dynamic/deployment-control:Rollout",
        create: 1,
        update: 0,
        replace: 0,
        delete: 0,
      },
      ...{ unchanged: 0, changing: [{ name: "all", fate: "create" as const }] },
    },
  ];
  const same = ["a", "b"].map((name) => deployment(name, "unchanged", { warnings }));
  const text = planMarkdown([report(same, { others: otherTypes })]);
  expect(text).toContain("> - takes over 2 existing resources, and nothing in them changes: a, b\n");
  expect(text).not.toContain("3f9c");
  expect(text).toContain("all (Rollout): create\n");
  expect(text).toContain("pulumi:index:Stash: 1 update, 1 unchanged\n");
});

test("hostile names and values stay in their code spans and fences", () => {
  const holds = (text: string) => {
    for (const shown of [planMarkdown([hostileReport(text)]), resultMarkdown([hostileResult(text)])]) {
      expect(shown).not.toMatch(UNSEEN);
      const { prose, tags, rows } = read(shown);
      for (const row of rows) expect(row).toHaveLength((rows[0] as string[]).length);
      expect(tags.filter((tag) => tag === "<details>").length).toBe(
        tags.filter((tag) => tag === "</details>").length,
      );
      for (const tag of tags)
        expect(tag).toMatch(
          /^<(\/?(details|summary|code|br)>|!-- -->|!-- deployment-control (plan|result): [A-Za-z0-9._%/-]* -->)$/,
        );
      expect(withoutOurs(prose)).not.toMatch(/[@#$<&\\[\]]|\/\/|www\./);
    }
  };
  for (const text of HOSTILE) holds(text);
  fc.assert(fc.property(hostileText, holds), { numRuns: 150 });
});

test("a table's cell shows the deployment's exact name", () => {
  for (const name of HOSTILE.filter((each) => visible(each).length <= 60 && each !== "")) {
    const line = planMarkdown([hostileReport(name)])
      .split("\n")
      .find((each) => each.includes("▲ **new revision**"));
    expect(read(cellsOf(line as string)[0] as string).code.join("")).toBe(visible(name));
  }
});

/** The prose without the special characters of the report's own headings and alerts. */
const withoutOurs = (prose: string): string => prose.replace(/^#{2,3} /gm, "").replace("> [!WARNING]", "");

test.each([1, 20, 200, 600])(
  "%i moving deployments fit in a comment, which begins with the headline and the table",
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
    read(text);
    expect(text).toContain("| deployment | change |");
    expect(text.indexOf("± **replaced**")).toBeLessThan(text.indexOf("▲ **new revision**") >>> 0);
    if (count >= 200) expect(text).toMatch(/… and \d+ more changes/);
  },
);

test.each([2, 50, 300])("%i stacks fit in a comment", (count) => {
  const stacks = Array.from({ length: count }, (_, index) => ({
    ...busy(),
    stack: `shop/${index}-${"s".repeat(300)}`,
  }));
  const text = planMarkdown(stacks);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
  expect(text).toContain(`${2 * count} new revisions`);
  read(text);
});
