/** Runs the recipes' steps that decide whether a merge is applied. The hosts return forged plans. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { changed, type Loose, reportOf, stepOf, textOf } from "../support/goldens";
import { use } from "../support/recipes/action";
import { runJob } from "../support/recipes/component";
import { describeWith, folderWith, standIn } from "../support/recipes/workflows";

const ROOT = path.join(__dirname, "..", "..");
const COMMAND = path.join(ROOT, "dist", "sdk", "cli", "main.js");
const { where, suffix } = describeWith(["jq", "curl"]);

const SHA = "5".repeat(40);
const HEAD = "6".repeat(40);
const TOKEN = "canary-of-the-token";

let folder = "";
const servers: Server[] = [];
beforeEach(() => {
  folder = folderWith({});
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const at = (...names: string[]): string => path.join(folder, ...names);

/** The files that the host stores for the pull request's plan. */
interface Artifact {
  readonly preview: string;
  readonly report?: string;
}

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

const command = (name: string, words: string): void => standIn(folder, name, words);

/**
 * Stand-ins for the commands: the fresh preview is the recorded preview `mixed`, and the real command makes the report.
 */
function commands(): void {
  writeFileSync(at("fresh.json"), textOf("mixed"));
  command("pulumi", `cat "${at("fresh.json")}"`);
  command("npx", `shift 2; exec "${process.execPath}" "${COMMAND}" "$@"`);
}

const environmentOf = (environment: { readonly [name: string]: string }) => ({
  PATH: `${at("bin")}:${process.env.PATH}`,
  TMPDIR: folder,
  ...environment,
});

const MERGED = [{ merged_at: "2026-01-01", merge_commit_sha: SHA, head: { sha: HEAD } }];
const SUCCEEDED = [{ databaseId: 7, conclusion: "success" }];

/**
 * Runs the GitHub recipe. A stand-in for `gh` returns the pull requests and the workflow runs that the arguments
 * contain, and the artifact of run 7.
 */
async function onGithub(
  artifact: Artifact,
  pulls: unknown = MERGED,
  runs: unknown = SUCCEEDED,
): Promise<Ended> {
  commands();
  for (const name of ["artifact", "work"]) mkdirSync(at(name));
  writeFileSync(at("artifact", "production.json"), artifact.preview);
  if (artifact.report !== undefined) writeFileSync(at("artifact", "report.json"), artifact.report);
  writeFileSync(at("pulls.json"), JSON.stringify(pulls));
  writeFileSync(at("runs.json"), JSON.stringify(runs));
  command(
    "gh",
    `echo "$*" >> "${at("asked")}"
case "$1 $2" in
  "run list") cat "${at("runs.json")}" ;;
  "run download") test "$3" = 7; while [ "$1" != --dir ]; do shift; done; cp -r "${at("artifact")}" "$2" ;;
  *) cat "${at("pulls.json")}" ;;
esac`,
  );
  command("curl", "true");
  const { code, output } = await use({
    inputs: { command: "compare", stack: "production" },
    github: { token: TOKEN, event_name: "push", event: {} },
    folder: at("work"),
    env: environmentOf({ GITHUB_REPOSITORY: "acme/agents", GITHUB_SHA: SHA }),
  });
  return { code, text: output };
}

const REQUESTS = [{ iid: 3, state: "merged", target_branch: "main", merge_commit_sha: SHA, sha: HEAD }];
const PIPELINES = [{ id: 7, sha: HEAD, source: "merge_request_event", status: "success" }];

/** The headers of the requests to the host that stores GitLab's files. */
const atFiles: IncomingHttpHeaders[] = [];

/** Runs the GitLab recipe. GitLab's API redirects requests for files to a different host. */
async function onGitlab(
  artifact: Artifact,
  requests: unknown = REQUESTS,
  pipelines: unknown = PIPELINES,
): Promise<Ended> {
  commands();
  const listening = async (
    answer: (url: string, headers: IncomingHttpHeaders) => [number, string, object?],
  ) => {
    const server = createServer(({ url = "", headers }, response) => {
      const [status, body, more] = answer(url, headers);
      response.writeHead(status, { ...more }).end(body);
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  atFiles.splice(0);
  const files = await listening((_url, headers) => {
    atFiles.push(headers);
    return [200, artifact.preview];
  });
  const answers: [RegExp, unknown][] = [
    [new RegExp(`/repository/commits/${SHA}/merge_requests$`), requests],
    [/\/merge_requests\/3\/pipelines\?/, pipelines],
    [
      /\/pipelines\/7\/jobs\?/,
      [
        { id: 9, name: "deployment-control-plan" },
        { id: 10, name: "deployment-control-note" },
      ],
    ],
  ];
  const api = await listening((url, headers) => {
    if (headers["private-token"] !== TOKEN) return [401, ""];
    if (url.endsWith("/jobs/9/artifacts/deployment-control-review/previews/production.json"))
      return [302, "", { location: `${files}/stored` }];
    const [, answer] = answers.find(([pattern]) => pattern.test(url)) ?? [];
    return answer === undefined ? [404, ""] : [200, JSON.stringify(answer)];
  });
  command(
    "curl",
    `echo "$*" >> "${at("asked")}"; case "$*" in *get.pulumi.com*) exit 0 ;; esac; exec "${spawnSync("which", ["curl"], { encoding: "utf8" }).stdout.trim()}" "$@"`,
  );
  // The steps after the comparison do nothing here; other tests cover them.
  command(
    "npx",
    `shift 2; case "$*" in *recover*|*--result*) exit 0 ;; esac; exec "${process.execPath}" "${COMMAND}" "$@"`,
  );
  command(
    "pulumi",
    `case "$1" in up) while [ "$1" != --event-log ]; do shift; done; echo events > "$2" ;; *) cat "${at("fresh.json")}" ;; esac`,
  );
  return runJob(
    "deployment-control-apply",
    at("work"),
    environmentOf({
      CI_API_V4_URL: api,
      CI_COMMIT_SHA: SHA,
      CI_DEFAULT_BRANCH: "main",
      APPLY_READ_TOKEN: TOKEN,
    }),
  );
}

const HOSTS = [
  ["GitHub", onGithub],
  ["GitLab", onGitlab],
] as const;

/** The preview of the merged commit, with a harmless image in place of the deployment's real image. */
const harmless = changed("mixed", (document) => {
  stepOf(document, "revised").newState.inputs.sourceRevisionConfig.imageUri =
    "registry.example.com/revised:1.0.9";
});
const reportFrom = (change: (report: Loose) => void): string => {
  const report = JSON.parse(JSON.stringify(reportOf("mixed")));
  change(report);
  return JSON.stringify(report);
};

const FORGED: readonly (readonly [title: string, artifact: Artifact])[] = [
  [
    "a preview with different content, next to a report with the true plan's digest",
    { preview: harmless, report: JSON.stringify(reportOf("mixed")) },
  ],
  [
    "a preview and a report that were forged together",
    { preview: harmless, report: reportFrom((report) => (report.deployments = [])) },
  ],
];

where.each(HOSTS)(`the recipe for %s${suffix}`, (_host, applied) => {
  test("a merge is applied if its plan is still the reviewed plan", async () => {
    expect(await applied({ preview: textOf("mixed") })).toMatchObject({ code: 0 });
  });

  test.each(FORGED)("the apply is stopped if the stored plan is %s", async (_title, artifact) => {
    const { code, text } = await applied(artifact);
    expect(text).toContain("--expect: the plan is no longer the one that was reviewed");
    expect(code).toBe(2);
  });
});

where(`the plan that a recipe takes${suffix}`, () => {
  const preview = textOf("mixed");

  test("on GitHub, the plan comes from the newest run for the pull request, and the apply fails if that run failed", async () => {
    const newest = [{ databaseId: 8, conclusion: "failure" }, ...SUCCEEDED];
    const { code, text } = await onGithub({ preview }, MERGED, newest);
    expect([code, text]).toEqual([1, expect.stringContaining("did not succeed")]);
    expect(readFileSync(at("asked"), "utf8")).toMatch(`--event pull_request --commit ${HEAD} `);
  });

  test("on GitLab, the plan comes from the newest pipeline of the merge request, and the apply fails if that pipeline failed", async () => {
    const [mine] = PIPELINES;
    const newer = { ...mine, id: 8, status: "failed" };
    const { code, text } = await onGitlab({ preview }, REQUESTS, [mine, newer]);
    expect([code, text]).toEqual([1, expect.stringContaining("did not succeed")]);
    const pushed = { ...mine, id: 9, source: "push" };
    const elsewhere = { ...mine, id: 10, sha: SHA };
    expect(await onGitlab({ preview }, REQUESTS, [elsewhere, pushed, ...PIPELINES])).toMatchObject({
      code: 0,
    });
  });

  test.each([
    ["GitHub", () => onGithub({ preview }, [{ ...MERGED[0], merged_at: null }])],
    ["GitHub", () => onGithub({ preview }, [{ ...MERGED[0], merge_commit_sha: HEAD }])],
    ["GitLab", () => onGitlab({ preview }, [{ ...REQUESTS[0], state: "opened" }])],
    ["GitLab", () => onGitlab({ preview }, [{ ...REQUESTS[0], merge_commit_sha: HEAD, sha: HEAD }])],
    ["GitLab", () => onGitlab({ preview }, [{ ...REQUESTS[0], target_branch: "other" }])],
  ])("on %s, the apply fails if no pull request or merge request merged the commit", async (_host, apply) => {
    const { code, text } = await apply();
    expect([code, text]).toEqual([1, expect.stringMatching(/without a pull request|from no merge request/)]);
  });

  test("GitLab's file host gets no token, and no command has the token in its arguments", async () => {
    expect(await onGitlab({ preview })).toMatchObject({ code: 0 });
    expect(atFiles).toHaveLength(1);
    expect(JSON.stringify(atFiles)).not.toContain(TOKEN);
    expect(readFileSync(at("asked"), "utf8")).not.toContain(TOKEN);
  });
});
