import { changesBetween } from "../../provider/diff/changes";
import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import { deploymentRows, sourceConfigRows, sourceRevisionConfigRows } from "../../provider/schema/deployment";
import {
  type ClassedRows,
  group,
  inPlace,
  type Kind,
  part,
  type Rows,
  text,
} from "../../provider/schema/kind";
import { listenerRows } from "../../provider/schema/listener";
import type { Properties } from "../../provider/schema/value";

const REPLACED = ["replace", "replace"] as const;
const FIXED_AT_LANGSMITH = ["inPlace", "replace"] as const;
const REVISION_AT_LANGSMITH = ["inPlace", "newRevision"] as const;
const IN_PLACE = ["inPlace", "inPlace"] as const;
const REVISION = ["newRevision", "newRevision"] as const;
const SECRET = ["mayRevise", "newRevision"] as const;

type Classes = readonly [contract: string, langsmith: string];

/** The fields whose classes differ from the classes of their section, each with its classes under both profiles. */
const exceptional: { readonly [path: string]: Classes } = {
  "sourceConfig.integrationId": FIXED_AT_LANGSMITH,
  "sourceConfig.repoUrl": FIXED_AT_LANGSMITH,
  "sourceConfig.deploymentType": FIXED_AT_LANGSMITH,
  "sourceConfig.templateId": FIXED_AT_LANGSMITH,
  "sourceConfig.listenerId": FIXED_AT_LANGSMITH,
  "sourceConfig.listenerConfig": FIXED_AT_LANGSMITH,
  "sourceConfig.resourceSpec": REVISION_AT_LANGSMITH,
  "sourceConfig.installCommand": REVISION_AT_LANGSMITH,
  "sourceConfig.buildCommand": REVISION_AT_LANGSMITH,
};

/** The expected classes of each field in a section: the contract gives all fields in a section the same classes. */
const inSection = (section: string, rows: Rows, classes: Classes): { [path: string]: Classes } =>
  Object.fromEntries(Object.keys(rows).map((name) => [`${section}.${name}`, classes]));

const deploymentClasses: { readonly [path: string]: Classes } = {
  name: REPLACED,
  source: REPLACED,
  displayName: IN_PLACE,
  connection: REPLACED,
  ...inSection("sourceConfig", sourceConfigRows, IN_PLACE),
  ...inSection("sourceRevisionConfig", sourceRevisionConfigRows, REVISION),
  ...exceptional,
  revisionSource: REVISION,
  revisionTriggers: REVISION,
  secrets: SECRET,
  secretReferences: SECRET,
  environment: SECRET,
  rollout: IN_PLACE,
  newRevisions: IN_PLACE,
  adopt: IN_PLACE,
  onDestroy: IN_PLACE,
};

const listenerClasses: typeof deploymentClasses = {
  computeType: REPLACED,
  computeId: REPLACED,
  connection: REPLACED,
  "computeConfig.k8sNamespaces": IN_PLACE,
  version: IN_PLACE,
  onDestroy: IN_PLACE,
};

/** Returns a value of the kind. Every member is set, and its value for turn 0 differs from its value for turn 1. */
function sampleOf(kind: Kind<unknown>, turn: 0 | 1): unknown {
  switch (kind.type) {
    case "integer":
    case "number":
      return 1 + turn;
    case "boolean":
      return turn === 1;
    case "choice":
      return kind.values[turn] ?? `other ${turn}`;
    case "list":
      return [sampleOf(kind.of, turn)];
    case "map":
      return { key: sampleOf(kind.of, turn) };
    case "keyed":
      return { KEY: kind.single ? `value ${turn}` : sampleOfRows(kind.rows, turn) };
    case "object":
      return sampleOfRows(kind.rows, turn);
    case "jsonObject":
      return { any: turn };
    default:
      return `value ${turn}`;
  }
}

const sampleOfRows = (rows: Rows, turn: 0 | 1): Properties =>
  Object.fromEntries(Object.entries(rows).map(([name, field]) => [name, sampleOf(field.kind, turn)]));

/** The arguments with a different value at `path`. */
function changedAt(args: Properties, rows: Rows, path: string): Properties {
  const [section, member] = path.split(".") as [string, string | undefined];
  const other = sampleOfRows(rows, 1);
  if (member === undefined) return { ...args, [section]: other[section] };
  const [from, to] = [args[section], other[section]] as Properties[];
  return { ...args, [section]: { ...from, [member]: to?.[member] } };
}

const rowsOf = { Deployment: deploymentRows, Listener: listenerRows };
const classesOf = { Deployment: deploymentClasses, Listener: listenerClasses };
const cases = (["Deployment", "Listener"] as const).flatMap((resource) =>
  Object.entries(classesOf[resource]).flatMap(([path, classes]) =>
    (["contract", "langsmith"] as const).map(
      (profile, at) => [resource, path, profile, classes[at] as string] as const,
    ),
  ),
);

test.each(cases)(
  "a change to %s.%s under the profile %s has the effect %s",
  (resource, path, profile, expected) => {
    const rows = rowsOf[resource];
    const before = sampleOfRows(rows, 0);
    const changes = changesBetween(rows, before, changedAt(before, rows, path), PROFILES[profile] as Profile);
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.map((change) => change.path)).toEqual(
      changes.map(() => expect.stringMatching(`^${path}`)),
    );
    expect(new Set(changes.map((change) => change.effect))).toEqual(new Set([expected]));
  },
);

test("a change to the whole resource spec counts as a change to each of its parts", () => {
  const before = sampleOfRows(deploymentRows, 0);
  const after = changedAt(before, deploymentRows, "sourceConfig.resourceSpec");
  const spec = (sourceConfigRows.resourceSpec.kind as unknown as { rows: Rows }).rows;
  const changes = changesBetween(deploymentRows, before, after, PROFILES.langsmith as Profile);
  expect(new Set(changes.map(({ path }) => path.split(".")[2]))).toEqual(new Set(Object.keys(spec)));
});

test("the expected classes in this test cover every field", () => {
  const leaves = (rows: Rows): string[] =>
    Object.entries(rows).flatMap(([name, field]) =>
      field.group && field.kind.type === "object"
        ? Object.keys(field.kind.rows).map((member) => `${name}.${member}`)
        : [name],
    );
  expect(Object.keys(deploymentClasses).sort()).toEqual(leaves(deploymentRows).sort());
  expect(Object.keys(listenerClasses).sort()).toEqual(leaves(listenerRows).sort());
});

test("a table does not compile if one of its fields has no class", () => {
  const classed: ClassedRows[] = [
    deploymentRows,
    listenerRows,
    { url: inPlace("url", text) },
    // @ts-expect-error a row made by `part` has no class
    { url: part("url", text) },
  ];
  // @ts-expect-error a row made by `part` has no class in a group either
  const grouped = group("section", { url: part("url", text) });
  // The type check of this file is the real test: it fails if an expected error does not occur.
  expect(classed.length).toBe(4);
  expect(grouped.group).toBe(true);
});
