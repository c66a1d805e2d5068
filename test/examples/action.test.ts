/**
 * Runs the composite action as the Actions runner does. The reports are real; scripts stand in for the hosts and the
 * engine.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { textOf } from "../support/goldens";
import { type Ended, use } from "../support/recipes/action";
import { describeWith, folderWith, standIn } from "../support/recipes/workflows";

const COMMAND = path.join(__dirname, "..", "..", "dist", "sdk", "cli", "main.js");
const BASE = "7".repeat(40);
const TOKEN = "canary-of-the-token";
const SECRETS = ["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "DEPLOYMENT_CONTROL_API_KEY"];

const { where, suffix } = describeWith(["jq"]);

const MARKER = "<!-- deployment-control plan: agents/dev -->";

let folder = "";
const at = (...names: string[]): string => path.join(folder, ...names);

const command = (name: string, words: string): void => standIn(folder, name, words);

beforeEach(() => {
  folder = folderWith({});
  for (const name of ["work", "artifacts"]) mkdirSync(at(name));
  // Each stand-in records the names of the secrets in its environment.
  const noted = (name: string) =>
    `for each in GH_TOKEN ${SECRETS.join(" ")}; do eval "test -z \\"\\\${$each:-}\\"" || echo "${name} $each" >> "${at("seen")}"; done`;
  command("npm", `${noted("npm")}\necho "npm $*" >> "${at("commands")}"`);
  command(
    "npx",
    `${noted("npx")}
test ! -e "${at("real")}" || { shift 2; exec "${process.execPath}" "${COMMAND}" "$@"; }
while [ $# -gt 0 ]; do test "$1" != --out || case "$2" in
*.json) echo '{"failure": null, "deployments": []}' > "$2" ;;
*) echo '${MARKER}' > "$2" ;; esac; shift; done`,
  );
  command("pulumi", `${noted("pulumi")}\ncat "${at("fresh.json")}"`);
  for (const name of ["curl", "tar"]) command(name, `echo "${name} $*" >> "${at("commands")}"`);
  writeFileSync(at("comments.json"), "[]");
  command(
    "gh",
    `echo "gh $*" >> "${at("commands")}"
case "$*" in *--paginate*) cat "${at("comments.json")}" ;; esac
for word in "$@"; do case "$word" in body=@*) cp "\${word#body=@}" "${at("comment.md")}" ;; esac; done`,
  );
  writeFileSync(at("fresh.json"), textOf("mixed"));
});

/** From now on, the real command, not a stand-in, makes the report. */
const reallyReports = (): void => writeFileSync(at("real"), "");

const commands = (): string => (existsSync(at("commands")) ? readFileSync(at("commands"), "utf8") : "");

const request = (repository = "acme/agents") => ({
  token: TOKEN,
  event_name: "pull_request",
  repository: "acme/agents",
  run_id: "1",
  run_attempt: "1",
  event: { pull_request: { number: "12", base: { sha: BASE }, head: { repo: { full_name: repository } } } },
});

function run(inputs: Readonly<Record<string, string>>, github: object = request()): Promise<Ended> {
  rmSync(at("temp"), { recursive: true, force: true });
  const env = { PATH: `${at("bin")}:${process.env.PATH}`, GITHUB_REPOSITORY: "acme/agents" };
  return use({ inputs, github, folder: at("work"), env });
}

const planned = (stack = "production") =>
  run({ command: "plan", stack, "access-token": "a", passphrase: "b", "api-key": "c" });

where(`the action${suffix}`, () => {
  test("one job makes the plan; a second job makes the report, the comment and the verdict, and then runs the gate", async () => {
    reallyReports();
    expect(await planned()).toMatchObject({ code: 0 });
    const { code, outputs, summary, output } = await run({ command: "review" });
    expect(outputs.verdict).toBe("replace");
    const comment = readFileSync(at("comment.md"), "utf8");
    expect(comment).toMatch(/^<!-- deployment-control plan: /);
    expect(summary).toBe(comment);
    expect(commands()).toContain("gh api --silent --method POST repos/acme/agents/issues/12/comments");
    expect(output).toContain("--fail-on");
    expect(code).toBe(2);
    const open = await run({ command: "review", "fail-on": "" });
    expect([open.code, open.ran.includes("Gate")]).toEqual([0, false]);
  });

  test("the action overwrites its own comment, and no other comment", async () => {
    await planned();
    await run({ command: "review" });
    const body = readFileSync(at("comment.md"), "utf8");
    const mine = { id: 5, user: { login: "github-actions[bot]" }, body };
    const pages = [
      [{ ...mine, id: 4, user: { login: "someone" } }],
      [{ ...mine, id: 3, body: `> ${body}` }, mine],
    ];
    writeFileSync(at("comments.json"), pages.map((page) => JSON.stringify(page)).join("\n"));
    await run({ command: "review" });
    expect(commands()).toContain("gh api --silent --method PATCH repos/acme/agents/issues/comments/5");
  });

  test("one report covers all stacks, and the base branch's version of the command makes this report", async () => {
    reallyReports();
    await planned("one");
    writeFileSync(at("fresh.json"), textOf("mixed").replaceAll("urn:pulumi:dev::", "urn:pulumi:other::"));
    await planned("org/two");
    const { used, summary } = await run({ command: "review", "fail-on": "" });
    expect(used["actions/checkout"]).toMatchObject({ ref: BASE, "persist-credentials": "false" });
    expect(summary).toContain("agents/dev");
    expect(summary).toContain("agents/other");
    expect((await planned()).used["actions/checkout"]).toMatchObject({ ref: "" });
  });

  test("each step gets only the secrets that it needs; npm, curl's arguments and the report get no secret", async () => {
    await planned();
    await run({ command: "review", "fail-on": "" });
    const seen = [...new Set(readFileSync(at("seen"), "utf8").trim().split("\n"))].sort();
    expect(seen).toEqual(SECRETS.map((name) => `pulumi ${name}`).sort());
    expect(commands()).toContain("npm ci --ignore-scripts\n");
    expect(commands()).not.toContain(TOKEN);
  });

  test("no comment is written on a pull request from a fork, because the token of the fork's jobs has only read permission", async () => {
    await planned();
    const { ran, code } = await run({ command: "review", "fail-on": "" }, request("stranger/agents"));
    expect([ran.includes("Report"), ran.includes("Comment"), code]).toEqual([true, false, 0]);
  });

  test('if a preview fails, the action reports the failure with the verdict "failed", and fails too', async () => {
    reallyReports();
    writeFileSync(at("fresh.json"), textOf("forbidden"));
    expect(await planned()).toMatchObject({ code: 0 });
    const { code, outputs } = await run({ command: "review" });
    expect([code, outputs.verdict]).toEqual([1, "failed"]);
    expect(existsSync(at("comment.md"))).toBe(true);
  });

  test.each([
    [{ command: "deploy" }, "command: expected setup, plan, review"],
    [{ command: "plan" }, "stack: is missing"],
    [{ command: "apply", stack: "a b" }, "stack: expected letters"],
    [{ command: "plan", stack: "$(id)" }, "stack: expected letters"],
  ])("the action refuses the inputs %j before it does anything", async (inputs, words) => {
    const { code, output, ran } = await run(inputs as Record<string, string>);
    expect([code, output, ran]).toEqual([1, expect.stringContaining(words), ["Inputs"]]);
  });

  test("the action does not unpack a Pulumi CLI archive whose checksum is wrong", async () => {
    command("sha256sum", "echo 0000  archive");
    const { code, output } = await planned();
    expect([code, output]).toEqual([1, expect.stringContaining("has another sum, 0000")]);
    expect(commands()).not.toContain("tar ");
  });
});

where(`the journal that the action keeps${suffix}`, () => {
  /** Applies a stack. A stand-in for the engine writes an entry into the journal, and ends with the exit code 3. */
  function applied(stack: string, run_id: string): Promise<Ended> {
    command(
      "gh",
      `case "$1 $2" in "run list") echo '[{"databaseId": 7, "conclusion": "success"}]' ;;
"run download") while [ "$1" != --dir ]; do shift; done; mkdir -p "$2"; cp "${at("fresh.json")}" "$2/${stack}.json" ;;
*) echo '[{"merged_at": 1, "merge_commit_sha": "${BASE}", "head": {"sha": "6"}}]' ;; esac`,
    );
    command(
      "pulumi",
      `case "$1" in up) mkdir -p "$DEPLOYMENT_CONTROL_JOURNAL"; echo "$STACK $(cat "$DEPLOYMENT_CONTROL_JOURNAL/entry" 2>/dev/null)" > "${at("journal")}"
echo "run ${run_id}" > "$DEPLOYMENT_CONTROL_JOURNAL/entry"; exit 3 ;;
preview) cat "${at("fresh.json")}" ;; esac`,
    );
    rmSync(at("temp"), { recursive: true, force: true });
    return use({
      inputs: { command: "apply", stack },
      github: { token: TOKEN, event_name: "push", event: {}, run_id, run_attempt: "1" },
      folder: at("work"),
      env: { PATH: `${at("bin")}:${process.env.PATH}`, GITHUB_SHA: BASE, GITHUB_REPOSITORY: "acme/agents" },
    });
  }
  const keptJournal = (): string => readFileSync(at("journal"), "utf8").trim();

  test("an apply restores the journal of the same stack, even after a failed apply, but not the journal of a different stack", async () => {
    expect((await applied("prod", "1")).code).toBe(3);
    expect(keptJournal()).toBe("prod");
    await applied("prod-2", "2");
    expect(keptJournal()).toBe("prod-2");
    await applied("prod", "3");
    expect(keptJournal()).toBe("prod run 1");
    await applied("prod-2", "4");
    expect(keptJournal()).toBe("prod-2 run 2");
  });
});
