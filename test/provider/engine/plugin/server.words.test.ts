/** Tests strings from a service wherever the plugin shows them: in errors, in plan lines, and in the state. */
import fc from "fast-check";
import { stoppedClock } from "../../../support/embeddedService";
import { failureOf } from "../../../support/httpServer";
import { closeClients, type Failed, provider, secret, URN } from "../../../support/pluginClient";
import { HOSTILE, hostileText, RUNNER_COMMAND, UNSEEN } from "../../../support/report/hostileTexts";

/**
 * The test puts each of `COUNT` strings into a look-up's error, and every `PART`th string also into everything that a
 * refresh, a plan and an update show or record.
 */
const [COUNT, PART] = [5_000, 20];
const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  jest.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)));
});
afterEach(() => {
  closeClients();
  jest.restoreAllMocks();
});

function refuse(text: string, where: string): void {
  if (UNSEEN.test(text) || RUNNER_COMMAND.test(text)) throw new Error(`${where}: ${JSON.stringify(text)}`);
}

function refuseIn(properties: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(properties))
    if (typeof value === "string") refuse(value, `the output ${name}`);
}

test("no hostile string from a service has an effect where the plugin's messages are shown", async () => {
  const { emulator, client } = await provider({}, { maxRetries: "0" });
  const program = {
    name: "chat",
    source: "external_docker",
    sourceConfig: { installCommand: "make" },
    sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
    secrets: secret({ KEY: "sk-canary" }),
    rollout: { wait: false },
  };
  const { inputs } = await client.check(URN, program);
  const answer = await client.call("create", { urn: URN, properties: inputs });
  const id: string = answer.getId();
  const state = answer.getProperties().toJavaScript();
  const refused = (word: string, method: string) =>
    emulator.failNext({
      kind: "status",
      status: 422,
      body: { detail: word },
      match: { method, pathPattern: /^.v2.deployments/ },
    });

  const { pass } = stoppedClock();
  // Reads within a few seconds of each other share a listing, so the second read would not show a later string.
  const later = () => pass(6_000);
  const words = [...HOSTILE, ...fc.sample(hostileText, COUNT - HOSTILE.length)];
  for (const [index, word] of words.entries()) {
    refused(word, "GET");
    const lookUp = { tok: "deployment-control:index:getDeployments", args: {} };
    const lookUpAnswer = await client.call("invoke", lookUp);
    refuse(lookUpAnswer.getFailuresList()[0].getReason(), "a look-up's failure");
    if (index % PART > 0) continue;
    const shown = { image_version: word, tenant_id: word, updated_at: word };
    emulator.change(id, {
      ...shown,
      source_config: { custom_url: word, install_command: word, build_command: word },
    });
    later();
    const read = await client.call("read", { urn: URN, id, properties: state, inputs });
    const live = read.getProperties().toJavaScript();
    refuseIn(live);
    const { inputs: news } = await client.check(URN, program, inputs);
    const olds = { urn: URN, id, olds: live, oldInputs: read.getInputs().toJavaScript(), news };
    await client.call("diff", olds);
    refused(word, "PATCH");
    const { message } = await failureOf<Failed>(client.call("update", olds));
    refuse(message.replaceAll("\n", "\u0000"), "an update's error");
    emulator.settle(id, `${word}_FAILED`);
    later();
    const failed = await client.call("read", { urn: URN, id, properties: state, inputs });
    refuseIn(failed.getProperties().toJavaScript());
    const planned = { ...olds, olds: failed.getProperties().toJavaScript() };
    await client.check(URN, program, inputs);
    await client.call("diff", planned);
  }
  expect(lines.length).toBeGreaterThanOrEqual((2 * words.length) / PART);
  for (const line of lines) refuse(line.replaceAll("\n", "\u0000"), "a line");
}, 600_000);
