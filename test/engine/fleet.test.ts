import { evaluate } from "../../sdk/report/evaluate/evaluate";
import { offencesIn } from "../../sdk/report/evaluate/gates";
import { resultOf } from "../../sdk/report/evaluate/result";
import { eventsIn } from "../../sdk/report/read/events";
import { Deployment, dynamicOnly, Rollout } from "../support/engine/form";
import { previewed, reported } from "../support/engine/planReport";
import { bodiesOf, chat, FIRST_IMAGE, revisionCount, SECOND_IMAGE } from "../support/engine/programs";
import { type Run, service, stackOn, testStack } from "../support/engine/stack";

const nameOf = (index: number) => `agent-${index + 1}`;

/**
 * A program with deployments that do not wait, and a rollout that waits for all of them. The first `changed`
 * deployments run the second image. The rest run the first image.
 */
const fleet =
  ({ count, changed = 0 }: { readonly count: number; readonly changed?: number }) =>
  () => {
    const deployments = Array.from({ length: count }, (_, index) => {
      const sourceRevisionConfig = { imageUri: index < changed ? SECOND_IMAGE : FIRST_IMAGE };
      const args = { name: nameOf(index), sourceRevisionConfig, rollout: { wait: false } };
      return new Deployment(nameOf(index), chat(args));
    });
    new Rollout("fleet", { deployments });
  };

/** The lines that the run shows for the Rollout `fleet`. */
function said(run: Run): string[] {
  return run.diagnostics
    .filter(({ urn, severity }) => urn.endsWith("::fleet") && severity === "info")
    .map(({ message }) => message);
}

test("`pulumi up` fails only after all rollouts have ended; the report lists the failed revisions, and the next update remakes only these revisions", async () => {
  const { emulator, stack } = await testStack({ revisionSeconds: 0.3 });
  await stack.up(fleet({ count: 4 }));
  const announced = await previewed(stack, fleet({ count: 4, changed: 4 }));
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED", times: 2 });
  const failed = await stack.up(fleet({ count: 4, changed: 4 }));
  expect(failed.error).toMatch(/rollout "fleet": 2 of 4 failed after [\d.]+ s; 2 deployed/);
  const rows = [...failed.text.matchAll(/(agent-\d+) +([0-9a-f-]{36}) +DEPLOY_FAILED +[\d.]+/g)];
  expect(new Set(rows.map(([, name]) => name)).size).toBe(2);
  const failures = rows.map(
    ([, name, id]) => `rollout "fleet": revision ${id} of "${name}" ended DEPLOY_FAILED`,
  );
  const events = eventsIn(failed.events.map((event) => JSON.stringify(event)).join("\n"), "up");
  expect(resultOf(evaluate(announced), events, announced).warnings).toEqual(expect.arrayContaining(failures));
  const report = await reported(stack, fleet({ count: 4, changed: 4 }), {}, { sames: false });
  expect(report.warnings).toEqual(expect.arrayContaining(failures));
  expect(offencesIn([report], { failOn: ["previous-failure"], allow: [] })).toHaveLength(3);
  const { outputs } = await stack.recorded("fleet");
  expect(outputs).toMatchObject({ deployed: 2, rolloutState: "failed" });

  expect(failed.error).toContain(
    "The next `pulumi up` makes the failed revisions again; without this machine's journal, run `pulumi up --refresh`",
  );
  const plan = await stack.preview(fleet({ count: 4, changed: 4 }));
  expect(Object.values(plan.steps)).toEqual(["update", "update", "update"]);
  expect(plan.requests).toEqual([]);
  const remakes = plan.diagnostics.filter(({ message }) =>
    /creates a new revision \(makes it again: revision [0-9a-f-]{36} ended DEPLOY_FAILED\)$/.test(message),
  );
  expect(remakes).toHaveLength(2);
  expect(said(plan)).toEqual([
    expect.stringMatching(
      /^waits for the newest revisions of 4 deployments \(the last wait ended failed; made again: agent-\d, agent-\d\)$/,
    ),
  ]);
  const up = await stack.up(fleet({ count: 4, changed: 4 }));
  expect(up.error).toBeUndefined();
  expect(bodiesOf(up, "PATCH")).toHaveLength(2);
  const counts = [0, 1, 2, 3].map((index) => revisionCount(emulator, nameOf(index)));
  expect(counts.sort()).toEqual([2, 2, 3, 3]);
  expect((await stack.up(fleet({ count: 4, changed: 4 }))).steps).toEqual({});
});

test("without a journal, `pulumi up` makes a failed revision again only after a refresh", async () => {
  const environment = { DEPLOYMENT_CONTROL_JOURNAL: "off" };
  const emulator = await service({ revisionSeconds: 0.3 });
  const stack = await stackOn(emulator, { environment });
  await stack.up(fleet({ count: 2 }));
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED", times: 1 });
  expect((await stack.up(fleet({ count: 2, changed: 2 }))).error).toContain("1 of 2 failed");
  const again = await stack.up(fleet({ count: 2, changed: 2 }));
  expect([again.error, bodiesOf(again, "PATCH")]).toEqual([expect.stringContaining("1 of 2 failed"), []]);
  const refreshed = await stack.up(fleet({ count: 2, changed: 2 }), { refresh: true });
  expect([refreshed.error, bodiesOf(refreshed, "PATCH")]).toEqual([undefined, [expect.anything()]]);
});

const ofTheClass = dynamicOnly("a generated class takes a map of ids and revision keys");

ofTheClass("a rollout refuses an argument that is not a list of deployments", () => {
  for (const deployments of [["agent-001"], undefined, "agent-001"]) {
    expect(() => new Rollout("fleet", { deployments: deployments as never })).toThrow(
      'Rollout "fleet": deployments: allowed: a list of Deployment resources of this program',
    );
  }
});
