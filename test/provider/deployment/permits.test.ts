import { createdDeployment } from "../../support/createdDeployment";
import { chat, failureOf, URN } from "../../support/providerRun";
import { deployment } from "../../support/resourceCalls";

const sourceRevisionConfig = { repoRef: "main", graphConfigPath: "graph.json" };
const deleting = { ...chat, sourceRevisionConfig, onDestroy: "delete" };

test("a deletion is refused if a resource of the program has taken the deployment over in the meantime", async () => {
  const { id, outputs, later, emulator } = await createdDeployment(deleting, { profile: "langsmith" });
  const { session, service } = later();
  const { keepers } = service.fleet;
  const of = jest.spyOn(keepers, "of").mockReturnValueOnce(undefined).mockReturnValue("urn:other");
  const error = await failureOf(deployment.delete(session, id, outputs));
  expect(error.message).toContain(
    `does not delete ${id}, because a resource of the program has just taken it over`,
  );
  expect(emulator.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  of.mockRestore();
  await deployment.delete(later().session, id, outputs);
  expect(emulator.deployments()).toEqual([]);
});

test("if the error of a refused creation says to adopt a deployment, this run does not delete that deployment", async () => {
  const { id, outputs, later, emulator } = await createdDeployment(deleting, { profile: "langsmith" });
  const { session, warnings } = later();
  const refusal = await failureOf(deployment.create(session, { ...deleting, __urn: `${URN}-2` }));
  expect(refusal.message).toContain(`set adopt: "${id}"`);
  await deployment.delete(session, id, outputs);
  expect(warnings()).toEqual([expect.stringContaining(`stays as it is (id ${id}): it is kept for "chat-2"`)]);
  expect(emulator.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
});
