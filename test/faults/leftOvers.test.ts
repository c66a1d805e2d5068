/**
 * A preview and an up meet deployments that no state holds. The engine starts a provider process for each of the two
 * commands.
 */
import { ask, started } from "../support/embeddedService";
import { FaultStack } from "../support/faults/faultStack";
import { Gate } from "../support/faults/gate";

const NAMES = Array.from({ length: 24 }, (_, index) => `chat-${index}`);
const image = { image_uri: "registry.example/chat:1" };

test.each(["dynamic", "plugin"])(
  '%s: one up names every deployment that is in its way, and "identical" takes over all of them without a write',
  async (form) => {
    const emulator = await started();
    const gate = await Gate.before(emulator.url);
    const stack = await new FaultStack(gate, { environment: { FORM: form } }).init();
    const bodies = NAMES.map((name) => ({ name, source: "external_docker", source_revision_config: image }));
    for (const body of bodies)
      await ask(emulator, "POST", "/v2/deployments", { ...body, source_config: {}, secrets: [] });
    emulator.requests.length = 0;
    const args = { source: "external_docker", sourceRevisionConfig: { imageUri: image.image_uri } };
    const program = Object.fromEntries(NAMES.map((name) => [name, { ...args, name }]));
    const refused = await stack.run(program, "up", "--yes");
    const lines = emulator.deployments().map(({ id, name }) => `${name}: adopt: "${id}"`);
    for (const line of lines) expect(refused.text.split(line)).toHaveLength(2);
    await stack.must({}, "config", "set", "deployment-control:adopt", "identical");
    await stack.must(program, "up", "--yes");
    expect((await stack.state()).resources).toHaveLength(NAMES.length + 2);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    await gate.close();
  },
  180_000,
);
