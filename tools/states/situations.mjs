// The situations that are recorded: a stack without trouble, a stack whose resources got into trouble one by one, and
// stacks whose `up` was killed.

const deployment = (name, args) => ({ type: "Deployment", name, args: { name, ...args } });
const fromImage = (name, tag, args) =>
  deployment(name, {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: `registry.example/${name}:${tag}` },
    ...args,
  });

const settled = [
  fromImage("settled", 1, {
    sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 1.5, labels: { team: "a" } } },
    secrets: { TOKEN: "token-of-the-test" },
    secretReferences: { REFERENCE: { secretName: "n", secretKey: "k" } },
    revisionTriggers: { t: "1" },
  }),
  deployment("repository", {
    source: "repohost",
    sourceConfig: { integrationId: "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21", buildOnPush: true },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
    secrets: {},
  }),
];

const otherResources = [
  {
    type: "Listener",
    name: "cluster",
    args: { computeType: "k8s", computeId: "cluster-1", computeConfig: { k8sNamespaces: ["a"] } },
  },
  { type: "TokenMetadata", name: "label", args: { tokenId: "token-1", providerAccountLabel: "ci" } },
  { type: "Rollout", name: "all", args: { deployments: ["settled", "repository"] } },
];

const adopted = { source: "external_docker", source_config: { resource_spec: { min_scale: 1 } } };
const image = { sourceRevisionConfig: { imageUri: "registry.example/second:2" } };
const ref = { sourceRevisionConfig: { repoRef: "second", graphConfigPath: "graph.json" } };
const fromRepository = (name) => deployment(name, { ...settled[1].args, name });
const failing = (emulator) => emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
const losing = (kind) => (emulator) => {
  emulator.failNext({ kind, match: { method: "PATCH" } });
  emulator.failNext({ kind: "status", status: 500, match: { method: "GET" } });
};

/**
 * Troubles, by the name of the resource in trouble. Each trouble has a separate `up`, which changes only that resource.
 * `happens`: the event during that `up`.
 */
const troubles = {
  failed: { happens: failing, change: image },
  failedInSecrets: { happens: failing, change: { secrets: { TOKEN: "second-token-of-the-test" } } },
  restored: { happens: failing, change: { ...image, rollout: { onFailure: "restore" } } },
  unfinished: {
    happens: (emulator) => Object.assign(emulator.behaviour, { revisionSeconds: 600 }),
    change: { ...image, rollout: { timeoutSeconds: 1 } },
  },
  unwaited: { change: { ...image, rollout: { wait: false } }, succeeds: true },
  uncertain: { happens: losing("drop-after"), change: image },
  uncertainNotApplied: { happens: losing("drop-before"), change: image },
  uncertainInSecrets: {
    happens: losing("drop-after"),
    change: { secrets: { TOKEN: "second-token-of-the-test" } },
  },
  uncertainThenPushed: { happens: losing("drop-after"), change: ref, pushed: true },
  failedCreation: { happens: failing, isNew: fromImage("failedCreation", 1) },
  uncertainNotAppliedThenPushed: { happens: losing("drop-before"), change: ref, pushed: true },
};

const tokens = { secrets: { TOKEN: "token-of-the-test" } };

const quiet = {
  options: { listeners: ["cluster-1"] },
  async before(emulator, ask) {
    emulator.addToken({ id: "token-1" });
    for (const name of ["adopted", "adoptedWithDifference"])
      await ask("POST", "/v2/deployments", {
        name,
        ...adopted,
        source_revision_config: { image_uri: `registry.example/${name}:1` },
        secrets: [{ name: "FOREIGN", value: "foreign-secret-of-the-test" }],
      });
  },
  first: [
    ...settled,
    ...otherResources,
    fromImage("adopted", 1, { adopt: true }),
    fromImage("adoptedWithDifference", 2, { adopt: true }),
  ],
  troubles: {},
};

const troubled = {
  options: {},
  first: [
    settled[0],
    ...Object.entries(troubles).flatMap(([name, { pushed, isNew }]) => {
      if (isNew) return [];
      return pushed ? fromRepository(name) : fromImage(name, 1, tokens);
    }),
  ],
  troubles,
};

const killed = {
  options: {},
  first: [
    settled[0],
    ...["patchBefore", "patchAfter", "patchNoted", "secretsAfter"].map((name) => fromImage(name, 1, tokens)),
  ],
  second: [
    settled[0],
    ...["patchBefore", "patchAfter", "patchNoted"].map((name) => fromImage(name, 2, tokens)),
    fromImage("secretsAfter", 1, {
      secrets: { TOKEN: "second-token-of-the-test", MORE: "more-of-the-test" },
    }),
    ...["postBefore", "postAfter", "postNoted"].map((name) => fromImage(name, 1, tokens)),
  ],
  /** Operations whose request or answer is held while the engine is killed. */
  held: {
    postBefore: "request",
    patchBefore: "request",
    postAfter: "answer",
    patchAfter: "answer",
    secretsAfter: "answer",
  },
  /** Operations whose answers the journal has, but the state lacks, when the engine is killed. */
  noted: ["postNoted", "patchNoted"],
};

const listener = (id) => ({ sourceConfig: { listenerId: id, resourceSpec: { minScale: 1 } } });
const LISTENERS = ["9d2c7a54-2f0e-4f3b-8f57-0a6a5de2c111", "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21"];

/** A stack whose `up` is killed, with the remaining classes of change and with deletions. */
const killedLangsmith = {
  options: { profile: "langsmith" },
  environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" },
  first: [
    fromImage("settled", 1, listener(LISTENERS[0])),
    fromImage("scaled", 1, listener(LISTENERS[0])),
    fromImage("moved", 1, listener(LISTENERS[0])),
    fromImage("renamed", 1, listener(LISTENERS[0])),
    fromImage("removed", 1, listener(LISTENERS[0])),
  ],
  second: [
    fromImage("settled", 1, listener(LISTENERS[0])),
    fromImage("scaled", 1, { sourceConfig: { listenerId: LISTENERS[0], resourceSpec: { minScale: 2 } } }),
    fromImage("moved", 1, listener(LISTENERS[1])),
    fromImage("renamed", 1, { ...listener(LISTENERS[0]), name: "renamedAnew" }),
  ],
  held: { scaled: "answer", moved: "answer", renamedAnew: "answer" },
  noted: [],
};

const withoutCheckpoints = { PULUMI_SKIP_CHECKPOINTS: "1", PULUMI_EXPERIMENTAL: "1" };

/** Each situation is one stack, recorded in both forms. */
export const situations = {
  quiet,
  troubled,
  killed,
  killedLangsmith,
  killedWithoutCheckpoints: { ...killed, environment: withoutCheckpoints },
};
