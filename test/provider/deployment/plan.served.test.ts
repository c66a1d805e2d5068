import * as fc from "fast-check";
import type { Call } from "../../../provider/call";
import { inputsFrom } from "../../../provider/deployment/arguments";
import { planUpdate } from "../../../provider/deployment/plan";
import { createBody, isEmpty, plannedUpdate } from "../../../provider/deployment/request";
import { isAbsent, type Properties } from "../../../provider/fields/value";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator/index";
import { servedKeys, updates } from "../../support/arbitraryArguments";
import { started } from "../../support/embeddedService";

type Update = readonly [Properties, Properties];

const withoutDefaults = (options: EmulatorOptions): Promise<Emulator> =>
  started({ defaults: false, ...options });

async function send(emulator: Emulator, method: string, path: string, body: Properties): Promise<Properties> {
  const response = await fetch(emulator.url + path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${JSON.stringify(body)}: ${response.status} ${answer}`);
  return JSON.parse(answer) as Properties;
}

/**
 * Creates a deployment from `a`, updates it to `b` as the provider would, and returns the stored deployment before and
 * after the update.
 */
async function updated(emulator: Emulator, [a, b]: Update, profile: Profile) {
  const olds = inputsFrom(undefined, a, profile);
  const { id } = await send(emulator, "POST", "/v2/deployments", createBody(olds, profile));
  const before = stored(emulator, id);
  const news = inputsFrom(olds, b, profile);
  const plan = planUpdate(olds, news, profile);
  const { patch, revision } = plannedUpdate({} as Call, id as string, plan);
  if (!isEmpty(patch)) await send(emulator, "PATCH", `/v2/deployments/${id}`, patch);
  if (!isEmpty(revision)) await send(emulator, "POST", `/v2/deployments/${id}/revisions`, revision);
  const after = stored(emulator, id);
  return { before, after, olds, news, plan, made: after.revisions.length - before.revisions.length };
}

function stored(emulator: Emulator, id: unknown) {
  const stored = emulator.deployments().find((deployment) => deployment.id === id);
  if (stored === undefined) throw new Error(`${id} is not there`);
  return stored;
}

/** The managed part of a stored deployment, in the form of a POST body. */
function managedPart({
  name,
  source,
  source_config,
  source_revision_config,
  secrets,
  secret_references,
}: Properties) {
  const references = (secret_references as unknown[] | null) ?? [];
  const set = (config: unknown) =>
    Object.entries(config as Properties).filter(([, value]) => !isAbsent(value));
  const { repo_commit_sha: _service, ...revision } = Object.fromEntries(set(source_revision_config));
  return {
    name,
    source,
    source_config: Object.fromEntries(set(source_config)),
    source_revision_config: revision,
    secrets,
    ...(references.length === 0 ? {} : { secret_references: references }),
  };
}

/** Copies from `a` to `b` all fields in which a change would cause a replacement. */
const keepingIdentity = ([a, b]: Update): Update => {
  const { connection: _moved, secretReferences, ...others } = b;
  const same = { ...others, name: a.name, source: a.source, connection: a.connection };
  return [a, a.source === "external_docker" ? { ...same, secretReferences } : same];
};

const PREDICTED = {
  newRevision: [1],
  mayRevise: [0, 1],
  inPlace: [0],
  unchanged: [0],
  replace: [],
  mayReplace: [],
} as const;

test.each<[string, EmulatorOptions]>([
  ["merges", { patch: "merge" }],
  ["replaces", { patch: "replace" }],
  ["makes no revision for secrets and repeated values", { secretsMakeRevision: false }],
])(
  "after an update, a service that %s has exactly what the program declares, and has made each planned revision",
  async (_, options) => {
    const contract = PROFILES.contract as Profile;
    const emulator = await withoutDefaults(options);
    const property = fc.asyncProperty(updates(servedKeys).map(keepingIdentity), async (update) => {
      const { after, news, plan, made } = await updated(emulator, update, contract);
      expect(managedPart(after as unknown as Properties)).toEqual(managedPart(createBody(news, contract)));
      expect(PREDICTED[plan.verdict]).toContain(made);
    });
    await fc.assert(property, { numRuns: 150 });
  },
);

const EVERYWHERE = ["installCommand", "buildCommand"];
/** The fields that the published service accepts for each source. */
const FITTING: { readonly [source: string]: { config: string[]; revision: string[] } } = {
  repohost: {
    config: ["integrationId", "repoUrl", "deploymentType", "buildOnPush"],
    revision: ["repoRef", "graphConfigPath"],
  },
  internal_source: { config: [], revision: ["graphConfigPath", "sourceTarballPath"] },
  internal_docker: { config: [], revision: ["imageUri"] },
  external_docker: {
    config: ["customUrl", "resourceSpec", "listenerId", "listenerConfig"],
    revision: ["imageUri"],
  },
};
const CPU = ["cpu", "cpuLimit", "queueCpu", "queueCpuLimit", "redisCpu", "redisCpuLimit"];
const WHOLE = /^(orchestrator|executor)(Memory|M..Scale)|^db(Memory|Storage|Max)/;

/** Limits an update to the fields and values that the published service accepts for the source. */
function forLangsmith([a, b]: Update): Update {
  const source = a.source === "internal_template" ? "internal_docker" : (a.source as string);
  const fits = FITTING[source] as { config: string[]; revision: string[] };
  const isBuilt = fits.revision.includes("graphConfigPath");
  const only = (section: unknown, names: readonly string[]): Properties =>
    Object.fromEntries(Object.entries(section ?? {}).filter(([name]) => names.includes(name)));
  const fitted = ({ revisionSource, ...args }: Properties): Properties => {
    const { resourceSpec, ...config } = only(args.sourceConfig, [...fits.config, ...EVERYWHERE]);
    const revision = only(args.sourceRevisionConfig, fits.revision);
    const needed = isBuilt ? { graphConfigPath: revision.graphConfigPath ?? "g.json" } : {};
    return {
      ...args,
      source,
      ...(revisionSource === source ? { revisionSource } : {}),
      sourceRevisionConfig: { ...revision, ...needed },
      sourceConfig: {
        ...config,
        ...(isAbsent(resourceSpec) ? {} : { resourceSpec: publishedSpec(resourceSpec as Properties) }),
      },
    };
  };
  return keepingIdentity([fitted(a), fitted({ ...b, source })]);
}

function publishedSpec(spec: Properties): Properties {
  const fitted = Object.entries(spec).map(([name, value]) => {
    if (CPU.includes(name) && typeof value === "number") return [name, 1 + (Math.round(value) % 60) / 10];
    if (WHOLE.test(name) && typeof value === "number") return [name, Math.round(value)];
    if (["initContainers", "sidecars", "imagePullSecrets"].includes(name) && Array.isArray(value))
      return [name, value.map((each) => publishedElement(name, each))];
    return [name, value];
  });
  return Object.fromEntries(fitted);
}

/** The element of a list, with the fields that the published service requires, and with quantities as text. */
function publishedElement(list: string, { env, resources, ...element }: Properties): Properties {
  if (list === "imagePullSecrets") return { name: "n" };
  const quantities = Object.entries((resources ?? {}) as { [kind: string]: Properties | null });
  return {
    ...element,
    name: "n",
    image: "i",
    ...(Array.isArray(env) && { env: env.map((each) => ({ ...each, name: "n" })) }),
    ...(quantities.length > 0 && {
      resources: Object.fromEntries(
        quantities.map(([kind, amounts]) => [
          kind,
          amounts && Object.fromEntries(Object.keys(amounts).map((name) => [name, "1"])),
        ]),
      ),
    }),
  };
}

const image = {
  name: "chat",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "i:1" },
  secrets: {},
};
/** One update for each verdict, because a short run might not happen to draw one with that verdict. */
const EXAMPLES: Update[] = [
  [image, { ...image, sourceRevisionConfig: { imageUri: "i:2" } }],
  [image, { ...image, sourceConfig: { customUrl: "https://chat.example.test" } }],
];

test("after an update, a service like the public one has what the program declares, and has made each planned revision", async () => {
  const langsmith = PROFILES.langsmith as Profile;
  const verdicts = new Set<string>();
  const emulator = await withoutDefaults({ profile: "langsmith" });
  const property = fc.asyncProperty(updates(servedKeys).map(forLangsmith), async ([a, b]) => {
    const ids = ["integrationId", "repoUrl", "deploymentType", "listenerId", "listenerConfig"];
    const fixed = Object.fromEntries(ids.map((name) => [name, (a.sourceConfig as Properties)[name]]));
    const inPlace = { ...b, sourceConfig: { ...(b.sourceConfig as Properties), ...fixed } };
    const { after, news, plan, made } = await updated(emulator, [a, inPlace], langsmith);
    verdicts.add(plan.verdict);
    expect(PREDICTED[plan.verdict]).toContain(made);
    const wanted = createBody(news, langsmith) as { [section: string]: Properties };
    expect(after.source_config).toMatchObject(withoutSpec(wanted.source_config as Properties));
    expect(after.source_config.resource_spec ?? {}).toEqual(wanted.source_config?.resource_spec ?? {});
    expect(after.source_revision_config).toMatchObject(wanted.source_revision_config as Properties);
    if (Object.keys(wanted.secrets as object).length > 0) expect(after.secrets).toEqual(wanted.secrets);
  });
  await fc.assert(property, { numRuns: 150, examples: EXAMPLES.map((update) => [forLangsmith(update)]) });
  expect([...verdicts]).toEqual(expect.arrayContaining(["newRevision", "inPlace"]));
});

function withoutSpec({ resource_spec: _whole, ...config }: Properties): Properties {
  return config;
}
