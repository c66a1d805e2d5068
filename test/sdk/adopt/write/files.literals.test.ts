import vm from "node:vm";
import * as fc from "fast-check";
import * as yaml from "js-yaml";
import { javaScriptText, pythonText, quotedNames, yamlText } from "../../../../sdk/adopt/write/files";
import { hostileText, UNSEEN } from "../../../support/report/hostileTexts";

const wellFormed = hostileText.filter((text) => !/\p{Surrogate}/u.test(text));

test("a literal means the same text in JavaScript, JSON and YAML, on one line without invisible characters", () => {
  fc.assert(
    fc.property(wellFormed, (text) => {
      expect(vm.runInThisContext(javaScriptText(text))).toBe(text);
      expect(JSON.parse(javaScriptText(text))).toBe(text);
      expect(yaml.load(yamlText(text))).toBe(text);
      for (const literal of [javaScriptText(text), pythonText(text), yamlText(text)]) {
        expect(literal).not.toMatch(UNSEEN);
        expect(literal).not.toMatch(/[\n\u0085\u00a0]/);
      }
    }),
    { numRuns: 500 },
  );
});

test("a character above U+FFFF is written as one escape in Python and YAML, and as two in JavaScript", () => {
  expect(pythonText("\u{e0041}\u2028")).toBe('"\\U000e0041\\u2028"');
  expect(yamlText("\u{e0041}")).toBe('"\\U000e0041"');
  expect(javaScriptText("\u{e0041}")).toBe('"\\udb40\\udc41"');
});

test("names in a comment cannot end the line or begin a directive", () => {
  expect(quotedNames(["A", "@ts-ignore\n*/"])).toBe('"A", "@ts-ignore\\n*/"');
});
