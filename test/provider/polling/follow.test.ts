/** One wait for a deployment: the facts that the wait knows after each look at the service. */
import { Follow } from "../../../provider/polling/follow";
import { Poller } from "../../../provider/polling/poller";
import { hastyClock, provided } from "../../support/providerRun";

test.each([
  ["DEPLOYED", "new"],
  ["BUILD_FAILED", "old"],
])("after a read shows the awaited revision as %s, the %s revision serves", async (status, serving) => {
  const { service } = await provided();
  const poller = new Poller(service.endpoints, service.directory, hastyClock);
  const follow = new Follow(poller, { deploymentId: "d1", timeoutSeconds: 60, tellNewer: async () => {} });
  follow.sees({ id: "d1", status: "READY", latest_revision_id: "new", active_revision_id: "old" });
  await follow.seesRevision({ id: "new", status });
  expect(follow.servingId).toBe(serving);
});
