/** Tests the Markdown with an independent renderer of GitHub Flavored Markdown. */
import fc from "fast-check";
import { visible } from "../../../../sdk/report/render/escape";
import { FORMATS } from "../../../../sdk/report/render/formats";
import { busy, hostileReport, hostileResult, mixed } from "../../../support/report/handMadeReports";
import { HOSTILE, hostileText } from "../../../support/report/hostileTexts";
import { escaped, foreignTagsIn, rendered, tagsIn } from "../../../support/report/renderedMarkdown";

const { plan: planMarkdown, result: resultMarkdown } = FORMATS.markdown;

const TEXTS = [...HOSTILE, ...fc.sample(hostileText, { numRuns: 120, seed: 1 })];
const plans = TEXTS.map((text) => planMarkdown([hostileReport(text)]));
const results = TEXTS.map((text) => resultMarkdown([hostileResult(text)]));
const pages = rendered([...plans, ...results, planMarkdown([busy()]), resultMarkdown([mixed()])]);
const pageOfPlan = (index: number) => pages[index] as string;

test("hostile text does not become a link, an image, a tag or a checkbox", () => {
  expect(pages.flatMap(foreignTagsIn)).toEqual([]);
  expect(pages.flatMap(tagsIn).length).toBeGreaterThan(10_000);
});

test("hostile text makes no heading, quote or list", () => {
  const skeleton = (page: string) => page.match(/<(?:h\d|blockquote|ul|details|table|pre)>/g)?.join("") ?? "";
  const harmless = rendered([
    planMarkdown([hostileReport("harmless")]),
    resultMarkdown([hostileResult("harmless")]),
  ]).map(skeleton);
  for (const [index] of TEXTS.entries()) {
    expect([index, skeleton(pageOfPlan(index))]).toEqual([index, harmless[0]]);
    expect([index, skeleton(pages[TEXTS.length + index] as string)]).toEqual([index, harmless[1]]);
  }
});

test("text that could be a mention or a reference appears only in code", () => {
  for (const page of pages) {
    const words = page.replace(/<code[^>]*>.*?<\/code>|<!--.*?-->|<[^>]*>/gs, " ").replace("[!WARNING]", "");
    expect(words).not.toMatch(/[@#$]|:\/\/|www\.|GH-\d|\b[0-9a-f]{7,40}\b/);
  }
});

test("every table row has as many cells as the header row, and the deployment's row shows the deployment's name", () => {
  for (const [index, text] of TEXTS.entries()) {
    for (const [page, count] of [
      [pageOfPlan(index), 2],
      [pages[TEXTS.length + index] as string, 2],
    ] as const) {
      const rows = page.match(/<tr>.*?<\/tr>/gs) ?? [];
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) expect(row.match(/<t[hd]>.*?<\/t[hd]>/gs) ?? []).toHaveLength(count);
    }
    const name = visible(text);
    if (name.trim() === "" || [...name].length > 72) continue;
    const [first = ""] =
      pageOfPlan(index).match(/(?<=<td>▲ <strong>new revision<\/strong> ).*?(?=<\/td>)/gs) ?? [];
    expect([index, first.replace(/<!-- -->|<\/?code>/g, "")]).toEqual([index, escaped(name)]);
  }
});
