import fc from "fast-check";
import { FORMATS } from "../../../../sdk/report/render/formats";
import {
  busy,
  deployment,
  hostileReport,
  hostileResult,
  large,
  report,
} from "../../../support/report/handMadeReports";
import { HOSTILE, hostileText, UNSEEN } from "../../../support/report/hostileTexts";

const { plan: planPage, result: resultPage } = FORMATS.html;

const TAGS =
  /^<(!DOCTYPE html|\/?(html|head|meta|title|style|body|main|header|section|div|h[123]|p|ul|li|b|span|strong|code|dl|dt|dd|details|summary|table|thead|tbody|tr|th|td|svg|desc|g|rect|text|path)\b[^<>]*)>$/;

test("a page contains nothing that a browser could run or fetch, and its Content-Security-Policy forbids both", () => {
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

test("the picture of a large stack shows changed deployments as cards and unchanged ones as tiles", () => {
  const picture = planPage([large(240)]).match(/<svg [\s\S]*?<\/svg>/)?.[0] as string;
  expect(picture.match(/class="moving/g)).toHaveLength(6);
  expect(picture.match(/class="slim/g)).toHaveLength(3);
  expect(picture.match(/class="tile"/g)).toHaveLength(231);
  const everything = report(
    Array.from({ length: 300 }, (_, index) => deployment(`d-${index}`, "new-revision")),
  );
  const height = Number(/<svg viewBox="0 0 1160 (\d+)"/.exec(planPage([everything]))?.[1]);
  expect(height).toBeLessThan(2_000);
});

test("each of two stacks has its own section, picture and ids, and each picture's aria-labelledby names its title and text", () => {
  const page = planPage([busy(), { ...large(20), stack: "shop/staging" }]);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(page.match(/<section /g)).toHaveLength(2);
  const names = [...page.matchAll(/ aria-labelledby="(\S+) (\S+)"/g)].flatMap(([, title, text]) => [
    title,
    text,
  ]);
  expect(names).toHaveLength(4);
  expect(ids).toEqual(expect.arrayContaining(names));
});
