/**
 * `pulumi up` finds deployments that no stack's state contains. The engine starts one provider process for the preview
 * and another for the update.
 */
import { created } from "../support/embeddedService";
import { FaultStack, startService } from "../support/faults/faultStack";

const NAMES = Array.from({ length: 24 }, (_, index) => `chat-${index}`);
const IMAGE = "registry.example/chat:1";

test.each(["dynamic", "plugin"])(
  '%s: `pulumi up` refuses to create existing deployments and names their ids; with adopt "identical", `pulumi up` takes over all these deployments and sends no write',
  async (form) => {
    const { emulator, gate } = await startService();
    const stack = await new FaultStack(gate, { environment: { FORM: form } }).init();
    const body = {
      source: "external_docker",
      source_config: {},
      source_revision_config: { image_uri: IMAGE },
      secrets: [],
    };
    for (const name of NAMES) await created(emulator, { ...body, name });
    emulator.requests.length = 0;
    const args = { source: "external_docker", sourceRevisionConfig: { imageUri: IMAGE } };
    const program = Object.fromEntries(NAMES.map((name) => [name, { ...args, name }]));
    const refused = await stack.run(program, "up", "--yes");
    const named = emulator.deployments().filter(({ id }) => refused.text.includes(`set adopt: "${id}"`));
    expect(named.length).toBeGreaterThan(1);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    await stack.must({}, "config", "set", "deployment-control:adopt", "identical");
    await stack.must(program, "up", "--yes");
    expect((await stack.state()).resources).toHaveLength(NAMES.length + 2);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  },
  180_000,
);
