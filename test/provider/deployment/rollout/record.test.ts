import { hasFailed, isUnfinished } from "../../../../provider/deployment/rollout/record";

test.each(["BUILD_FAILED", "CREATE_FAILED", "DEPLOY_FAILED"])(
  "the revision status %s is a failure",
  (latestRevisionStatus) => {
    expect(hasFailed({ latestRevisionStatus })).toBe(true);
    expect(hasFailed({ latestRevisionStatus: "DEPLOYED", rolloutState: "failed" })).toBe(true);
    expect(hasFailed({ latestRevisionStatus: "DEPLOYED", rolloutState: "deployed" })).toBe(false);
    expect(isUnfinished({ rolloutState: "unfinished" })).toBe(true);
  },
);
