import { agent, ask, created, revisionsOf, started, stoppedClock } from "../../../../support/embeddedService";

test("a merge patch keeps omitted members, clears null members, and replaces whole arrays", async () => {
  const emulator = await started();
  const spec = {
    cpu: 2,
    labels: { team: "a", tier: "b" },
    image_pull_secrets: [{ name: "x" }, { name: "y" }],
  };
  const { id } = await created(emulator, {
    ...agent,
    source_config: { ...agent.source_config, resource_spec: spec },
  });
  const patch = {
    source_config: {
      build_on_push: null,
      install_command: "make",
      resource_spec: { cpu: null, labels: { tier: null, zone: "c" }, image_pull_secrets: [{ name: "z" }] },
    },
  };
  const { status, body } = await ask(emulator, "PATCH", `/v2/deployments/${id}`, patch);
  expect(status).toBe(200);
  expect(body.source_config).toMatchObject({
    repo_url: agent.source_config.repo_url,
    build_on_push: null,
    install_command: "make",
    resource_spec: { cpu: 1, labels: { team: "a", zone: "c" }, image_pull_secrets: [{ name: "z" }] },
  });
  expect(body.source_config.resource_spec.labels).toEqual({ team: "a", zone: "c" });
  expect(await revisionsOf(emulator, id)).toHaveLength(1);
});

test("if the option `patch` is `replace`, a section in a PATCH replaces the stored section, and omitted sections stay", async () => {
  const emulator = await started({ patch: "replace", defaults: false });
  const { id } = await created(emulator);
  const patch = { source_config: { install_command: "make", build_command: null } };
  const { body } = await ask(emulator, "PATCH", `/v2/deployments/${id}`, patch);
  expect(body.source_config).toMatchObject({ install_command: "make", build_command: null, repo_url: null });
  expect(body.secrets).toHaveLength(2);
  expect(emulator.deployments()[0]?.source_config).toMatchObject({ install_command: "make", repo_url: null });
});

test("the option `hosting` decides which sources the service accepts", async () => {
  const emulator = await started({ hosting: "cloud" });
  const image = { name: "image", source: "external_docker" };
  expect((await ask(emulator, "POST", "/v2/deployments", image)).status).toBe(422);
  const { id } = await created(emulator);
  emulator.behaviour.hosting = "self-hosted";
  expect((await ask(emulator, "POST", "/v2/deployments", agent)).status).toBe(422);
  expect((await ask(emulator, "POST", "/v2/deployments", image)).status).toBe(201);
  expect(
    (await ask(emulator, "PATCH", `/v2/deployments/${id}`, { revision_source: "repohost" })).status,
  ).toBe(422);
});

test("LangSmith's cloud accepts a deployment from an image only if the request names a listener", async () => {
  const emulator = await started({ hosting: "cloud", profile: "langsmith" });
  const { id } = emulator.addListener({ compute_id: "own-cluster" });
  const deploy = (config: object) =>
    ask(emulator, "POST", "/v2/deployments", {
      name: "image",
      source: "external_docker",
      source_config: config,
      source_revision_config: { image_uri: "registry.example/chat:1" },
      secrets: [],
    });
  expect((await deploy({})).status).toBe(422);
  expect((await deploy({ listener_id: id })).status).toBe(201);
});

test("a new deployment first waits for its database, and has no revision while it waits", async () => {
  const clock = stoppedClock();
  const emulator = await started({ databaseSeconds: 1.5 });
  const deployment = await created(emulator);
  expect(deployment).toMatchObject({ status: "AWAITING_DATABASE", latest_revision_id: null });
  expect(await revisionsOf(emulator, deployment.id)).toEqual([]);
  clock.pass(1_550);
  const [now] = (await ask(emulator, "GET", "/v2/deployments")).body.resources;
  expect(now.status).toBe("READY");
  expect(now.latest_revision_id).toBe((await revisionsOf(emulator, deployment.id))[0].id);
});
