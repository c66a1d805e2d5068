import { planned } from "../support/engine/plannedStack";
import { service } from "../support/engine/stack";

test("if `pulumi up` targets one deployment, predictions for the other deployments are not counted as wrong", async () => {
  const emulator = await service({ profile: "langsmith" });
  const run = await planned(
    emulator,
    `
    const image = (name, version) => chat({ name, sourceRevisionConfig: { imageUri: "registry.example/chat:" + version } });
    new Deployment("aimed", image("aimed", again ? 2 : 1));
    new Deployment("beside", image("beside", again ? 2 : 1));
    new Deployment("same", image("same", 1));
    if (again) new Deployment("new", image("new", 1));
    if (!again) new Deployment("gone", image("gone", 1));
    `,
    "--target",
    "**::aimed",
  );
  expect(run.upFailed).toBe(false);
  const outcomes = run.result.outcomes.map(({ name, predicted, happened, right }) => [
    name,
    predicted,
    happened,
    right,
  ]);
  expect(outcomes.sort()).toEqual([
    ["aimed", "new-revision", "new-revision", true],
    ["beside", "new-revision", "not-applied", null],
    ["gone", "delete", "not-applied", null],
    ["new", "create", "not-applied", null],
    ["same", "unchanged", "unchanged", true],
  ]);
  expect(run.result).toMatchObject({ right: 2, wrong: 0, undecided: 3 });
});
