// The trivial provider. It returns the same outputs as our provider, and needs no service.
const outputsOf = (inputs) => {
  const id = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
  const at = "2026-01-01T00:00:00.000Z";
  return {
    ...inputs,
    tenantId: id,
    createdAt: at,
    updatedAt: at,
    status: "READY",
    latestRevisionId: id,
    latestRevisionStatus: "DEPLOYED",
    activeRevisionId: id,
    imageVersion: null,
    repoCommitSha: null,
    url: null,
    rolloutState: "not awaited",
    serviceUrl: "http://127.0.0.1:10000",
  };
};

exports.trivial = {
  create: async (inputs) => ({ id: inputs.name, outs: outputsOf(inputs) }),
  update: async (_id, _olds, news) => ({ outs: outputsOf(news) }),
  diff: async (_id, olds, news) => ({
    changes: olds.sourceConfig.resourceSpec.minScale !== news.sourceConfig.resourceSpec.minScale,
  }),
  read: async (id, state) => ({ id, props: state }),
};
