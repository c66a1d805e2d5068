import { createdDeployment } from "../../support/createdDeployment";
import { chat, failureOf } from "../../support/providerRun";
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

test("a deletion is refused if the error of a refused creation proposes to adopt the deployment", async () => {
  const { id, outputs, later, emulator } = await createdDeployment(deleting, { profile: "langsmith" });
  const { session, service } = later();
  service.fleet.offered.add(id);
  const error = await failureOf(deployment.delete(session, id, outputs));
  expect(error.message).toContain("because a refused creation may adopt it");
  expect(emulator.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
});
