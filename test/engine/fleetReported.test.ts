import { evaluate } from "../../sdk/report/evaluate/evaluate";
import { offencesIn } from "../../sdk/report/evaluate/gates";
import { resultOf } from "../../sdk/report/evaluate/result";
import { eventsIn } from "../../sdk/report/read/events";
import { Deployment, Rollout } from "../support/engine/form";
import { previewed, reported } from "../support/engine/planReport";
import { chat } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

const NAMES = ["one", "two"];

/** A program with deployments, and a Rollout that waits for them. */
const fleet =
  (tag: number, maxScale = 2) =>
  () => {
    const deployments = NAMES.map(
      (name) =>
        new Deployment(
          name,
          chat({
            name,
            sourceConfig: { resourceSpec: { maxScale } },
            sourceRevisionConfig: { imageUri: `registry.example/chat:${tag}` },
            rollout: { wait: false },
          }),
        ),
    );
    new Rollout("all", { deployments });
  };

test("the report lists the revisions that failed in a Rollout, and the next up makes a failed one again", async () => {
  const { emulator, stack } = await testStack({ revisionSeconds: 0.2 });
  expect((await stack.up(fleet(1))).error).toBeUndefined();
  const revised = await stack.up(fleet(2));
  expect(revised.error).toBeUndefined();
  const plan = await reported(stack, fleet(2, 3));
  expect(plan.deployments.map(({ verdict, warnings }) => [verdict, warnings])).toEqual([
    ["in-place", []],
    ["in-place", []],
  ]);
  const next = await previewed(stack, fleet(3));
  const serving = emulator.deployments().map(({ active_revision_id }) => active_revision_id);
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED", times: 1 });
  const failed = await stack.up(fleet(3));
  expect(failed.error).toMatch(/1 of 2 failed/);
  const row = /(one|two) +([0-9a-f-]{36}) +DEPLOY_FAILED +[\d.]+ +([0-9a-f-]{36})/.exec(failed.text);
  expect(serving).toContain(row?.[3]);
  const result = resultOf(
    evaluate(next),
    eventsIn(failed.events.map((event) => JSON.stringify(event)).join("\n"), "up"),
    next,
  );
  const failure = `rollout "all": revision ${row?.[2]} of "${row?.[1]}" ended DEPLOY_FAILED`;
  expect(result.warnings).toContain(failure);

  const again = await reported(stack, fleet(3), {}, { sames: false });
  expect(offencesIn([again], { failOn: ["previous-failure"], allow: [] })).toEqual([
    "--fail-on previous-failure: 1 offender",
    `  deployment "${row?.[1]}": creates a new revision (makes it again: revision ${row?.[2]} ended DEPLOY_FAILED)`,
  ]);
  expect(again.warnings).toContain(failure);
  expect(again.deployments.map(({ name, verdict }) => [name, verdict])).toEqual([[row?.[1], "new-revision"]]);
  const requestCount = emulator.requests.length;
  const remade = await stack.up(fleet(3));
  expect([remade.error, remade.text]).toEqual([
    undefined,
    expect.stringContaining(`(the last wait ended failed; made again: ${row?.[1]})`),
  ]);
  const patches = emulator.requests.slice(requestCount).filter(({ method }) => method === "PATCH");
  expect(patches).toHaveLength(1);
  const quiet = await reported(stack, fleet(3));
  expect(offencesIn([quiet], { failOn: ["previous-failure"], allow: [] })).toEqual([]);
});
