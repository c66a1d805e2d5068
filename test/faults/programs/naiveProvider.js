// A provider without any care for what happens when it is interrupted: what the suites must find wanting.
const ask = async (method, path, body) => {
  const answer = await fetch(process.env.DEPLOYMENT_CONTROL_BASE_URL + path, {
    method,
    headers: { "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
  return answer.status === 204 ? undefined : answer.json();
};

const bodyOf = ({ name, source, sourceRevisionConfig }) => ({
  name,
  source,
  source_config: {},
  source_revision_config: { image_uri: sourceRevisionConfig.imageUri },
  secrets: [],
});

exports.naive = {
  create: async (inputs) => {
    const { id } = await ask("POST", "/v2/deployments", bodyOf(inputs));
    return { id, outs: { ...inputs, id } };
  },
  diff: async (_id, olds, news) => ({
    changes: olds.sourceRevisionConfig.imageUri !== news.sourceRevisionConfig.imageUri,
  }),
  update: async (id, _olds, news) => {
    const { source_revision_config } = bodyOf(news);
    await ask("PATCH", `/v2/deployments/${id}`, { source_revision_config });
    return { outs: { ...news, id } };
  },
  delete: async (id) => void (await ask("DELETE", `/v2/deployments/${id}`)),
};
