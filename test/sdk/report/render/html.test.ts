import fc from "fast-check";
import { FORMATS } from "../../../../sdk/report/render/formats";
import { busy, hostileReport, hostileResult, large } from "../../../support/report/handMadeReports";
import { HOSTILE, hostileText, UNSEEN } from "../../../support/report/hostileTexts";

const { plan: planPage, result: resultPage } = FORMATS.html;

/** Every tag that a page may have. */
const TAGS =
  /^<(!DOCTYPE html|\/?(html|head|meta|title|style|body|main|header|section|div|h[123]|p|ul|li|b|span|strong|code|dl|dt|dd|details|summary|table|thead|tbody|tr|th|td)\b[^<>]*)>$/;

test("a page contains nothing that could run or be fetched, and tells the browser to run and fetch nothing", () => {
  const holds = (text: string) => {
    for (const page of [planPage([hostileReport(text)]), resultPage([hostileResult(text)])]) {
      expect(page).not.toMatch(UNSEEN);
      const tags = page.replace(/<style>[\s\S]*?<\/style>/, "").match(/<[^>]*>/g) as string[];
      for (const tag of tags) expect(tag).toMatch(TAGS);
      for (const tag of tags)
        expect(tag.replace(/"[^"]*"/g, "")).not.toMatch(/\s(on\w+|href|src|style|action)=/);
      expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
    }
  };
  for (const text of HOSTILE) holds(text);
  fc.assert(fc.property(hostileText, holds), { numRuns: 100 });
});

test("the page of two stacks has a section for each stack", () => {
  const page = planPage([busy(), { ...large(20), stack: "shop/staging" }]);
  expect(page.match(/<section aria-label="shop\/(production|staging)">/g)).toHaveLength(2);
});
