import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "../support/engine/form";
import { chat, revisionCount } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

/** A program whose error hook makes the engine retry a failed operation the given number of times. */
const retrying = (times: number) => () => {
  let retriesLeft = times;
  const again = new pulumi.ErrorHook("again", () => {
    retriesLeft -= 1;
    return retriesLeft >= 0;
  });
  new Deployment("chat", chat(), { hooks: { onError: [again] } });
};

test("if an error hook retries a creation whose revision failed, no second deployment is made and nothing is sent twice", async () => {
  // With an API key, the journal proves that the secrets are unchanged.
  const { emulator, stack } = await testStack({ apiKey: "test-api-key" });
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  const run = await stack.up(retrying(2));
  expect(run.text).toContain("retrying create due to on-error hook request (2/100)");
  expect(run.text).toContain("which an interrupted creation made: the service had answered it");
  expect(run.error).toContain("DEPLOY_FAILED");
  expect(run.requests.filter(({ method }) => method !== "GET")).toHaveLength(1);
  expect(emulator.deployments()).toHaveLength(1);
  expect(revisionCount(emulator)).toBe(1);
});
