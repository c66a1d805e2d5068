// The most obvious implementation: a dynamic provider whose closures are in the state. It sends a request for each
// deployment, and waits for each in a separate loop.
const pulumi = require("@pulumi/pulumi");
const { argumentsOf, count, places, round } = require("./arguments");

const base = process.env.DEPLOYMENT_CONTROL_BASE_URL;

const provider = {
  async ask(method, path, body) {
    const response = await fetch(base + path, {
      method,
      headers: { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return response.json();
  },
  async find(id) {
    const page = await provider.ask("GET", `/v2/deployments?deployment_ids=${id}`);
    return page.resources.find((deployment) => deployment.id === id);
  },
  async awaited(id, inputs) {
    for (;;) {
      const deployment = await provider.find(id);
      const done = deployment.latest_revision_id === deployment.active_revision_id;
      if (done || inputs.rollout.wait === false) return deployment;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  },
  bodyOf(inputs) {
    const spec = inputs.sourceConfig.resourceSpec;
    const wire = { min_scale: spec.minScale, max_scale: spec.maxScale, cpu: spec.cpu };
    return {
      source_config: { resource_spec: { ...wire, memory_mb: spec.memoryMb, labels: spec.labels } },
      source_revision_config: { image_uri: inputs.sourceRevisionConfig.imageUri },
      secrets: Object.entries(inputs.secrets).map(([name, value]) => ({ name, value })),
    };
  },
  outputsOf(inputs, deployment) {
    return {
      ...inputs,
      tenantId: deployment.tenant_id,
      createdAt: deployment.created_at,
      updatedAt: deployment.updated_at,
      status: deployment.status,
      latestRevisionId: deployment.latest_revision_id,
      activeRevisionId: deployment.active_revision_id,
      rolloutState: "not awaited",
      serviceUrl: base,
    };
  },
  async create(inputs) {
    const body = { name: inputs.name, source: inputs.source, ...provider.bodyOf(inputs) };
    const { id } = await provider.ask("POST", "/v2/deployments", body);
    return { id, outs: provider.outputsOf(inputs, await provider.awaited(id, inputs)) };
  },
  async update(id, _olds, news) {
    await provider.ask("PATCH", `/v2/deployments/${id}`, provider.bodyOf(news));
    return { outs: provider.outputsOf(news, await provider.awaited(id, news)) };
  },
  async diff(_id, olds, news) {
    return { changes: JSON.stringify(olds.sourceConfig) !== JSON.stringify(news.sourceConfig) };
  },
  async read(id, state) {
    const deployment = await provider.find(id);
    return deployment === undefined ? {} : { id, props: provider.outputsOf(state, deployment) };
  },
};

class Obvious extends pulumi.dynamic.Resource {}

for (let index = 0; index < count; index += 1) {
  const secrets = { KEY: pulumi.secret("a-secret-of-the-benchmark") };
  const computed = { revisionGeneration: 1, secretGenerations: { KEY: 1 } };
  const inputs = { ...places, ...argumentsOf(index, round), secrets, ...computed };
  new Obvious(provider, `bench-${index}`, inputs, { additionalSecretOutputs: ["secrets"] });
}
