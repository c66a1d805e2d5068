import { type Difference, differences, driftIn, holds, isFormOf } from "../../../provider/schema/compare";
import { deploymentRows } from "../../../provider/schema/deployment";
import { type Properties, UNKNOWN } from "../../../provider/schema/value";

const between = (before: Properties, after: Properties): Difference[] =>
  differences(deploymentRows, before, after);
const valuesOf = ({ path, before, after, unknown }: Difference) => [path, before, after, unknown];

test.each<[string, Properties, Properties]>([
  ["equal strings", { name: "a" }, { name: "a" }],
  ["a null and a missing value", { name: null }, {}],
  ["a missing value and a null", {}, { name: null }],
  ["maps in another order", { secrets: { A: "1", B: "2" } }, { secrets: { B: "2", A: "1" } }],
  ["values that are not arguments", { tenantId: "1" }, { tenantId: "2" }],
])("%s do not differ", (_, before, after) => {
  expect(between(before, after)).toEqual([]);
});

test("an added or removed map makes one difference for each entry, and an empty map makes one difference", () => {
  expect(between({}, { secrets: { A: "1" } }).map(valuesOf)).toEqual([["secrets.A", undefined, "1", false]]);
  expect(between({ secrets: { A: "1" } }, {}).map(valuesOf)).toEqual([["secrets.A", "1", undefined, false]]);
  expect(between({ secrets: { A: "1" } }, { secrets: {} }).map(valuesOf)).toEqual([
    ["secrets.A", "1", undefined, false],
  ]);
  expect(between({}, { secrets: {} }).map(valuesOf)).toEqual([["secrets", undefined, {}, false]]);
  expect(between({ revisionTriggers: {} }, {}).map(valuesOf)).toEqual([
    ["revisionTriggers", {}, undefined, false],
  ]);
});

test("entries named `constructor` and `toString` are compared like all other entries", () => {
  expect(
    between({ secrets: { A: "1" } }, { secrets: { A: "1", constructor: "2", toString: "3" } }).map(valuesOf),
  ).toEqual([
    ["secrets.constructor", undefined, "2", false],
    ["secrets.toString", undefined, "3", false],
  ]);
});

test.each<[string, Properties, unknown[][]]>([
  ["a leaf", { name: UNKNOWN }, [["name", "a", UNKNOWN, true]]],
  ["a member", { sourceConfig: { repoUrl: UNKNOWN } }, [["sourceConfig.repoUrl", "r", UNKNOWN, true]]],
  ["a group", { sourceConfig: UNKNOWN }, [["sourceConfig", { repoUrl: "r" }, UNKNOWN, true]]],
  ["a map", { secrets: UNKNOWN }, [["secrets", { A: "1" }, UNKNOWN, true]]],
  ["an entry", { secrets: { A: UNKNOWN } }, [["secrets.A", "1", UNKNOWN, true]]],
])(
  "%s that is unknown until the apply counts as one difference, although the apply may find no difference",
  (_, changed, expected) => {
    const before = { name: "a", sourceConfig: { repoUrl: "r" }, secrets: { A: "1" } };
    expect(between(before, { ...before, ...changed }).map(valuesOf)).toEqual(expected);
  },
);

test.each([
  ["a value, but nothing was sent", { a: 1 }, undefined, true],
  ["the same value", "x", "x", true],
  ["another value", "y", "x", false],
  ["no value, but a value was sent", undefined, "x", false],
  ["a value, but null was sent", "x", null, false],
  ["everything that was sent, and more", { a: { b: 1, c: 2 }, d: 3 }, { a: { b: 1 } }, true],
  ["a member that differs", { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, false],
  ["no group, but a group was sent", undefined, { a: 1 }, false],
])("if the service has %s (live %j, sent %j), it holds the sent value: %s", (_what, live, sent, expected) => {
  expect(holds(live, sent)).toBe(expected);
});

const driftOf = (managed: Properties, live: Properties): unknown[] =>
  driftIn(deploymentRows, managed, live).map(({ path, before, after }) => [path, before, after]);
const inSpec = (resourceSpec: Properties): Properties => ({ sourceConfig: { resourceSpec } });

test.each<[string, Properties, Properties]>([
  ["an argument that the program does not manage", { name: "a" }, { name: "a", source: "repohost" }],
  ["a member that the service adds", inSpec({ cpu: 1 }), inSpec({ cpu: 1, memoryMb: 512 })],
  [
    "a member that the service adds to each element of a list",
    inSpec({ sidecars: [{ name: "log" }, { name: "proxy" }] }),
    inSpec({
      sidecars: [
        { name: "log", image: "log:1" },
        { name: "proxy", image: "proxy:1" },
      ],
    }),
  ],
  ["a null on both sides", inSpec({ cpu: null }), inSpec({ cpu: null })],
])("%s is not drift", (_, managed, live) => {
  expect(driftOf(managed, live)).toEqual([]);
});

test("a different live value is drift, even within lists and groups", () => {
  expect(driftOf({ name: "a" }, { name: "b" })).toEqual([["name", "a", "b"]]);
  expect(driftOf(inSpec({ cpu: 1, memoryMb: 1 }), inSpec({ cpu: 2, memoryMb: 1 }))).toEqual([
    ["sourceConfig.resourceSpec.cpu", 1, 2],
  ]);
  const elements = (...names: string[]) => names.map((name) => ({ name }));
  const path = "sourceConfig.resourceSpec.sidecars";
  expect(driftOf(inSpec({ sidecars: elements("a", "b") }), inSpec({ sidecars: elements("a", "c") }))).toEqual(
    [[path, elements("a", "b"), elements("a", "c")]],
  );
  expect(driftOf(inSpec({ sidecars: elements("a") }), inSpec({ sidecars: elements("a", "b") }))).toEqual([
    [path, elements("a"), elements("a", "b")],
  ]);
});

test("if the service no longer has a managed value, the drift has no live value", () => {
  expect(driftOf({ name: "a" }, {})).toEqual([["name", "a", undefined]]);
  expect(driftOf({ name: "a" }, { name: null })).toEqual([["name", "a", undefined]]);
  expect(driftOf({ sourceConfig: { repoUrl: "r" } }, {})).toEqual([["sourceConfig.repoUrl", "r", undefined]]);
  const [listed] = driftOf(inSpec({ sidecars: [{ name: "a" }] }), inSpec({ sidecars: [null] }));
  expect(listed).toEqual(["sourceConfig.resourceSpec.sidecars", [{ name: "a" }], [null]]);
});

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const DIGEST = `sha256:${"0".repeat(64)}`;

test.each<[unknown, unknown, boolean]>([
  [`host:5000/chat@${DIGEST}`, "host:5000/chat:2", true],
  [`chat:2@${DIGEST}`, "chat", true],
  [`chat@${DIGEST}`, `chat:2@${DIGEST}`, true],
  [`chat@${DIGEST}`, "chat@sha256:1", false],
  [`other@${DIGEST}`, "chat:2", false],
  ["chat:1", "chat:2", false],
  [COMMIT, "main", true],
  [COMMIT, COMMIT.slice(0, 8), true],
  [COMMIT, COMMIT.slice(-9), false],
  [COMMIT, "a".repeat(40), false],
  [[COMMIT], "main", false],
  ["main", "next", false],
  [1.3, 1.25, true],
  [1, 1.1, false],
  [1.05, 1, false],
  ["1", 1, false],
  [["a"], ["a"], true],
  [null, "chat:2", false],
])("the live value %j is the service's form of %j: %s", (live, sent, isForm) => {
  expect(isFormOf(live, sent)).toBe(isForm);
});
