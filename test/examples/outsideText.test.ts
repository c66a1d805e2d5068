/** Runs the steps that print text from outside, and reads their output as the Actions runner does. */
import path from "node:path";
import { actionSteps } from "../support/recipes/action";
import { folderWith, shellIn, steps, workflows } from "../support/recipes/workflows";

const HOSTILE = ["::error::obeyed", "##[command]obeyed", "x ::add-mask::obeyed"];
const HOSTILE_COMMAND = `${HOSTILE.map((line) => `echo '${line}'; echo '${line}' >&2`).join("; ")}; exit "\${END:-0}"`;
/**
 * Stand-ins for the commands of a workflow. If a real command would print text from outside, its stand-in prints
 * commands to the runner.
 */
const OUTSIDE = {
  pulumi: HOSTILE_COMMAND,
  npx: HOSTILE_COMMAND,
  gh: `case "$1 $2" in
"run list") echo '[{"databaseId": 1, "conclusion": "success"}]' ;;
api*) echo '[{"merged_at": 1, "merge_commit_sha": "1", "head": {"sha": "2"}}]' ;;
*) ${HOSTILE_COMMAND} ;;
esac`,
};

/**
 * Reads the output of a step as the runner does. Returns the lines that the runner obeys as commands, and the tokens
 * that make the runner stop obeying commands.
 */
function readByRunner(output: string) {
  const tokens: string[] = [];
  let isStopped = false;
  const obeyed = output.split("\n").filter((line) => {
    const [, token] = /^::stop-commands::(.+)$/.exec(line) ?? [];
    if (isStopped) {
      isStopped = line !== `::${tokens.at(-1)}::`;
      return false;
    }
    if (token === undefined) return /::\w|##\[/.test(line);
    tokens.push(token);
    isStopped = true;
    return false;
  });
  return { obeyed, tokens, isStopped };
}

const outspoken = [
  ...workflows.flatMap((file) => steps(file).map((step) => ({ file, ...step }))),
  ...actionSteps.map((step) => ({ file: "action.yml", ...step })),
].flatMap(({ file, run = "" }) => (/pulumi (preview|up|refresh) |npx /.test(run) ? [{ file, run }] : []));

test.each(outspoken.flatMap((step) => ["0", "2"].map((END) => ({ ...step, END }))))(
  "$file: the runner obeys no command in text from outside if the step's commands exit with $END",
  ({ run, END }) => {
    expect(outspoken.length).toBeGreaterThan(6);
    const folder = folderWith(OUTSIDE);
    const environment = { RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: path.join(folder, "summary"), END };
    const readings = [1, 2].map(() => {
      const script = `exec 2>&1; touch report.md report.markdown; ${run}`;
      const { stdout } = shellIn(folder, "bash", script, { GITHUB_SHA: "1", ...environment });
      expect(stdout).toContain("obeyed");
      return readByRunner(stdout);
    });
    expect(readings).toEqual(
      [1, 2].map(() => ({ obeyed: [], tokens: [expect.any(String)], isStopped: false })),
    );
    const [[first = ""] = [], [second = ""] = []] = readings.map(({ tokens }) => tokens);
    expect([first.length >= 32, first === second]).toEqual([true, false]);
  },
);
