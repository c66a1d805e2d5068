import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isWhole } from "../support/engine/size";

const ROOT = path.join(__dirname, "../..");
/**
 * The folder of the programs. It is in the repository, so that a program can import the built package by name.
 */
const CACHE = path.join(ROOT, ".cache");

const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import { Deployment, getDeployments, Listener, Rollout, SmokeTest, TokenMetadata } from "pulumi-deployment-control";
import { ControlClient, RuntimeClient } from "pulumi-deployment-control/client";
import { startEmulator } from "pulumi-deployment-control/emulator";
import { mocks, type MocksOptions } from "pulumi-deployment-control/testing";

export async function main(): Promise<pulumi.Output<string>> {
  const emulator = await startEmulator({ port: 0, hosting: "any" });
  const options: MocksOptions = { service: emulator };
  await pulumi.runtime.setMocks(mocks(options));
  const client = new ControlClient({ baseUrl: emulator.url, profileOverrides: { classes: { secrets: "inPlace" } } });
  for await (const { name } of client.listDeployments({ status: "READY" })) console.log(name);
  await new RuntimeClient({ deploymentUrl: emulator.url }).close();
  const chat = new Deployment("chat", { name: "x", source: "repohost" });
  const url: pulumi.Output<string | null | undefined> = chat.url;
  console.log(url, Listener, Rollout, SmokeTest, TokenMetadata, (await getDeployments()).length);
  return chat.name;
}
`;

/** The compiler's errors in the package's declarations and in a program that uses the whole package. */
function complaintsOf(flags: readonly string[]): string {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(CACHE, "consumer-"));
  writeFileSync(path.join(folder, "index.ts"), PROGRAM);
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const common = ["--noEmit", "--strict", "--skipLibCheck", "false", "--types", "node", "index.ts"];
  try {
    execFileSync(process.execPath, [tsc, ...flags, ...common], { cwd: folder, encoding: "utf8" });
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first settings are from Pulumi's own template. They reject default imports that the other settings allow. */
const SETTINGS: readonly (readonly [template: string, flags: readonly string[]])[] = [
  [
    "of Pulumi's own template",
    ["--module", "commonjs", "--moduleResolution", "node10", "--target", "ES2020"],
  ],
  ["of today's Node", ["--module", "nodenext", "--moduleResolution", "nodenext", "--target", "ES2022"]],
];

test.each(isWhole ? SETTINGS : SETTINGS.slice(0, 1))(
  "with the compiler settings %s, a strict program and the package's declarations compile",
  (_, flags) => {
    expect(complaintsOf(flags)).toBe("");
  },
);
