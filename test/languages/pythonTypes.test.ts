/** Checks Python programs with two type checkers. Both must find a misspelled argument before Pulumi runs. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { blocksIn, pageText } from "../../tools/docs/blocks";
import { EXAMPLES } from "../support/examples/example";
import { WITH_BUILD } from "../support/languages/hosts";
import { installedPackage } from "../support/languages/python";
import { typeFaults } from "../support/languages/pythonTypes";

const installed = installedPackage();
const { testOfPython } = installed;

/** A program that passes a plain string to each argument that allows only certain words. */
const PLAIN_WORDS = `import pulumi
from pulumi_deployment_control import Deployment, Listener, Provider, get_deployments, get_revisions

Listener("cluster", compute_type="k8s", compute_id="prod", on_destroy="fail")
chat = Deployment(
    "chat",
    name="chat",
    source="external_docker",
    source_config={"deployment_type": "prod"},
    revision_source="repohost",
    new_revisions="forbid",
    rollout={"on_failure": "restore"},
    adopt="identical",
    on_destroy="retain",
    opts=pulumi.ResourceOptions(provider=Provider("eu", new_revisions="forbid", adopt="identical")),
)
deployments = get_deployments(status="READY", deployment_type="prod").deployments
revisions = get_revisions(deployment_id=deployments[0].id, statuses=["DEPLOYED"]).revisions
generation: pulumi.Output[int] = chat.revision_generation
`;

/** The Python program in the guide to languages. */
const pagesProgram = (): string =>
  blocksIn(pageText("docs/guides/languages.md")).find(({ language }) => language === "python")
    ?.text as string;

/** The examples in the schema's descriptions, each as a program. */
function describedExamples(): { [file: string]: string } {
  const translated: { [name: string]: { python: string } } = JSON.parse(
    readFileSync(path.join(__dirname, "../../tools/docs/schema/examples/translated.json"), "utf8"),
  );
  return Object.fromEntries(
    Object.entries(translated).map(([name, programs]) => [`example${name}.py`, programs.python]),
  );
}

testOfPython(
  "plain strings and the Python programs of the docs pass both type checkers",
  async () => {
    const example = readFileSync(path.join(EXAMPLES, "python", "__main__.py"), "utf8");
    const programs = {
      "plainWords.py": PLAIN_WORDS,
      "example.py": example,
      "page.py": pagesProgram(),
      ...describedExamples(),
    };
    expect(await typeFaults(installed.folder, programs, installed.environment)).toEqual({
      mypy: [],
      pyright: [],
    });
  },
  WITH_BUILD,
);

/** A program whose first line is an import. Each later line contains one mistake. */
const MISTAKES = `from pulumi_deployment_control import Deployment, DeploymentSourceConfigArgs, Listener, get_deployments
Deployment("a", name="chat", source="external_docker", on_destroi="retain")
Deployment("b", name="chat", source="external_docker", source_config={"build_on_pushh": True})
Deployment("c", name="chat", source="repohost", source_config=DeploymentSourceConfigArgs(repo_ulr="https://x"))
Deployment("d", name="chat", source=7)
Deployment("e", name="chat", source="external_docker", rollout={"wait": "no"})
Listener("f", compute_type="k8s", compute_idd="prod")
get_deployments(statuss="READY")
`;

testOfPython(
  "both type checkers name each line with a misspelled argument or a value of the wrong type",
  async () => {
    const faults = await typeFaults(installed.folder, { "mistakes.py": MISTAKES }, installed.environment);
    const lines = (messages: readonly string[]) => [
      ...new Set(messages.map((message) => Number(message.split(":")[1]))),
    ];
    expect(lines(faults.mypy)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(lines(faults.pyright)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  },
  WITH_BUILD,
);
