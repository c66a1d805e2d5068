/**
 * Tests generated accounts with preview deployments and agents. Adoption and comparison skip every preview, and the
 * adopted project names each agent.
 */
import * as fc from "fast-check";
import { connectionFrom } from "../../../../provider/run/configuration";
import type { Properties } from "../../../../provider/schema/value";
import { compare } from "../../../../sdk/adopt/compare/compare";
import { type AccountSnapshot, readAccount } from "../../../../sdk/adopt/read/account";
import { type Criteria, selectionOf } from "../../../../sdk/adopt/read/selection";
import { resourcesIn } from "../../../../sdk/adopt/read/stack";
import { programOf } from "../../../../sdk/adopt/write/program";
import { readme } from "../../../../sdk/adopt/write/readme";
import { typescript } from "../../../../sdk/adopt/write/typescript";
import type { Emulator } from "../../../../sdk/emulator/index";
import { started } from "../../../support/embeddedService";
import { sessionOn } from "../../../support/providerRun";
import { deployment, readDeployment } from "../../../support/resourceCalls";

const DRAWN = 200;
const EVERYTHING: Criteria = { names: [], statuses: [], ids: [], terraform: undefined };
const PROJECT = { name: "adopted", packageSpec: "0.0.0", pulumiVersion: "3.250.0" };

const entry = fc.record({
  isPreview: fc.boolean(),
  isManaged: fc.boolean(),
  agent: fc.option(
    fc.record({
      agent_id: fc.uuid(),
      environment: fc.constantFrom("development", "staging", "production", "canary"),
    }),
  ),
});
type Drawn = typeof entry extends fc.Arbitrary<infer T> ? T : never;

/** Empties the service, fills it with the generated deployments, and returns them with their ids. */
function filled(emulator: Emulator, drawn: readonly Drawn[]) {
  for (const { id } of emulator.deployments()) emulator.remove(id);
  const ids = emulator.seed(drawn.length);
  return drawn.map((each, index) => {
    const id = ids[index] as string;
    emulator.change(id, { is_preview: each.isPreview, agent: each.agent });
    return { ...each, id, name: `seed-${String(index + 1).padStart(4, "0")}` };
  });
}
type Placed = ReturnType<typeof filled>[number];

const accountOn = (emulator: Emulator, profile: string): Promise<AccountSnapshot> => {
  const settings: { readonly [key: string]: string } = { baseUrl: emulator.url, profile };
  return readAccount(connectionFrom((key) => settings[key], {}, undefined));
};

const urnOf = (name: string) =>
  `urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:Deployment::${name}`;

/** The export of a stack that manages these deployments. */
const exportOf = (placed: readonly Placed[], states: readonly Properties[]) => ({
  name: "stack.json",
  text: JSON.stringify({
    deployment: {
      resources: placed.map(({ id, name }, index) => ({
        urn: urnOf(name),
        id,
        inputs: {},
        outputs: states[index],
      })),
    },
  }),
});

const image = (name: string) => `registry.example.test/seed:${Number(name.slice(-4))}`;

test(`in ${DRAWN} generated accounts, adoption and comparison skip every preview, refreshes lose no agent, and the README names each agent`, async () => {
  const emulator = await started({ profile: "langsmith" });
  const seen = { previews: 0, agents: 0 };
  const one = async (drawn: readonly Drawn[]): Promise<void> => {
    const placed = filled(emulator, drawn);
    const lasting = placed.filter(({ isPreview }) => !isPreview);
    const previewCount = placed.length - lasting.length;
    const account = await accountOn(emulator, "langsmith");

    if (lasting.length > 0) {
      const selection = selectionOf(account, EVERYTHING);
      const program = programOf(account, selection);
      expect(program.deployments.map(({ id }) => id).sort()).toEqual(lasting.map(({ id }) => id).sort());
      const { previews } = selection;
      const origin = { baseUrl: emulator.url, terraform: [], previews, showsListeners: true };
      const text = readme(program, typescript, PROJECT, origin).replaceAll("`", "");
      expect(text.includes("preview deployment")).toBe(previewCount > 0);
      if (previewCount > 0) expect(text).toContain(`Left out: ${previewCount} preview deployment`);
      for (const { agent } of lasting)
        if (agent !== null) expect(text).toContain(`bound to ${agent.agent_id}, ${agent.environment}`);
    } else expect(() => selectionOf(account, EVERYTHING)).toThrow("none of its 0 deployments matches");

    const managed = placed.filter(({ isManaged }) => isManaged);
    const { session } = sessionOn(emulator, { profile: "langsmith" });
    const states = await Promise.all(
      managed.map(async ({ id, name, agent }) => {
        const args = { name, source: "internal_docker", sourceRevisionConfig: { imageUri: image(name) } };
        const state = { ...args, serviceUrl: emulator.url, revisionGeneration: 1 };
        const { outputs = {}, inputs } = await readDeployment(session, id, { ...state, __urn: urnOf(name) });
        expect(inputs).toBeUndefined();
        expect(outputs.agent).toEqual(agent && { agentId: agent.agent_id, environment: agent.environment });
        return outputs;
      }),
    );
    const { rows } = compare(account, resourcesIn([exportOf(managed, states)]), EVERYTHING);
    expect(rows.map(({ finding, id }) => `${finding}: ${id}`).sort()).toEqual(
      lasting
        .filter(({ isManaged }) => !isManaged)
        .map(({ id }) => `not in the program: ${id}`)
        .sort(),
    );
    seen.previews += previewCount;
    seen.agents += lasting.filter(({ agent }) => agent !== null).length;
  };
  await fc.assert(fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 8 }), one), {
    numRuns: DRAWN,
    endOnFailure: true,
  });
  expect(Math.min(seen.previews, seen.agents)).toBeGreaterThan(5);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
}, 600_000);

test("a preview is not adopted even if its id is selected, and the error says so", async () => {
  const emulator = await started({ profile: "langsmith", previews: 1 });
  emulator.seed(1);
  const account = await accountOn(emulator, "langsmith");
  const ids = account.previews.map(({ id }) => id);
  expect(() => selectionOf(account, { ...EVERYTHING, ids })).toThrow(
    `has no deployment with the id ${ids[0]}; previews are not adopted`,
  );
});

test("an update of a deployment that is bound to an agent does not send the agent, and the binding stays", async () => {
  const emulator = await started({ profile: "langsmith" });
  const [id = ""] = emulator.seed(1);
  emulator.change(id, { agent: { agent_id: "a", environment: "staging" } });
  const { session } = sessionOn(emulator, { profile: "langsmith" });
  const args = { __urn: urnOf("seed"), name: "seed-0001", source: "internal_docker", adopt: id };
  const withImage = (tag: string) => ({
    ...args,
    sourceRevisionConfig: { imageUri: `r.example.test/a:${tag}` },
  });
  const { outputs } = await deployment.create(session, withImage("1"));
  const updated = await deployment.update(session, id, outputs, withImage("2"));
  expect([outputs, updated].map(({ agent }) => agent)).toEqual([
    { agentId: "a", environment: "staging" },
    { agentId: "a", environment: "staging" },
  ]);
  expect(JSON.stringify(emulator.requests.map(({ body }) => body ?? null))).not.toContain("agent");
});

test("under profile contract, the fields agent and is_preview of an answer have no meaning", async () => {
  const emulator = await started();
  const [id = ""] = emulator.seed(1, true);
  const account = await accountOn(emulator, "contract");
  expect([account.deployments.map((each) => each.id), account.previews]).toEqual([[id], []]);
  expect(account.deployments[0]?.values).not.toHaveProperty("isPreview");
  const { session } = sessionOn(emulator);
  const { outputs } = await readDeployment(session, id, { __urn: urnOf("seed"), name: "seed-0001" });
  expect(outputs).toMatchObject({ agent: null });
});
