import { shownFailure } from "../../../../provider/engine/engine";
import type { UnfinishedError } from "../../../../provider/failure";
import type { EmulatorOptions } from "../../../../sdk/emulator";
import { createdDeployment } from "../../../support/createdDeployment";
import { chat, failureOf } from "../../../support/providerRun";
import { deployment } from "../../../support/resourceCalls";
import { sharedClock } from "../../../support/sharedClock";

const next = { ...chat, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };

const running = (options: EmulatorOptions = {}) => createdDeployment(chat, options, {}, sharedClock());

test("the error about a failed revision shows the revision's steps and the serving revision, and the state keeps the failure", async () => {
  const { emulator, outputs, update } = await running({ revisionSeconds: 3 });
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  const error = await failureOf<UnfinishedError>(update(next));
  expect(error.message).toMatch(
    new RegExp(
      `revision \\S+ ended DEPLOY_FAILED after .* s \\(.*DEPLOY_FAILED\\)\\. Revision ${outputs.activeRevisionId} is still serving\\. The next update makes the revision again`,
    ),
  );
  expect(error.properties).toMatchObject({
    rolloutState: "failed",
    latestRevisionStatus: "DEPLOY_FAILED",
    sourceRevisionConfig: { repoRef: "next" },
  });
});

test.each(["fail", "restore"])(
  "the error about a failed revision gives the reason in the service's words, masked and on one line (onFailure %s)",
  async (onFailure) => {
    const { emulator, update } = await running();
    const message = `exit code 1:\n  no \u001b[31m${chat.secrets.TOKEN}\u001b[0m`;
    emulator.failNext({ kind: "revision", status: "BUILD_FAILED", message });
    const error = await failureOf<UnfinishedError>(update({ ...next, rollout: { onFailure } }));
    expect(shownFailure(error)).toContain(
      "The service says: exit code 1: no \\u001b[31m[secret]\\u001b[0m. ",
    );
  },
);

test("the next update resumes an interrupted wait, without another PATCH", async () => {
  const { emulator, session, id, update, sent } = await running();
  emulator.behaviour.revisionSeconds = 600;
  const news = { ...next, rollout: { timeoutSeconds: 1 } };
  const error = await failureOf<UnfinishedError>(update(news));
  expect(error.message).toMatch(
    /was not deployed within 1(\.\d)? s, last seen CREATING.*The next update resumes the wait/,
  );
  expect(error.properties.rolloutState).toBe("unfinished");
  const plan = await deployment.diff(session, id, error.properties, news, true);
  expect(plan.changes).toBe(true);
  emulator.settle(id, "DEPLOYED");
  sent();
  expect(await update(news, error.properties)).toMatchObject({ rolloutState: "deployed" });
  expect(sent().filter((request) => request.startsWith("PATCH"))).toEqual([]);
});
