import vm from "node:vm";
import * as fc from "fast-check";
import { quoted } from "../../../../sdk/adopt/write/files";
import { hostileText, UNSEEN } from "../../../support/report/hostileTexts";

const wellFormed = hostileText.filter((text) => !/\p{Surrogate}/u.test(text));

test("a literal means the same string in JavaScript and JSON, and is one line with no invisible characters", () => {
  fc.assert(
    fc.property(wellFormed, (text) => {
      expect(vm.runInThisContext(quoted(text))).toBe(text);
      expect(JSON.parse(quoted(text))).toBe(text);
      expect(quoted(text)).not.toMatch(UNSEEN);
      expect(quoted(text)).not.toMatch(/[\n\u0085\u00a0]/);
    }),
    { numRuns: 500 },
  );
});

test("an invisible character above U+FFFF is written as two escapes", () => {
  expect(quoted("\u{e0041}")).toBe('"\\udb40\\udc41"');
});

test("a quoted name in a comment cannot end the line or begin a directive", () => {
  expect(quoted("@ts-ignore\n*/")).toBe('"@ts-ignore\\n*/"');
});
