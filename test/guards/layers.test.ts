import * as ts from "typescript";
import providers from "../../provider/index";
import { providerText } from "../../sdk/resources/providerText";
import { files, type Import, loadedWith } from "./imports";

const LONGEST_PROVIDER_TEXT = 100;

const P = "provider/";
const GROUND = [`${P}schema/`];
const CLIENT = [...GROUND, `${P}profiles/`];
const SERVICE = [
  ...CLIENT,
  ...["client/", "diff/", "journal/", "polling/", "verification/", "failure.ts"].map((name) => P + name),
];
const RESOURCE = [...SERVICE, `${P}lookup/`, `${P}run/`, `${P}call.ts`];

/**
 * The folder or file of each layer, and the other folders that it may import from. A file belongs to the first entry
 * whose place is the beginning of the file's path.
 */
const LAYERS: readonly (readonly [place: string, allowed: readonly string[]])[] = [
  [`${P}schema/`, []],
  [`${P}profiles/`, GROUND],
  [`${P}client/`, CLIENT],
  [`${P}diff/`, CLIENT],
  [`${P}failure.ts`, GROUND],
  [`${P}journal/`, [...GROUND, `${P}client/`]],
  [`${P}polling/`, [...GROUND, `${P}client/`, `${P}diff/`, `${P}failure.ts`]],
  [`${P}verification/`, [...GROUND, `${P}client/`, `${P}failure.ts`]],
  [`${P}lookup/`, SERVICE],
  [`${P}run/`, [...SERVICE, `${P}lookup/`]],
  [`${P}call.ts`, RESOURCE],
  // The boundary with the engine imports the types of a resource and of its calls, but no particular resource.
  [`${P}engine/`, RESOURCE],
  [`${P}resources.ts`, [P]],
  [`${P}index.ts`, [P]],
  [`${P}plugin.ts`, [P]],
  // A small resource is a single file with the resource's table and calls.
  [P, [...RESOURCE, `${P}crud/`]],
  ["sdk/emulator/", CLIENT],
  ["sdk/", ["sdk/", P]],
];

/** The only folder of `provider/` that imports Pulumi: its files connect the provider to the engine. */
const BORDER = `${P}engine/`;

const all = [...files.values()];
const isOurs = (target: string) => target.startsWith("provider") || target.startsWith("sdk");

/** The folder of a file, and the other folders that the file may import from. */
function layerOf(path: string): readonly string[] {
  const [place, allowed] = LAYERS.find(([start]) => path.startsWith(start)) ?? [];
  if (place === undefined || allowed === undefined) throw new Error(`${path} is in no layer`);
  return [place === P ? path.split("/").slice(0, 2).join("/") : place, ...allowed];
}

test("imports go one way: sdk -> resources -> run -> lookup -> journal, polling, diff -> client -> profiles -> schema", () => {
  const wrong = all.flatMap(({ path, imports }) => {
    const allowed = layerOf(path);
    const strays = imports.filter(
      ({ target }) => isOurs(target) && !allowed.some((place) => target.startsWith(place)),
    );
    return strays.map(({ target }) => `${path} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test("no imports are circular, not even imports of types", () => {
  const loaded = ({ target }: Import) => files.has(target);
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" -> "));
    if (done.has(path)) return;
    done.add(path);
    for (const each of files.get(path)?.imports.filter(loaded) ?? []) walk(each.target, [...way, path]);
  };
  for (const path of files.keys()) walk(path, []);
  expect(circles).toEqual([]);
});

test("only packing.ts has the names of the hidden inputs of the dynamic form", () => {
  const names = /\b__(urn|secrets|timeouts|retained|deleteBeforeReplace|get|provider)\b/;
  expect(all.filter(({ text }) => names.test(text)).map(({ path }) => path)).toEqual([
    "provider/engine/packing.ts",
  ]);
});

test("within provider/, only the boundary with the engine mentions Pulumi's SDK", () => {
  const mentioning = all.filter(
    ({ path, text }) => path.startsWith("provider/") && text.includes("@pulumi/pulumi"),
  );
  expect(mentioning.map(({ path }) => path).filter((path) => !path.startsWith(BORDER))).toEqual([]);
});

test.each<readonly [start: string, unwanted: readonly string[]]>([
  ["sdk/index.ts", ["undici", "zod"]],
  ["provider/index.ts", ["undici", "@pulumi/pulumi"]],
  ["sdk/emulator/index.ts", ["@pulumi/pulumi", "undici"]],
  ["sdk/cli/plan.ts", ["@pulumi/pulumi", "undici"]],
  ["sdk/cli/emulator.ts", ["@pulumi/pulumi"]],
  ["sdk/cli/adopt.ts", ["@pulumi/pulumi"]],
  ["provider/client/index.ts", ["@pulumi/pulumi"]],
])("%s does not load %j", (start, unwanted) => {
  expect(files.has(start)).toBe(true);
  const loaded = loadedWith(start);
  const isOne = (target: string) => unwanted.some((name) => `${target}/`.startsWith(`${name}/`));
  expect([...loaded].filter(([target]) => isOne(target)).map(([, way]) => way)).toEqual([]);
});

test("outside its client, the provider has no HTTP status codes", () => {
  const outside = all.filter(
    ({ path }) => path.startsWith("provider/") && !path.startsWith("provider/client/"),
  );
  const wrong = outside.flatMap(({ path, syntax }) =>
    statusCodesIn(syntax).map((code) => `${path}: ${code}`),
  );
  expect(wrong).toEqual([]);
});

/** The status codes that appear in the code in a comparison, in a list, or as a `case`. */
function statusCodesIn(node: ts.Node): string[] {
  const within: string[] = [];
  ts.forEachChild(node, (child) => void within.push(...statusCodesIn(child)));
  if (!ts.isNumericLiteral(node) || !/^(20\d|30\d|4[0-3]\d|451|50\d)$/.test(node.text)) return within;
  const around = node.parent;
  const isCompared =
    (ts.isBinaryExpression(around) && /^[=!<>]/.test(around.operatorToken.getText())) ||
    ts.isArrayLiteralExpression(around) ||
    ts.isCaseClause(around);
  return isCompared ? [...within, around.getText()] : within;
}

test.each(Object.keys(providers))("the provider code in the state of a %s is short", (name) => {
  expect(Buffer.byteLength(providerText(name))).toBeLessThanOrEqual(LONGEST_PROVIDER_TEXT);
});
