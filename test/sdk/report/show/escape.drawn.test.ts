/** Reports with a random text in every place, in each format. */
import fc from "fast-check";
import { reportJson } from "../../../../sdk/report/show/escape";
import { FORMATS } from "../../../../sdk/report/show/formats";
import { hostileReport, hostileResult } from "../../../support/report/handMadeReports";
import { HOSTILE, hostileText, RUNNER_COMMAND, UNSEEN } from "../../../support/report/hostileTexts";

const COUNT = 5_000;
/** Stacks in one report. */
const AT_ONCE = 20;

/** The page's own style sheet is not text from outside. */
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
    refuse(FORMATS.text.plan(reports, { width: 80 }), "text of 80 columns");
    for (const values of [reports, results]) {
      const json = reportJson(values);
      refuse(json, "json");
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(values)));
    }
  }
});
