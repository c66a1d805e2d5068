/** Runs a program in Java with the package that Pulumi generates from the schema, and the provider plugin. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { started } from "../support/embeddedService";
import { WITH_BUILD } from "../support/languages/hosts";
import { findJava, mavenProject, PACKAGE } from "../support/languages/java";
import { Project } from "../support/languages/project";

const java = findJava();
if ("missing" in java) process.stderr.write(`Programs in Java are skipped: ${java.missing}\n`);

/**
 * A program with a list, a value that is a boolean or a word, a map of outputs, a secret, an enum, and names that are
 * reserved in Java.
 */
const program = (image: string) => `package program;

import ${PACKAGE}.*;
import ${PACKAGE}.enums.*;
import ${PACKAGE}.inputs.*;
import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import java.util.Map;
import java.util.stream.Collectors;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    static void stack(Context ctx) {
        var chat = new Deployment("chat", DeploymentArgs.builder()
            .name("chat")
            .source(DeploymentSource.External_docker)
            .adopt(false)
            .sourceConfig(DeploymentSourceConfigArgs.builder()
                .resourceSpec(DeploymentResourceSpecArgs.builder().minScale(1).build())
                .build())
            .sourceRevisionConfig(DeploymentSourceRevisionConfigArgs.builder().imageUri("${image}").build())
            .secrets(Output.ofSecret(Map.of("TOKEN", "hush-hush")))
            .rollout(DeploymentRolloutArgs.builder().wait_(false).onFailure("restore").build())
            .build());
        new Rollout("all", RolloutArgs.builder()
            .deployments(Map.of("chat", RolloutDeploymentArgs.builder()
                .id(chat.id())
                .revisionKey(chat.revisionKey())
                .build()))
            .build());
        ctx.export("adopt", chat.adopt().applyValue(adopt -> adopt.get().left()));
        ctx.export("names", DeploymentcontrolFunctions
            .getDeployments(GetDeploymentsArgs.builder().name("chat").build())
            .applyValue(named -> named.deployments().stream()
                .map(deployment -> String.join(",", deployment.secretNames()))
                .collect(Collectors.toList())));
    }
}
`;

("missing" in java ? test.skip : test)(
  "a program in Java runs: up, up again without changes, a new image with a new revision, destroy",
  async () => {
    const { environment } = java as Exclude<typeof java, { missing: string }>;
    const emulator = await started({});
    const project = await Project.on(emulator, "java", environment);
    const sources = path.join(mavenProject(project.folder), "program");
    mkdirSync(sources);
    const write = (image: string) => writeFileSync(path.join(sources, "App.java"), program(image));
    write("registry.example.com/chat:1.0.0");
    const first = await project.stack.run("up", "--yes", "--skip-preview");
    expect(first).toContain("3 created");
    const second = await project.stack.run("up", "--yes", "--skip-preview");
    expect(second).toContain("3 unchanged");
    expect(second).toContain('[0]: "TOKEN"');
    write("registry.example.com/chat:1.1.0");
    const plan = await project.stack.run("preview");
    expect(plan).toContain(
      "creates a new revision (sourceRevisionConfig.imageUri registry.example.com/chat:1.0.0 -> registry.example.com/chat:1.1.0)",
    );
    expect(await project.stack.run("up", "--yes", "--skip-preview")).toContain("2 updated");
    expect(emulator.deployments().map(({ revisions }) => revisions.length)).toEqual([2]);
    expect(await project.stack.run("destroy", "--yes", "--skip-preview")).toContain("3 deleted");
    expect(first).not.toContain("hush-hush");
  },
  WITH_BUILD,
);
