import fc from "fast-check";
import { GATES, offencesIn } from "../../../../sdk/report/evaluate/gates";
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
import { hostileReport, hostileResult } from "../../../support/report/handMadeReports";
import { HOSTILE, hostileText, RUNNER_COMMAND, UNSEEN } from "../../../support/report/hostileTexts";
import { escaped, rendered } from "../../../support/report/renderedMarkdown";

const TEXTS = [...HOSTILE, ...fc.sample(hostileText, { numRuns: 500, seed: 1 })];

/** Renders the Markdown that `write` makes from each string. */
function everyPage(write: (text: string) => string): (readonly [text: string, page: string])[] {
  const pages = rendered(TEXTS.map(write));
  return TEXTS.map((text, index) => [text, pages[index] as string]);
}

test("invisible characters and line breaks become escapes, and all other characters stay the same", () => {
  for (const text of TEXTS) {
    expect(visible(text)).not.toMatch(UNSEEN);
    expect(visible(text)).not.toContain("\n");
    expect(visible(visible(text))).toBe(visible(text));
  }
  expect(visible("a\u202eb\u0000\ud800é日")).toBe("a\\u202eb\\u0000\\ud800é日");
});

const shownCode = (text: string) => `<code>${escaped(text === "" ? '""' : visible(text))}</code>`;

test("a code span in a table cell shows the exact string, and does not split the cell", () => {
  for (const [text, page] of everyPage((text) => `| a | b |\n| - | - |\n| ${cellCode(text)} | next |`)) {
    const cells = page.replaceAll("</code><!-- --><code>", "").match(/<td>.*?<\/td>/gs);
    expect(cells).toEqual([`<td>${shownCode(text)}</td>`, "<td>next</td>"]);
  }
});

test("a code span outside a table shows the exact string", () => {
  for (const [text, page] of everyPage((text) => `${code(text)} next`))
    expect(page).toBe(`<p>${shownCode(text)} next</p>`);
});

test("a sentence keeps its words, and text that Markdown could interpret becomes a code span", () => {
  const squeeze = (words: string) => words.replace(/&quot;|\s/g, "");
  for (const [text, page] of everyPage(prose)) {
    const sentence = page.replace(/^<p>|<\/p>$/g, "");
    for (const word of sentence.replace(/<code>.*?<\/code>/gs, " ").split(/\s+/))
      expect(word).toMatch(/^(&quot;|\()*([A-Za-z0-9-]*|-&gt;|e\.g)(&quot;|[,.;:!?)])*$/);
    expect(squeeze(sentence.replace(/<\/?code>/g, ""))).toBe(squeeze(escaped(visible(text))));
  }
  expect(prose("ask @team about #12 first.")).toBe("ask `@team` about `#12` first.");
});

test("a code span covers all of the code, and nothing of the sentence around the code", () => {
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

test("the HTML of a string contains no tag and nothing that ends a quoted attribute", () => {
  for (const text of TEXTS) {
    expect(html(text)).not.toMatch(/[<>"']/);
    expect(html(text)).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
  }
});

test("a stack's marker is one HTML comment, whatever the stack's name is", () => {
  for (const text of TEXTS) {
    const comment = marker("plan", text);
    expect(comment).toMatch(/^<!-- deployment-control plan: [A-Za-z0-9._%/-]* -->$/);
    expect(comment.slice(4, -3)).not.toContain("--");
  }
  expect(marker("plan", "shop/production")).toBe("<!-- deployment-control plan: shop/production -->");
});

// The next test puts random strings into every part of a report, and renders the report in each format.

const COUNT = 5_000;
/** The number of stacks in one report. */
const AT_ONCE = 20;

/** The page without its style sheet. The style sheet contains no text from a program or from the service. */
const withoutStyle = (page: string): string => page.replace(/<style>.*?<\/style>/gs, "");

function refuse(text: string, format: string): void {
  const shown = withoutStyle(text);
  const [sign, command] = [UNSEEN.exec(shown), RUNNER_COMMAND.exec(shown)];
  if (sign === null && command === null) return;
  const { index } = (sign ?? command) as RegExpExecArray;
  throw new Error(`${format}: ${JSON.stringify(shown.slice(Math.max(0, index - 60), index + 60))}`);
}

test("no hostile string has an effect in a terminal or in the log of a CI runner, in any format", () => {
  const words = [...HOSTILE, ...fc.sample(hostileText, COUNT - HOSTILE.length)];
  for (let at = 0; at < words.length; at += AT_ONCE) {
    const batch = words.slice(at, at + AT_ONCE);
    const [reports, results] = [batch.map(hostileReport), batch.map(hostileResult)];
    for (const [name, { plan, result }] of Object.entries(FORMATS)) {
      refuse(plan(reports), name);
      refuse(result(results), name);
    }
    refuse(offencesIn(reports, { failOn: GATES, allow: [] }).join("\n"), "the gates");
    for (const values of [reports, results]) {
      const json = reportJson(values);
      refuse(json, "json");
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(values)));
    }
  }
});
