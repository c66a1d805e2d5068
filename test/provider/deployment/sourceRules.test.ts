import { faultsOf } from "../../../provider/deployment/arguments";
import {
  applicable,
  installationFaults,
  type Purpose,
  sourceDoubts,
} from "../../../provider/deployment/sourceRules";
import { faultInWords, hiddenBy } from "../../../provider/schema/check";
import { SOURCES } from "../../../provider/schema/deployment";
import { type Properties, UNKNOWN } from "../../../provider/schema/value";
import { contract, langsmith } from "../../support/deploymentArguments";
import { provided, sessionOn, URN } from "../../support/providerRun";
import { deployment } from "../../support/resourceCalls";

const ID = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";

/** Arguments that the public service accepts for each source. */
const accepted: { readonly [source: string]: Properties } = {
  repohost: {
    sourceConfig: {
      integrationId: ID,
      repoUrl: "https://git.example/acme/chat",
      deploymentType: "dev",
      buildOnPush: true,
      installCommand: "npm ci",
      buildCommand: "npm run build",
    },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
  },
  internal_source: {
    sourceConfig: { deploymentType: "dev", installCommand: "npm ci" },
    sourceRevisionConfig: { graphConfigPath: "graph.json", sourceTarballPath: "uploads/1.tgz" },
  },
  internal_docker: {
    sourceConfig: { deploymentType: "prod" },
    sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  },
  external_docker: {
    sourceConfig: {
      listenerId: ID,
      listenerConfig: { k8sNamespace: "agents" },
      resourceSpec: { cpu: 0.5, minScale: 1 },
      customUrl: "https://chat.example",
    },
    sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
    secretReferences: { TOKEN: { secretName: "tokens", secretKey: "chat" } },
  },
};

function faults(
  args: Properties,
  purpose: Purpose = "creation",
  profile = langsmith,
  olds?: Properties,
): string[] {
  const whole = { name: "chat", ...accepted[args.source as string], ...args };
  return faultsOf(whole, profile, hiddenBy(["secrets"]), purpose, olds).map(
    ({ path, words }) => `${path.join(".")}: ${words}`,
  );
}

const config = (source: string, sourceConfig: Properties): Properties => ({
  source,
  sourceConfig: { ...(accepted[source]?.sourceConfig as Properties), ...sourceConfig },
});
const revision = (source: string, sourceRevisionConfig: Properties): Properties => ({
  source,
  sourceRevisionConfig: {
    ...(accepted[source]?.sourceRevisionConfig as Properties),
    ...sourceRevisionConfig,
  },
});

const FIELDS: readonly (readonly [path: string, value: unknown, sources: readonly string[]])[] = [
  ["sourceConfig.integrationId", ID, ["repohost"]],
  ["sourceConfig.repoUrl", "https://git.example/acme/chat", ["repohost"]],
  [
    "sourceConfig.deploymentType",
    "dev_zero",
    ["repohost", "internal_docker", "internal_source", "internal_template"],
  ],
  ["sourceConfig.templateId", "template-1", ["internal_template"]],
  ["sourceConfig.buildOnPush", false, ["repohost"]],
  ["sourceConfig.customUrl", "https://chat.example", ["external_docker"]],
  ["sourceConfig.resourceSpec", { minScale: 1 }, ["external_docker"]],
  ["sourceConfig.listenerId", ID, ["external_docker"]],
  ["sourceConfig.listenerConfig", { k8sNamespace: "agents" }, ["external_docker"]],
  ["sourceConfig.installCommand", "npm ci", SOURCES],
  ["sourceConfig.buildCommand", "make", SOURCES],
  ["sourceRevisionConfig.repoRef", "main", ["repohost"]],
  [
    "sourceRevisionConfig.graphConfigPath",
    "graph.json",
    ["repohost", "internal_source", "internal_template"],
  ],
  ["sourceRevisionConfig.imageUri", "registry.example/chat:1", ["external_docker", "internal_docker"]],
  ["sourceRevisionConfig.sourceTarballPath", "uploads/1.tgz", ["internal_source"]],
  ["secretReferences", { TOKEN: { secretName: "s", secretKey: "k" } }, ["external_docker"]],
];

describe.each(FIELDS)("%s", (path, value, sources) => {
  const [section = "", member] = path.split(".");
  const argumentsFrom = (source: string): Properties => {
    if (member === undefined) return { source, [section]: value };
    return section === "sourceConfig"
      ? config(source, { [member]: value })
      : revision(source, { [member]: value });
  };

  test.each(Object.keys(accepted))("the field is accepted only from the listed sources: %s", (source) => {
    for (const purpose of ["creation", "adoption", "update"] as const) {
      const words = `${path}: is only for source ${sources.map((each) => `"${each}"`).join(" or ")} (profile "langsmith"), not for "${source}". `;
      expect(faults(argumentsFrom(source), purpose)).toEqual(
        sources.includes(source) ? [] : [expect.stringContaining(words)],
      );
    }
  });

  test("the field is not checked while the deployment's source is unknown", () => {
    expect(faults({ ...argumentsFrom("internal_docker"), source: UNKNOWN })).toEqual([]);
  });
});

test("a field that only the service sets is refused, and the error names the output that shows the field", () => {
  expect(faults(config("repohost", { customUrl: "https://chat.example" }))).toEqual([
    'sourceConfig.customUrl: is only for source "external_docker" (profile "langsmith"), not for "repohost". ' +
      "Leave it out: the service sets it and returns it as the output url",
  ]);
});

test("the template and the display name are fields of langsmith, and the contract refuses them", () => {
  const sourceConfig = { templateId: "template-1" };
  const args = { source: "internal_template", displayName: "Chat", sourceConfig };
  expect(faults(args)).toEqual([]);
  const words = 'is not a field of the service of profile "contract"; profiles that have it: langsmith';
  expect(faults(args, "creation", contract)).toEqual([
    `displayName: ${words}`,
    `sourceConfig.templateId: ${words}`,
  ]);
});

test("the graph configuration path is required only if it is certain that a deployment will be created", () => {
  for (const source of ["repohost", "internal_source"]) {
    const without = { source, sourceRevisionConfig: source === "repohost" ? { repoRef: "main" } : {} };
    expect(faults(without)).toEqual([
      `sourceRevisionConfig.graphConfigPath: is missing; source "${source}" creates nothing without it (profile "langsmith"). ` +
        "Set the path of the graph configuration file within the source",
    ]);
    expect(faults(without, "update")).toEqual([]);
    expect(faults(without, "adoption")).toEqual([]);
    expect(faults({ source, sourceRevisionConfig: UNKNOWN })).toEqual([]);
    expect(faults(revision(source, { graphConfigPath: UNKNOWN }))).toEqual([]);
    expect(faults(without, "creation", contract)).toEqual([]);
  }
});

test("an update may set the fields of its revision source in addition to the fields of the deployment's source", () => {
  const tarball = { graphConfigPath: "graph.json", sourceTarballPath: "uploads/1.tgz" };
  const uploaded = { ...revision("internal_docker", tarball), revisionSource: "internal_source" };
  expect(faults(uploaded, "update")).toEqual([]);
  expect(faults(uploaded, "adoption")).toEqual([]);
  expect(faults({ ...uploaded, revisionSource: UNKNOWN }, "update")).toEqual([]);
  expect(faults({ ...uploaded, revisionSource: "repohost" }, "update")).toEqual([
    'sourceRevisionConfig.sourceTarballPath: is only for source "internal_source" (profile "langsmith"), ' +
      'not for "internal_docker" with revisionSource "repohost". Leave it out',
  ]);
});

test("a creation sends no revision source, so check refuses fields that only the revision source accepts", () => {
  const uploaded = {
    ...revision("internal_docker", { sourceTarballPath: "uploads/1.tgz" }),
    revisionSource: "internal_source",
  };
  expect(faults(uploaded)).toEqual([
    'sourceRevisionConfig.sourceTarballPath: is only for source "internal_source" (profile "langsmith"), not for "internal_docker". ' +
      "revisionSource applies only to updates: add this argument after the creation",
  ]);
  expect(faults({ ...uploaded, revisionSource: UNKNOWN })).toHaveLength(1);
});

test("check refuses buildOnPush for a tag", () => {
  const tagged = (buildOnPush: unknown, repoRef: unknown) => ({
    ...config("repohost", { buildOnPush }),
    ...revision("repohost", { repoRef }),
  });
  for (const purpose of ["creation", "adoption", "update"] as const) {
    expect(faults(tagged(true, "refs/tags/v1"), purpose)).toEqual([
      "sourceConfig.buildOnPush: got true; allowed: false where sourceRevisionConfig.repoRef starts with refs/tags/ " +
        '(profile "langsmith"). A tag does not move: set buildOnPush to false, or set repoRef to a branch',
    ]);
  }
  const fine = [
    [false, "refs/tags/v1"],
    [undefined, "refs/tags/v1"],
    [UNKNOWN, "refs/tags/v1"],
    [true, UNKNOWN],
    [true, "tags/v1"],
  ];
  for (const [buildOnPush, repoRef] of fine) expect(faults(tagged(buildOnPush, repoRef))).toEqual([]);
  expect(faults(tagged(true, "refs/tags/v1"), "creation", contract)).toEqual([]);
});

test("an argument that the source does not accept is refused only if one of its values is known", () => {
  for (const resourceSpec of [UNKNOWN, {}, { minScale: UNKNOWN }])
    expect(faults(config("repohost", { resourceSpec }))).toEqual([]);
  expect(faults({ source: "repohost", sourceConfig: UNKNOWN })).toEqual([]);
  expect(faults({ source: "repohost", secretReferences: UNKNOWN })).toEqual([]);
  expect(faults({ source: "repohost", secretReferences: {} })).toEqual([]);
  expect(faults(config("repohost", { resourceSpec: { minScale: UNKNOWN, maxScale: 2 } }))).toHaveLength(1);
});

test("an import leaves out arguments that the source does not accept, although the service shows them", () => {
  const args = {
    source: "repohost",
    sourceConfig: { repoUrl: "https://repohost.example/a", resourceSpec: { minScale: 1 }, listenerId: null },
  };
  const { source, sourceConfig } = applicable(args, langsmith);
  expect({ source, sourceConfig }).toEqual({
    source: "repohost",
    sourceConfig: { repoUrl: "https://repohost.example/a", listenerId: null },
  });
  expect(applicable({ ...args, source: "external_docker" }, langsmith)).toMatchObject({
    sourceConfig: { resourceSpec: { minScale: 1 } },
  });
});

const image = (imageUri?: unknown): Properties => ({
  __urn: URN,
  name: "chat",
  source: "external_docker",
  sourceRevisionConfig: imageUri === undefined ? {} : { imageUri },
});
const ref = (repoRef?: string): Properties => ({
  __urn: URN,
  ...config("repohost", { buildOnPush: false }),
  name: "chat",
  sourceRevisionConfig: { graphConfigPath: "graph.json", ...(repoRef !== undefined && { repoRef }) },
});

describe.each([
  [image, "registry.example/chat:1", "sourceRevisionConfig.imageUri", "Set the image to run"],
  [ref, "main", "sourceRevisionConfig.repoRef", "Set the branch or tag to build"],
] as const)("deployments with nothing to run (%p)", (argumentsWith, value, path, remedy) => {
  const { __urn, ...args } = argumentsWith(value);
  const { __urn: _, ...nothing } = argumentsWith();
  const { __urn: __, ...blank } = argumentsWith(" ");
  const words = (profile: string) =>
    `${path}: is missing; source "${args.source}" has nothing to run without it (profile "${profile}"). ${remedy}`;

  test("a deployment with nothing to run is refused under langsmith, at its creation and when an update removes the argument", () => {
    expect(faults(nothing)).toEqual([words("langsmith")]);
    const refused =
      argumentsWith === image ? expect.stringMatching(/got " " .*an image such as/) : words("langsmith");
    expect(faults(blank)).toEqual([refused]);
    expect(faults(nothing, "update", langsmith, args)).toEqual([words("langsmith")]);
  });

  test("under the profile `contract`, a deployment with nothing to run gets a warning when it is created, and when an update removes what it runs", () => {
    for (const olds of [undefined, args]) {
      expect(faults(nothing, olds && "update", contract, olds)).toEqual([]);
      expect(sourceDoubts(nothing, contract, olds)).toEqual([words("contract")]);
    }
  });

  test("a deployment with nothing to run is accepted if it is adopted, if the argument is not known until the apply, or if the program never set the argument", () => {
    expect(faults({ ...nothing, sourceRevisionConfig: UNKNOWN })).toEqual([]);
    expect(faults(nothing, "adoption")).toEqual([]);
    expect(faults(nothing, "update", langsmith, nothing)).toEqual([]);
    const revised = { ...nothing, revisionSource: "internal_docker" };
    expect(args.source === "repohost" ? [] : faults(revised, "update", langsmith, args)).toEqual([]);
  });
});

describe("bounds", () => {
  const inSpec = (resourceSpec: Properties) => config("external_docker", { resourceSpec });
  const NAMES = ["cpu", "queueCpu", "redisCpu"];
  const BOUNDS = NAMES.flatMap((name) => [[name, 8] as const, [`${name}Limit`, 16] as const]);

  test.each(BOUNDS)("langsmith refuses %s outside its bounds", (name, most) => {
    for (const value of [0.1, 0.3, 0.7, 1, 2.9, most, UNKNOWN]) {
      expect(faults(inSpec({ [name]: value }))).toEqual([]);
    }
    for (const value of [0, 0.09, 0.25, 1.05, most + 0.1]) {
      expect(faults(inSpec({ [name]: value }))).toEqual([
        `sourceConfig.resourceSpec.${name}: got ${value}; allowed: a number from 0.1 to ${most} with at most 1 decimal place (profile "langsmith")`,
      ]);
      expect(faults(inSpec({ [name]: value }), "creation", contract)).toEqual([]);
    }
  });

  test.each<[Properties, string]>([
    [{ dbMemoryMb: 0.5 }, "dbMemoryMb: got 0.5 (a number); allowed: an integer of at least 0"],
    [{ sidecars: [{ name: "log" }] }, "sidecars.0.image: is missing; allowed: a string"],
    [
      { sidecars: [{ name: "log", image: "log:1", resources: { limits: { cpu: 1 } } }] },
      "sidecars.0.resources.limits.cpu: got 1 (a number); allowed: a string",
    ],
  ])("langsmith refuses the spec %j, which the contract accepts", (spec, words) => {
    expect(faults(inSpec(spec))).toEqual([`sourceConfig.resourceSpec.${words}`]);
    expect(faults(inSpec(spec), "creation", contract)).toEqual([]);
  });

  test("a value that the program keeps secret is not shown", () => {
    const hidden = hiddenBy(["sourceConfig.resourceSpec.cpu"]);
    const [fault] = faultsOf({ name: "chat", ...inSpec({ cpu: 0.25 }) }, langsmith, hidden, "update");
    expect(`${fault?.words}`).toMatch(/^got a number \(secret, so not shown\); allowed: /);
  });
});

test("check refuses a missing argument only if it is certain that the deployment will be created", async () => {
  const { session } = await provided({ profile: "langsmith" });
  const built = {
    __urn: URN,
    name: "chat",
    source: "repohost",
    sourceConfig: { buildOnPush: true },
    sourceRevisionConfig: { repoRef: "main" },
  };
  const faultsIn = async (args: Properties, olds?: Properties) =>
    (await deployment.check(session, olds, { ...built, ...args })).failures.map(faultInWords);
  const missing = [expect.stringMatching(/^sourceRevisionConfig.graphConfigPath: is missing; /)];
  // No deployment has the name yet, so an adoption by name would become a creation.
  for (const adopt of [undefined, false, true]) expect(await faultsIn({ adopt })).toEqual(missing);
  for (const unknown of [{ adopt: UNKNOWN }, { adopt: true, name: UNKNOWN }])
    expect(await faultsIn(unknown)).toEqual([]);
  const sourceRevisionConfig = { repoRef: "main", graphConfigPath: "graph.json" };
  const { id, outputs } = await deployment.create(session, { ...built, sourceRevisionConfig });
  for (const adopt of [id, true]) expect(await faultsIn({ adopt })).toEqual([]);
  expect(await faultsIn({}, outputs)).toEqual([]);
});

test.each<[string, string, Properties, RegExp | undefined]>([
  [
    "https://api.host.langchain.com",
    "external_docker",
    {},
    /allowed on LangSmith: "repohost".*, or "external_docker" with sourceConfig\.listenerId$/,
  ],
  ["https://eu.api.host.langchain.com", "external_docker", { listenerId: ID }, undefined],
  ["https://eu.api.host.langchain.com", "external_docker", { listenerId: UNKNOWN }, undefined],
  ["https://api.host.langchain.com", "repohost", {}, undefined],
  [
    "https://smith.example.com/api-host",
    "repohost",
    {},
    /got "repohost"; allowed on self-hosted LangSmith: "external_docker"$/,
  ],
  ["https://smith.example.com/api-host", "external_docker", {}, undefined],
  ["https://control.example.com", "repohost", {}, undefined],
])(
  "on %s, a preview says whether the installation has the source %s",
  (baseUrl, source, sourceConfig, words) => {
    const [fault] = installationFaults({ source, sourceConfig }, { profile: langsmith, baseUrl });
    expect(fault && faultInWords(fault)).toEqual(words && expect.stringMatching(words));
  },
);

test("the check of a creation refuses a source that the installation does not have, and the error uses the words that programs use", async () => {
  const { session } = sessionOn({ url: "https://smith.example.com/api-host" } as never, {
    profile: "langsmith",
  });
  const args = { __urn: URN, name: "chat", source: "repohost", ...accepted.repohost };
  const { failures } = await deployment.check(session, undefined, args);
  expect(failures.map(faultInWords)).toEqual([
    expect.stringMatching(/^source: got "repohost"; allowed on self-hosted/),
  ]);
});
