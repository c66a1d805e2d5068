import { execFileSync } from "node:child_process";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { adopt } from "../support/adopt/command";
import { declares } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

test("a comparison names the secret arguments that it cannot compare, and compares the secret arguments that the state shows", async () => {
  const { emulator, stack } = await testStack();
  const sourceConfig = {
    installCommand: pulumi.secret("make canary-install"),
    resourceSpec: { minScale: 1, labels: { team: pulumi.secret("canary-team"), tier: "web" } },
  };
  expect(
    (await stack.up(declares({ sourceConfig, secrets: { KEY: "canary-of-a-secret" } }))).error,
  ).toBeUndefined();
  const exported = (...args: string[]): string => {
    const file = path.join(stack.folder, "exported.json");
    const env = { ...process.env, ...stack.environment };
    execFileSync("pulumi", ["stack", "export", "--stack", "test", "--file", file, ...args], {
      cwd: stack.folder,
      env,
    });
    return file;
  };
  const compared = (...args: string[]) =>
    adopt(emulator, stack.folder, ["--compare", "--state", exported(...args)]);
  const [live] = emulator.deployments();
  expect(await compared("--show-secrets")).toMatchObject({
    code: 0,
    out: `${emulator.url}: the programs and the service agree, of 1 deployment and 0 listeners\n`,
  });
  emulator.change(live?.id as string, { source_config: { install_command: "make another" } });
  const withoutSecrets = await compared();
  expect(withoutSecrets).toMatchObject({ code: 0, errors: "" });
  expect(withoutSecrets.out).toContain(
    "2 secret arguments of engine/test: chat (sourceConfig.installCommand, sourceConfig.resourceSpec.labels.team)",
  );
  const withSecrets = await compared("--show-secrets");
  expect(withSecrets).toMatchObject({ code: 2, errors: "" });
  expect(withSecrets.out).toContain('sourceConfig.installCommand  program: "[secret]"  service: "[secret]"');
  expect(withSecrets.out).not.toContain("not compared");
  for (const { out } of [withoutSecrets, withSecrets]) expect(out).not.toContain("canary");
});
