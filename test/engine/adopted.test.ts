/**
 * Adopts the deployments of an account with the command `adopt`, and then checks, applies and compares the project with
 * the real engine.
 */
import path from "node:path";
import type { Emulator } from "../../sdk/emulator/index";
import { adopt, workFolder } from "../support/adopt/command";
import { hostileAccount } from "../support/adopt/hostileAccount";
import { ProjectStack } from "../support/examples/projectStack";

const writes = (emulator: Emulator): string[] =>
  emulator.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
const revisions = (emulator: Emulator): number =>
  emulator.deployments().reduce((sum, deployment) => sum + deployment.revisions.length, 0);

test("an adopted project passes its check, its first `pulumi up` sends only GETs, and a comparison finds later changes on the service", async () => {
  const emulator = await hostileAccount();
  const before = emulator.deployments();
  const work = workFolder();
  const written = await adopt(emulator, work, ["--out", "infra", "--check"]);
  expect(written).toEqual({ code: 0, errors: "", out: expect.stringMatching(/^2 adopted, 0 changes$/m) });

  const [image] = emulator.deployments().filter(({ source }) => source === "external_docker");
  const scaled = (min_scale: number) =>
    emulator.change(image?.id as string, { source_config: { resource_spec: { min_scale } } });
  scaled(3);
  const changed = await adopt(emulator, work, ["--check", "--out", "infra"]);
  expect(changed).toMatchObject({ code: 2, out: expect.stringMatching(/\n2 adopted, 1 change\n$/) });
  expect(changed.errors).toMatch(/^deployment ".*": .*\(sourceConfig\.resourceSpec\.minScale 3 -> 1\)\n$/);
  scaled(1);

  const folder = path.join(work, "infra");
  const stack = await ProjectStack.of(folder, { DEPLOYMENT_CONTROL_BASE_URL: emulator.url });
  expect(await stack.run("up", "--yes", "--skip-preview")).toContain("3 created");
  expect(writes(emulator)).toEqual([]);
  expect(revisions(emulator)).toBe(2);
  const { updated_at: _first, ...unchanged } = emulator.deployments()[0] as never as Record<string, unknown>;
  expect(before[0]).toMatchObject(unchanged);
  expect(await stack.run("up", "--yes", "--skip-preview")).toMatch(/Resources:\n +\d+ unchanged\n/);

  const variables = {
    PULUMI_BACKEND_URL: `file://${path.join(stack.home, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: undefined,
  };
  const agreed = await adopt(emulator, folder, ["--compare", "--stack", "test"], variables);
  expect(agreed).toEqual({
    code: 0,
    errors: "",
    out: `${emulator.url}: the programs and the service agree, of 2 deployments and 1 listener\n`,
  });
  scaled(3);
  const differs = await adopt(emulator, folder, ["--compare", "--stack", "test"], variables);
  expect(differs).toMatchObject({
    code: 2,
    out: expect.stringContaining("sourceConfig.resourceSpec.minScale  program: 1  service: 3"),
  });
  expect(writes(emulator)).toEqual([]);
});
