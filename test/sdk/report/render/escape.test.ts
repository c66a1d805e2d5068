import fc from "fast-check";
import {
  cellCode,
  code,
  html,
  marker,
  prose,
  reportJson,
  visible,
} from "../../../../sdk/report/render/escape";
import { FORMATS } from "../../../../sdk/report/render/formats";
import { cellsOf, read } from "../../../support/report/commonMark";
import { hostileReport, hostileResult } from "../../../support/report/handMadeReports";
import { HOSTILE, hostileText, RUNNER_COMMAND, UNSEEN } from "../../../support/report/hostileTexts";

const everywhere = (holds: (text: string) => void): void => {
  for (const text of HOSTILE) holds(text);
  // The tests' Markdown reader uses this character as a placeholder.
  const texts = hostileText.filter((text) => !text.includes("\uE000"));
  fc.assert(fc.property(texts, holds), { numRuns: 500 });
};

test("an invisible character becomes an escape on the same line, and all other characters stay", () => {
  everywhere((text) => {
    expect(visible(text)).not.toMatch(UNSEEN);
    expect(visible(text)).not.toContain("\n");
    expect(visible(visible(text))).toBe(visible(text));
  });
  expect(visible("a\u202eb\u0000\ud800é日")).toBe("a\\u202eb\\u0000\\ud800é日");
});

test("a code span in a table's cell shows exactly the text, in one cell", () => {
  everywhere((text) => {
    const cells = cellsOf(`| ${cellCode(text)} | next |`);
    expect(cells).toHaveLength(2);
    const shown = read(cells[0] as string);
    expect(shown.code).toEqual([text === "" ? '""' : visible(text)]);
    expect(shown.prose.trim()).toBe("\uE000".repeat(1 + (text.match(/\\(?=\|)/g)?.length ?? 0)));
  });
});

test("a code span outside a table shows exactly the text", () => {
  everywhere((text) => {
    expect(read(`- ${code(text)} next`)).toMatchObject({
      code: [text === "" ? '""' : visible(text)],
      prose: "- \uE000 next",
      tags: [],
    });
  });
});

test("a sentence keeps its words, and text that Markdown could interpret is code", () => {
  everywhere((text) => {
    const { prose: plain, code: spans } = read(prose(text));
    for (const word of plain.split(/[\s\uE000]+/))
      expect(word).toMatch(/^["(]*([A-Za-z0-9-]*|->|e\.g)[",.;:!?)]*$/);
    const squeeze = (words: string) => words.replace(/["\s]/g, "");
    const shown = [...spans].reduce(
      (all, span) => all.replace("\uE000", () => span),
      plain.replace(/\uE000(?=\uE000)/g, ""),
    );
    expect(squeeze(shown)).toBe(squeeze(visible(text)));
  });
  expect(prose("ask @team about #12 first.")).toBe("ask `@team` about `#12` first.");
});

test("code spans end where the code ends, not in the middle of the sentence", () => {
  expect(prose('updates in place (sourceConfig.buildCommand "make 0" -> "make 1").')).toBe(
    'updates in place (`sourceConfig.buildCommand` "make 0" -> "make 1").',
  );
  expect(prose('correct it, e.g. {"classes": {"name": "replace"}}')).toBe(
    'correct it, e.g. `{"classes": {"name": "replace"}}`',
  );
  expect(prose("revision 3f9c2a10-0000 (of main:1.0) serves")).toBe(
    "revision `3f9c2a10-0000` (of `main:1.0`) serves",
  );
});

test("the HTML of a text contains no tag and nothing that ends a quoted attribute", () => {
  everywhere((text) => {
    expect(html(text)).not.toMatch(/[<>"']/);
    expect(html(text)).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
  });
});

test("a stack's marker is one HTML comment, whatever the stack's name", () => {
  everywhere((text) => {
    const comment = marker("plan", text);
    expect(comment).toMatch(/^<!-- deployment-control plan: [A-Za-z0-9._%/-]* -->$/);
    expect(comment.slice(4, -3)).not.toContain("--");
  });
  expect(marker("plan", "shop/production")).toBe("<!-- deployment-control plan: shop/production -->");
});

// Reports with a random text in every place, in each format.

const COUNT = 5_000;
/** Stacks in one report. */
const AT_ONCE = 20;

/** The page without its style sheet. The style sheet contains no text of a program or of the service. */
const withoutStyle = (page: string): string => page.replace(/<style>.*?<\/style>/gs, "");

function refuse(text: string, format: string): void {
  const shown = withoutStyle(text);
  const [sign, command] = [UNSEEN.exec(shown), RUNNER_COMMAND.exec(shown)];
  if (sign === null && command === null) return;
  const { index } = (sign ?? command) as RegExpExecArray;
  throw new Error(`${format}: ${JSON.stringify(shown.slice(Math.max(0, index - 60), index + 60))}`);
}

test("no hostile text has an effect in a terminal or in the log of a CI runner, in any format", () => {
  const words = [...HOSTILE, ...fc.sample(hostileText, COUNT - HOSTILE.length)];
  for (let at = 0; at < words.length; at += AT_ONCE) {
    const batch = words.slice(at, at + AT_ONCE);
    const [reports, results] = [batch.map(hostileReport), batch.map(hostileResult)];
    for (const [name, { plan, result }] of Object.entries(FORMATS)) {
      refuse(plan(reports), name);
      refuse(result(results), name);
    }
    for (const values of [reports, results]) {
      const json = reportJson(values);
      refuse(json, "json");
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(values)));
    }
  }
});
