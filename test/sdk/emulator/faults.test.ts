import { agent, ask, created, started } from "../../support/embeddedService";

const DEPLOYMENTS = "/v2/deployments";

test("a status fault answers the specified number of requests, and the service does not carry out these requests", async () => {
  const emulator = await started();
  emulator.failNext({ kind: "status", status: 503, headers: { "Retry-After": "7" }, times: 2 });
  for (let turn = 0; turn < 2; turn++) {
    const answer = await ask(emulator, "POST", DEPLOYMENTS, agent);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "7"]);
    expect(answer.body).toEqual({ detail: "Service Unavailable" });
  }
  expect(emulator.deployments()).toHaveLength(0);
  expect((await ask(emulator, "POST", DEPLOYMENTS, agent)).status).toBe(201);
});

test("a fault applies only to the requests that it matches", async () => {
  const emulator = await started();
  const { id } = await created(emulator);
  emulator.failNext({ kind: "html", match: { method: "get", pathPattern: /revisions$/g }, times: 2 });
  emulator.failNext({ kind: "revision", status: "CREATE_FAILED", match: { method: "PATCH" } });
  expect((await ask(emulator, "GET", DEPLOYMENTS)).status).toBe(200);
  for (let turn = 0; turn < 2; turn++) {
    const answer = await ask(emulator, "GET", `${DEPLOYMENTS}/${id}/revisions`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  }
  expect(emulator.push(id).status).toBe("DEPLOYED");
  await ask(emulator, "PATCH", `${DEPLOYMENTS}/${id}`, { source_revision_config: { repo_ref: "x" } });
  expect(emulator.deployments()[0]?.revisions[0]?.status).toBe("CREATE_FAILED");
});
