import { changesBetween, verdictOf } from "../../../../provider/diff/changes";
import { PROFILES, type Profile } from "../../../../provider/profiles/profiles";
import { deploymentRows } from "../../../../provider/schema/deployment";
import { type Properties, UNKNOWN } from "../../../../provider/schema/value";
import { withAllMarked, withHiddenChanges } from "../../../../sdk/report/evaluate/masks";
import { SECRET } from "../../../../sdk/report/model";

const contract = PROFILES.contract as Profile;
const langsmith = PROFILES.langsmith as Profile;

/** The paths at which the provider's comparison finds a change between two sides of a preview. */
function changedPaths(
  olds: Properties,
  news: Properties,
  evidence: Partial<Parameters<typeof withHiddenChanges>[1]> = {},
) {
  const secretPaths = ["sourceConfig.buildCommand"];
  const marked = withHiddenChanges(
    { olds, news, secretPaths },
    { line: undefined, details: [], ...evidence },
  );
  return changesBetween(deploymentRows, marked.olds, marked.news, contract).map(({ path }) => path);
}

const masked = { sourceConfig: { buildCommand: SECRET } };
const secrets = (generations: Properties | string) => ({ secrets: SECRET, secretGenerations: generations });
const line = (change: string) => `updates in place, no new revision (${change})`;

test("a secret counts as changed if its generation changes", () => {
  expect(changedPaths(secrets({ A: 1, B: 1 }), secrets({ A: 1, B: 2 }))).toEqual(["secrets.B"]);
  expect(changedPaths(secrets({ A: 1 }), secrets({ A: 1, B: 1 }))).toEqual(["secrets.B"]);
  expect(changedPaths(secrets({ A: 1 }), secrets({ A: 1 }))).toEqual([]);
});

test("a secret with the same generation counts as changed if the provider's line or the engine's diff says so", () => {
  const same = secrets({ A: 1 });
  expect(changedPaths(same, same, { line: line("secret A changed") })).toEqual(["secrets.A"]);
  const details = [{ path: "secrets.A", names: ["secrets", "A"], what: "changed" as const }];
  expect(changedPaths(same, same, { details })).toEqual(["secrets.A"]);
});

test("all secrets count as changed if their generations are unknown", () => {
  expect(changedPaths(secrets({ A: 1 }), secrets(UNKNOWN))).toEqual(["secrets"]);
});

test("a value that is masked on both sides counts as changed only if the provider's line or the engine's diff says so", () => {
  expect(changedPaths(masked, masked)).toEqual([]);
  const path = "sourceConfig.buildCommand";
  expect(changedPaths(masked, masked, { line: line(`${path} ${SECRET} -> ${SECRET}`) })).toEqual([path]);
  const details = [{ path, names: path.split("."), what: "changed" as const }];
  expect(changedPaths(masked, masked, { details })).toEqual([path]);
});

test("a value that is masked on only one side does not count as changed", () => {
  expect(changedPaths(masked, { sourceConfig: { buildCommand: "make" } })).toEqual([]);
  expect(changedPaths({ sourceConfig: { buildCommand: "make" } }, masked)).toEqual([]);
});

test("if nothing explains a hidden change, every hidden value counts as changed", () => {
  const marked = withAllMarked({ olds: masked, news: masked, secretPaths: ["sourceConfig.buildCommand"] });
  const changes = changesBetween(deploymentRows, marked.olds, marked.news, contract);
  expect(changes.map(({ path }) => path)).toEqual(["sourceConfig.buildCommand"]);
});

describe("changes of variables that move between secrets and environment", () => {
  const details = (what: "added" | "removed") => [
    { path: "environment.A", names: ["environment", "A"], what },
  ];
  const changesOf = (
    olds: Properties,
    news: Properties,
    words: string,
    evidence: Partial<Parameters<typeof withHiddenChanges>[1]> = {},
  ) => {
    const marked = withHiddenChanges(
      { olds, news, secretPaths: ["environment.A"] },
      { line: line(words), details: [], ...evidence },
    );
    return changesBetween(deploymentRows, marked.olds, marked.news, contract).map(
      ({ path, effect, moves }) => `${path} ${effect} ${moves === true}`,
    );
  };

  test("a moved variable does not count as changed if the provider's line says that its value stays", () => {
    const secret = secrets({ A: 3 });
    for (const value of ["info", SECRET]) {
      const plain = { environment: { A: value } };
      const words = value === SECRET ? "moved, still secret" : "now readable";
      expect(
        changesOf(secret, plain, `environment.A ${words}, its value stays`, { details: details("added") }),
      ).toEqual(["environment.A inPlace true"]);
      const back = value === SECRET ? "moved, still secret" : "no longer readable";
      expect(
        changesOf(plain, secret, `secret A ${back}, its value stays`, { details: details("removed") }),
      ).toEqual(["secrets.A inPlace true"]);
    }
  });

  test("a moved variable counts as changed if the provider's line does not mention the move", () => {
    const secret = secrets({ A: 3 });
    const plain = { environment: { A: "info" } };
    expect(changesOf(secret, plain, "environment.A (secret) -> info")).toEqual([
      "environment.A mayRevise false",
    ]);
    expect(changesOf(plain, secret, "secret A changed")).toEqual(["secrets.A mayRevise false"]);
  });

  test("without a line from the provider, it is not known whether a moved variable keeps its value", () => {
    const [secret, plain] = [secrets({ A: 3 }), { environment: { A: "info" } }];
    const sides = { secretPaths: ["environment.A"] };
    for (const [olds, news] of [
      [secret, plain],
      [plain, secret],
    ] as const) {
      const marked = withHiddenChanges({ olds, news, ...sides }, { line: undefined, details: [] });
      const changes = changesBetween(deploymentRows, marked.olds, marked.news, langsmith);
      expect([changes.length, verdictOf(changes)]).toEqual([1, "mayRevise"]);
    }
  });
});
