import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "../support/engine/form";
import { chat, revisionCount } from "../support/engine/programs";
import { closeAll, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

/** A program whose error hook lets the engine try so often again. */
const retrying = (times: number) => () => {
  let left = times;
  const again = new pulumi.ErrorHook("again", () => {
    left -= 1;
    return left >= 0;
  });
  new Deployment("chat", chat(), { hooks: { onError: [again] } });
};

test("an error hook that tries a creation again whose revision failed makes no second deployment, and sends nothing twice", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  const run = await stack.up(retrying(2));
  expect(run.text).toContain("retrying create due to on-error hook request (2/100)");
  expect(run.text).not.toContain("interrupted run");
  expect(run.error).toContain("DEPLOY_FAILED");
  expect(run.requests.filter(({ method }) => method !== "GET")).toHaveLength(1);
  expect(emulator.deployments()).toHaveLength(1);
  expect(revisionCount(emulator)).toBe(1);
});

test("an error hook that tries a refused creation again sends it when what was in its way is gone", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  emulator.failNext({ kind: "status", status: 422, match: { method: "POST" } });
  const run = await stack.up(retrying(1));
  expect(run.error).toBeUndefined();
  expect(run.requests.filter(({ method }) => method === "POST").map(({ path }) => path)).toHaveLength(2);
  expect(emulator.deployments()).toHaveLength(1);
});
