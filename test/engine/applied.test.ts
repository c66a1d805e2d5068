/** Runs the real engine and compares the plan, as a user does, with each change that `pulumi up` applies. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { CommandProject, KEY } from "../support/engine/commandProject";
import { service } from "../support/engine/stack";

const SECRET = "value-of-a-secret-that-stays-hidden";
const IMAGE = "registry.example/chat";

interface Values {
  readonly tag?: string;
  /** Whether the image is unknown in the preview. */
  readonly isUnknown?: boolean;
  readonly minScale?: number;
  readonly token?: string;
  readonly build?: string;
  readonly second?: boolean;
}

const program = ({
  tag = "1.0.0",
  isUnknown = false,
  minScale = 1,
  token = "1",
  build = "1",
  second = false,
}: Values) => `
const fresh = new pulumi.Stash("fresh-${tag}", { input: "1" });
const imageUri = "${IMAGE}:${tag}";
const chat = (name, sourceConfig) =>
  new Deployment(name, {
    name,
    source: "external_docker",
    sourceConfig,
    sourceRevisionConfig: { imageUri: ${isUnknown} ? fresh.id.apply(() => imageUri) : imageUri },
    secrets: { TOKEN: pulumi.secret("${SECRET}${token}") },
  });
chat("chat", { resourceSpec: { minScale: ${minScale} }, buildCommand: pulumi.secret("make ${build}") });
${second ? 'chat("second", {});' : ""}
`;

interface Case {
  readonly title: string;
  /** The program's values in the preview. */
  readonly planned: Values;
  /** The program's values in `pulumi up`, if the program changes after the preview. */
  readonly applied?: Values;
  readonly differences: readonly string[];
}

/** The cases run in order on one stack. Each case starts from the values of the previous case. */
const CASES: readonly Case[] = [
  {
    title: "a value that differs from the planned value, and a change that was not planned",
    planned: { tag: "1.2.0" },
    applied: { tag: "6.6.6", minScale: 3 },
    differences: [
      "sourceConfig.resourceSpec.minScale 1 -> 3 was not planned",
      `sourceRevisionConfig.imageUri: planned ${IMAGE}:1.0.0 -> ${IMAGE}:1.2.0, applied ${IMAGE}:1.0.0 -> ${IMAGE}:6.6.6`,
    ],
  },
  {
    title: "a change to a secret, in place of the planned change to a different secret value",
    planned: { tag: "8", minScale: 3, build: "2" },
    applied: { tag: "8", minScale: 3, token: "2" },
    differences: [
      "sourceConfig.buildCommand changed was planned, but not applied",
      "secrets.TOKEN changed was not planned",
    ],
  },
  {
    title: "nothing: secret values change as planned, and a deployment is created as planned",
    planned: { tag: "9", minScale: 3, token: "3", build: "3", second: true },
    differences: [],
  },
  {
    title: "nothing: a value that was unknown in the plan changes",
    planned: { tag: "10", isUnknown: true, minScale: 4, token: "3", build: "3", second: true },
    differences: [],
  },
];

test("--result names each applied change that was not in the plan, and raises no false alarm", async () => {
  const emulator = await service();
  const project = await CommandProject.on(emulator, program({}), {});
  const [preview, up] = ["preview.json", "up.json"].map((name) => path.join(project.folder, name)) as [
    string,
    string,
  ];
  await project.up();
  for (const { title, planned, applied = planned, differences } of CASES) {
    project.write(program(planned));
    writeFileSync(preview, await project.pulumi("preview", "--json"));
    project.write(program(applied));
    // This `pulumi up` first makes a preview. The preview's events come before the events of the update.
    writeFileSync(up, await project.pulumi("up", "--yes", "--json"));
    const { code, out, errors } = await project.command("plan", preview, "--result", up);
    const lines = errors.split("\n").filter((line) => line.startsWith("app/dev: "));
    const expected = differences.map((line) => `app/dev: deployment "chat": ${line}`);
    expect([title, lines.sort(), code]).toEqual([title, expected.sort(), differences.length > 0 ? 2 : 0]);
    for (const line of differences) expect(out.replace(/\s+/g, "")).toContain(line.replace(/\s+/g, ""));
    for (const secret of [SECRET, KEY]) expect(out + errors).not.toContain(secret);
  }
  const names = emulator.deployments().map(({ name }) => name);
  expect(names.sort()).toEqual(["chat", "second"]);
}, 600_000);
