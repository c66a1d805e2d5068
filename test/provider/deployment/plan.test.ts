import { hasChanges, lineOf, refusalOf } from "../../../provider/deployment/plan";
import { meetingWords } from "../../../provider/deployment/replaced";
import { hiddenBy } from "../../../provider/schema/check";
import { type Properties, UNKNOWN } from "../../../provider/schema/value";
import { chat, contract, langsmith, updating } from "../../support/deploymentArguments";

const ref = (repoRef: unknown) => ({ sourceRevisionConfig: { repoRef, graphConfigPath: "graph.json" } });
const config = (changes: Properties) => ({
  sourceConfig: { ...(chat.sourceConfig as Properties), ...changes },
});
const failed = { rolloutState: "failed", latestRevisionStatus: "BUILD_FAILED" };

const hidden = hiddenBy(["secrets"]);

type Updating = Parameters<typeof updating>;

const line = (...of: Updating): string => String(lineOf(updating(...of).plan, "id-1", hidden));
const refusal = (configured: "allow" | "forbid", ...of: Updating) =>
  refusalOf(updating(...of).plan, configured, hidden);

test.each<[string, Properties, string]>([
  ["nothing", {}, "has no changes"],
  ["a revision field", ref("v2"), "creates a new revision (sourceRevisionConfig.repoRef main -> v2)"],
  [
    "a revision field and an in-place field",
    { ...ref("v2"), ...config({ buildOnPush: false }) },
    "creates a new revision (sourceRevisionConfig.repoRef main -> v2; in place: sourceConfig.buildOnPush true -> false)",
  ],
  [
    "a secret",
    { secrets: { A: "new", C: "3" } },
    "may create a new revision (secret A changed; secret B removed; secret C added)",
  ],
  [
    "a ref to an unknown value",
    ref(UNKNOWN),
    "may create a new revision (sourceRevisionConfig.repoRef main -> (unknown until apply))",
  ],
  [
    "an in-place field",
    config({ customUrl: "https://a" }),
    "updates in place, no new revision (sourceConfig.customUrl (not set) -> https://a)",
  ],
  [
    "the source",
    { source: "internal_source" },
    "is replaced (source repohost -> internal_source); the old one stays, id id-1",
  ],
])("the plan's line announces the effect of changing %s", (_, changes, words) => {
  expect(line(contract, changes)).toBe(words);
  expect(hasChanges(updating(contract, changes).plan)).toBe(words !== "has no changes");
});

test("an update makes a failed revision again, unless the update makes a new revision anyway", () => {
  const { plan } = updating(contract, {}, failed);
  expect([plan.rollout, plan.verdict, hasChanges(plan)]).toEqual(["remake", "newRevision", true]);
  const again = "makes it again: revision r1 ended BUILD_FAILED";
  expect(line(contract, {}, failed)).toBe(`creates a new revision (${again})`);
  expect(line(contract, config({ buildOnPush: false }), failed)).toBe(
    `creates a new revision (${again}; in place: sourceConfig.buildOnPush true -> false)`,
  );
  expect(updating(contract, ref("v2"), failed).plan.rollout).toBe("done");
  expect(updating(contract, { secrets: { A: "new" } }, failed).plan.verdict).toBe("newRevision");
  const { sourceRevisionConfig: _, ...onlySecrets } = chat;
  expect(line(contract, {}, failed, onlySecrets)).toBe(`may create a new revision (${again})`);
  expect(line(contract, {}, { rolloutState: "failed", latestRevisionId: undefined })).toContain(
    "(makes it again: revision of unknown id ended unfinished)",
  );
});

test("if a failed revision cannot be made again, the update resumes the wait", () => {
  const { plan } = updating(contract, {}, failed, { name: "chat", source: "repohost" });
  expect([plan.rollout, plan.verdict]).toEqual(["resume", "unchanged"]);
});

test("a replacement ignores the last rollout", () => {
  const { plan } = updating(contract, { source: "internal_source", name: "chat-2" }, failed);
  expect([plan.rollout, plan.verdict]).toEqual(["done", "replace"]);
});

const doubtful = { uncertainSince: 1 };
const looksFirst = "it is not known whether the last update was applied: the update looks first";

test.each<[string, Properties, string]>([
  ["no change", {}, `may create a new revision (${looksFirst})`],
  [
    "an in-place field",
    config({ buildOnPush: false }),
    `may create a new revision (${looksFirst}; in place: sourceConfig.buildOnPush true -> false)`,
  ],
  [
    "a secret and an in-place field",
    { secrets: { A: "new", B: "two" }, ...config({ buildOnPush: false }) },
    `may create a new revision (${looksFirst}; secret A changed; in place: sourceConfig.buildOnPush true -> false)`,
  ],
  [
    "a revision field",
    ref("v2"),
    `may create a new revision (${looksFirst}; sourceRevisionConfig.repoRef main -> v2)`,
  ],
])("the plan says that it is unknown whether the last update was applied (%s)", (_, changes, words) => {
  const { plan } = updating(contract, changes, doubtful);
  expect([plan.rollout, plan.verdict]).toEqual(["doubt", "mayRevise"]);
  expect(line(contract, changes, doubtful)).toBe(words);
});

test("an update waits for an unfinished revision, and makes no new revision", () => {
  const { plan } = updating(contract, {}, { rolloutState: "unfinished" });
  expect([plan.rollout, plan.verdict, hasChanges(plan)]).toEqual(["resume", "unchanged", true]);
  expect(line(contract, {}, { rolloutState: "unfinished", latestRevisionStatus: "BUILDING" })).toBe(
    "resumes waiting for revision r1 (BUILDING), no new revision for that",
  );
  expect(hasChanges(updating(contract, {}, { rolloutState: "deployed" }).plan)).toBe(false);
});

test.each<[string, Properties, boolean, Properties]>([
  ["a new revision", ref("v2"), true, {}],
  ["a revision that may be made", { secrets: { A: "new" } }, true, {}],
  ["a revision that depends on an unknown value", ref(UNKNOWN), true, {}],
  ["a failed revision that is made again", {}, true, failed],
  ["an update in place", config({ buildOnPush: false }), false, {}],
  ["no change", {}, false, {}],
])(
  'newRevisions "forbid", as an argument or in the configuration, refuses only new revisions: %s',
  (_, changes, refused, recorded) => {
    expect(refusal("allow", contract, changes, recorded)).toBeUndefined();
    const byArgument = refusal("allow", contract, { ...changes, newRevisions: "forbid" }, recorded);
    const byConfiguration = refusal("forbid", contract, { ...changes, newRevisions: "allow" }, recorded);
    if (!refused) return expect([byArgument, byConfiguration]).toEqual([undefined, undefined]);
    expect(byArgument).toMatch(/^its argument newRevisions is "forbid", but this update /);
    expect(byConfiguration).toMatch(/^the configuration's newRevisions is "forbid"/);
  },
);

describe("replacements", () => {
  const moved = { source: "internal_source" };
  const renamed = { ...moved, name: "chat-2" };

  test("a replacement is refused if the new deployment would have its predecessor's name", () => {
    expect(refusal("allow", contract, renamed)).toBeUndefined();
    expect(refusal("allow", contract, { ...moved, name: UNKNOWN })).toBeUndefined();
    expect(refusal("allow", contract, { ...moved, connection: "other" })).toBeUndefined();
    expect(refusal("allow", contract, moved)).toMatch(
      /^is replaced \(source repohost -> internal_source\), but keeps the name "chat".*Change name too$/,
    );
  });

  test("if an unknown value leaves it uncertain whether a replacement is needed, the replacement is not refused", () => {
    expect(refusal("allow", contract, { source: UNKNOWN })).toBeUndefined();
    expect(refusal("allow", contract, { source: UNKNOWN, ...ref("v2") })).toBeUndefined();
  });

  test("a replacement gets a warning if unknown values may give the new deployment its predecessor's name", () => {
    const warning = (...of: Updating) => {
      const words = meetingWords(updating(...of).plan, "id-1");
      return words === undefined ? undefined : String(words);
    };
    expect(warning(contract, { source: UNKNOWN })).toMatch(
      /^if source turns out to be another, a new deployment/,
    );
    expect(warning(langsmith, { source: UNKNOWN })).toMatch(
      /^if source turns out to be another, the old deployment id-1/,
    );
    expect(warning(contract, { ...moved, name: UNKNOWN })).toMatch(/^if name turns out the same, a new/);
    expect(warning(langsmith, moved)).toMatch(
      /^is down meanwhile: it keeps its name, so the old deployment id-1 is deleted/,
    );
    expect(warning(contract, { name: UNKNOWN })).toBeUndefined();
    expect(warning(contract, { ...renamed, connection: UNKNOWN })).toBeUndefined();
    expect(warning(contract, ref(UNKNOWN))).toBeUndefined();
  });

  test("a replacement deletes the old deployment first if the new deployment has the same name and the service can delete deployments", () => {
    const first = (...of: Updating) => updating(...of).plan.deletesFirst;
    expect(refusal("allow", langsmith, moved)).toBeUndefined();
    expect(first(langsmith, moved)).toBe(true);
    expect(first(langsmith, renamed)).toBe(false);
    // The engine may replace a deployment that the provider would update.
    expect(first(langsmith, ref("v2"))).toBe(true);
    expect(first(contract, ref("v2"))).toBe(false);
    expect(first(contract, moved)).toBe(false);
    expect(refusal("allow", langsmith, moved, { onDestroy: "retain" })).toMatch(/Change name too$/);
    expect(line(langsmith, moved)).toMatch(
      /; the old one, id id-1, is deleted with its threads and its URL, unless an option keeps it$/,
    );
  });

  test("a replacement is refused if onDestroy is fail, but never because revisions are forbidden", () => {
    expect(refusal("allow", contract, renamed, { onDestroy: "fail" })).toMatch(
      /onDestroy is "fail", which forbids it/,
    );
    expect(refusal("forbid", contract, renamed)).toBeUndefined();
  });

  test.each(["retain", "fail"])(
    "a replacement that would delete the old deployment is refused if the same update sets onDestroy to %s",
    (onDestroy) => {
      expect(refusal("allow", langsmith, { ...renamed, onDestroy })).toMatch(
        /protects the old one only from the next update on\. Apply onDestroy first$/,
      );
      expect(refusal("allow", contract, { ...renamed, onDestroy: "retain" })).toBeUndefined();
    },
  );

  test("the plan of a replacement names the arguments that cause the replacement", () => {
    expect(updating(contract, renamed).plan.replaces).toEqual(["name", "source"]);
    expect(updating(contract, { ...moved, ...ref("v2") }).plan.replaces).toEqual(["source"]);
    expect(updating(langsmith, config({ repoUrl: "https://other" })).plan.replaces).toEqual(["sourceConfig"]);
    expect(updating(langsmith, { sourceConfig: UNKNOWN }).plan.replaces).toEqual(["sourceConfig"]);
    expect(updating(contract, { sourceConfig: UNKNOWN }).plan.verdict).toBe("inPlace");
  });
});
