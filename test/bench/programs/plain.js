// The same as people write it: a class of pulumi.dynamic.Resource, whose provider is serialised into the state.
const pulumi = require("@pulumi/pulumi");
const { argumentsOf, count, places, round } = require("./arguments");

const fields = { id: "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21", at: "2026-01-01T00:00:00.000Z" };

const provider = {
  create: async (inputs) => ({ id: inputs.name, outs: provider.outputs(inputs) }),
  update: async (_id, _olds, news) => ({ outs: provider.outputs(news) }),
  diff: async (_id, olds, news) => ({
    changes: olds.sourceConfig.resourceSpec.minScale !== news.sourceConfig.resourceSpec.minScale,
  }),
  read: async (id, state) => ({ id, props: state }),
  outputs: (inputs) => ({
    ...inputs,
    tenantId: fields.id,
    createdAt: fields.at,
    updatedAt: fields.at,
    status: "READY",
    latestRevisionId: fields.id,
    activeRevisionId: fields.id,
    rolloutState: "not awaited",
    serviceUrl: "http://127.0.0.1:10000",
  }),
};

class Plain extends pulumi.dynamic.Resource {}

for (let index = 0; index < count; index += 1) {
  const secrets = { KEY: pulumi.secret("a-secret-of-the-benchmark") };
  const computed = { revisionGeneration: 1, secretGenerations: { KEY: 1 } };
  const inputs = { ...places, ...argumentsOf(index, round), secrets, ...computed };
  new Plain(provider, `bench-${index}`, inputs, { additionalSecretOutputs: ["secrets"] });
}
