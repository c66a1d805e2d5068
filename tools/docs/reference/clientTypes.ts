/** The sections for the types of a client's arguments and results, and for the types that these contain. */
import { rangeRows } from "../../../provider/fields/filters";
import type { Prose } from "../schema/prose";
import { type Declared, interfacesIn, membersOf, proseOf } from "./declarations";
import { anchorOf, code, page, table, withDefault } from "./markdown";

const FILES = ["runtime", "types", "paging"].map((name) => `provider/client/${name}.ts`);
const LISTING = "provider/client/paging.ts";

/** Types whose section is on another page. */
const ELSEWHERE: { readonly [name: string]: string } = {
  SourceConfig: "deployment.md#sourceconfig",
  SourceConfigChange: "deployment.md#sourceconfig",
  SourceRevisionConfig: "deployment.md#sourcerevisionconfig",
  SourceRevisionConfigChange: "deployment.md#sourcerevisionconfig",
  DeploymentSecretReference: "deployment.md#secretreferences",
  DeploymentSecretReferenceChange: "deployment.md#secretreferences",
};

const files = new Map(FILES.flatMap((file) => interfacesIn(file).map((name) => [name, file] as const)));

const namesIn = (text: string): string[] =>
  (text.match(/\b[A-Z]\w+/g) ?? []).filter((name) => files.has(name));

/** The sections of the types: first the types that the methods name, then the types that other types name. */
export function typeSections(methods: readonly Declared[], prose: Prose): string {
  const signatures = methods.map(({ signature }) => signature);
  const listing = signatures.some((signature) => signature.includes("Listing<"))
    ? page(
        `### ${code("Listing<T>")}`,
        `${proseOf(LISTING, "Listing")} \`for await\` reads entry by entry; \`await\` gives all entries in an array.`,
      ).trim()
    : undefined;
  const names = new Set(signatures.flatMap(namesIn));
  // A loop over a set also visits members that are added during the loop.
  for (const name of names)
    if (!Object.hasOwn(ELSEWHERE, name))
      for (const member of membersIn(name)) for (const within of namesIn(member.signature)) names.add(within);
  const sections = [...names].filter((name) => !Object.hasOwn(ELSEWHERE, name));
  return page(listing, ...sections.map((name) => sectionOf(name, prose))).trim();
}

const fileOf = (name: string): string => files.get(name) as string;
const membersIn = (name: string): Declared[] => membersOf(fileOf(name), name);

function sectionOf(name: string, prose: Prose): string {
  const rows =
    name === "Range"
      ? Object.entries(rangeRows).map(([key, row]) => {
          const words = withDefault(prose.ofRow(row, key));
          return [code(key), `${code("number")}, optional`, described(words.prose, words.initial)];
        })
      : [];
  const members = membersIn(name).map(({ name: member, signature, prose: text }) => [
    code(member),
    typeIn(signature),
    text.replace(/\n+/g, " "),
  ]);
  return page(
    `### ${code(name)}`,
    proseOf(fileOf(name), name),
    table(["member", "type", "what it is"], [...rows, ...members]),
  ).trim();
}

const described = (prose: string, initial: string): string =>
  initial === "" ? prose : `${prose} Default: ${initial}.`;

/** The type of a member, with a link to the first type in it that the reference describes. */
function typeIn(signature: string): string {
  const [, optional, whole = ""] = /^\w+(\?)?: (.+)$/.exec(signature) ?? [];
  const type = whole
    .replaceAll("readonly ", "")
    .replace(/ \| undefined$/, "")
    .replace("(string & Record<never, never>)", "string");
  const [name] = namesIn(type);
  const target = name === undefined ? undefined : (ELSEWHERE[name] ?? `#${anchorOf(name)}`);
  const shown = target === undefined ? code(type) : `[${code(type)}](${target})`;
  return optional === undefined ? shown : `${shown}, optional`;
}
