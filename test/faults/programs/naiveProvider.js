// A provider that takes no precautions against interruptions. The suites must find its faults.
let last = Promise.resolve();

/** Sends one request at a time, as a service with a rate limit requires. */
const ask = (method, path, body) => {
  const answered = last.then(() => askNow(method, path, body));
  last = answered.catch(() => undefined);
  return answered;
};

const askNow = async (method, path, body) => {
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
    if (process.env.NAIVE_ADOPTS) {
      const { resources } = await ask("GET", `/v2/deployments?name=${inputs.name}`);
      if (resources[0]) return { id: resources[0].id, outs: { ...inputs, id: resources[0].id } };
    }
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
