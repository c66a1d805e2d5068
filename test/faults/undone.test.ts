/**
 * A run is stopped after the service has received its update. The program then returns to the arguments in the state.
 * The next plan says that a revision may follow, and why. `pulumi up` makes the service match the program again.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { OWED } from "../../provider/diff/sentences";
import type { Emulator } from "../../sdk/emulator/index";
import { FaultStack, type Running, type Service, startService } from "../support/faults/faultStack";
import { killIn } from "../support/faults/killCase";
import { chat, image } from "../support/faults/killPoints";
import { isWhole } from "../support/faults/size";

const declared = {
  chat: chat({
    sourceConfig: { customUrl: "https://first.example.test" },
    environment: { LEVEL: "info" },
    secrets: { TOKEN: "token-first-secret" },
  }),
};
const changed = {
  chat: chat({
    ...image(2),
    sourceConfig: { customUrl: "https://second.example.test" },
    environment: { LEVEL: "debug" },
    secrets: { TOKEN: "token-second-secret", MORE: "further-secret-value" },
  }),
};

const STOPS: { readonly [how: string]: (running: Running, service: Service) => Promise<unknown> } = {
  "kill -9": (running, service) => killIn(running, "both", service),
  "two Ctrl-C": async ({ child, ended }) => {
    child.kill("SIGINT");
    await new Promise((done) => setTimeout(done, 500));
    child.kill("SIGINT");
    await ended;
  },
};

/** The arguments that the service has. */
function served(emulator: Emulator) {
  emulator.behaviour.secretsInResponses = "echoed";
  const [{ source_config, source_revision_config, secrets } = {} as never] = emulator.deployments();
  emulator.behaviour.secretsInResponses = "masked";
  return { source_config, source_revision_config, secrets };
}

const SHORT = [
  ["contract", "kill -9", "the same machine"],
  ["langsmith", "kill -9", "another machine, after recover"],
] as const;
const WHOLE = (["contract", "langsmith"] as const).flatMap((profile) => [
  ...Object.keys(STOPS).map((how) => [profile, how, "the same machine"] as const),
  [profile, "kill -9", "another machine, after recover"] as const,
]);

test.each(isWhole ? WHOLE : SHORT)(
  "profile %s, %s: on %s, the plan of the old program says that a revision may follow, and `pulumi up` makes the service match that program again",
  async (profile, how, where) => {
    const service = await startService({ profile, secretsInResponses: "masked" });
    const { emulator, gate } = service;
    const environment = {
      DEPLOYMENT_CONTROL_PROFILE: profile,
      DEPLOYMENT_CONTROL_API_KEY: "key-of-the-service",
    };
    const stack = await new FaultStack(gate, { environment }).init();
    await stack.mustUp(declared);
    const before = served(emulator);

    const arrived =
      profile === "contract"
        ? gate.hold("answer", "PATCH", /^\/v2\/deployments\/[^/]+$/)
        : gate.hold("answer", "POST", /\/revisions$/);
    const running = stack.startUp(changed);
    await arrived;
    await STOPS[how]?.(running, service);
    expect(served(emulator)).not.toEqual(before);

    const isElsewhere = where !== "the same machine";
    const next = isElsewhere ? await stack.elsewhere() : stack;
    await next.cancel();
    if (isElsewhere) {
      const recovered = await next.recover();
      expect([recovered.code, recovered.text]).toEqual([2, expect.stringContaining("1 operation pending")]);
    }
    const { text } = await next.run(declared, "preview", "--json");
    const file = path.join(next.folder, "preview.json");
    writeFileSync(file, text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
    expect(text).toContain(`may create a new revision (${OWED.doubt}`);
    const gated = await next.command("plan", file, "--format", "json", "--fail-on", "may");
    expect([gated.code, gated.text]).toEqual([
      2,
      expect.stringContaining('"verdict": "may-create-revision"'),
    ]);
    expect(gated.text).toContain(
      "it is not known whether the last update was applied: the update looks first",
    );
    expect(gated.text).not.toContain("the provider said otherwise");
    expect(text + gated.text).not.toMatch(/token-(first|second)-secret|further-secret-value/);

    const up = await next.up(declared);
    expect([up.code, served(emulator)]).toEqual([0, before]);
    expect(await next.run(declared, "preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  },
  600_000,
);
