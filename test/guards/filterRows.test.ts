/**
 * One row defines a filter: the filter's type, its check, its query parameter and the filtering of the answer all
 * derive from that row.
 */
import { BadRequestError } from "../../provider/client";
import { deploymentList, narrowing, revisionList } from "../../provider/client/filters";
import { PROFILES, type Profile, profileNamed } from "../../provider/profiles/profiles";
import type { FILTERS } from "../../provider/schema/filters";
import type { Kind, Rows } from "../../provider/schema/kind";
import { rowsToWire } from "../../provider/schema/wire";

const contract = PROFILES.contract as Profile;
const lists = [deploymentList, revisionList];
const filters = lists.flatMap((list) =>
  Object.entries(list.filters).map(
    ([name, row]) => [list.name as keyof typeof FILTERS, name, row, list] as const,
  ),
);

function sampleOf(kind: Kind<unknown>): unknown {
  if (kind.type === "list") return [sampleOf(kind.of)];
  return kind.type === "choice" ? kind.values[0] : kind.type === "boolean" ? true : "x";
}

/** An entry of an answer, with this value at the field's path. */
function answerWith(rows: Rows, path: string, value: unknown): { [name: string]: unknown } {
  const names = path.split(".");
  const nested = names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return rowsToWire(rows, nested as { [name: string]: unknown }, contract);
}

test.each(filters)(
  "%s, filter %s: if the filter has a query parameter, the parameter's name comes from the row or the profile",
  (list, name, row, table) => {
    const filter = { [name]: sampleOf(row.kind) };
    const text = String(sampleOf(row.kind));
    const queryOf = (profile: Profile) => narrowing(filter, table, profile).query;
    expect(Object.entries(queryOf(contract)).map(([key, value]) => [key, String(value)])).toEqual(
      row.wire === undefined ? [] : [[row.wire, text]],
    );
    expect(() => narrowing({ [name]: { not: "allowed" } }, table, contract)).toThrow(BadRequestError);
    if (row.wire === undefined) return;
    const overridden = profileNamed("contract", { query: { [list]: { [name]: "other" } } }, []);
    expect(Object.keys(queryOf(overridden))).toEqual(["other"]);
  },
);

test.each(filters.filter(([, , row]) => row.field !== undefined))(
  "%s, filter %s: entries that do not match are removed from the answer",
  (_list, name, row, table) => {
    const value = sampleOf(row.kind);
    const { keeps } = narrowing({ [name]: value }, table, contract);
    const [matching, other] = [[value].flat()[0], "another"].map((each) =>
      answerWith(table.answer, row.field as string, each),
    );
    expect(keeps(matching as never)).toBe(true);
    expect(keeps(other as never)).toBe(false);
  },
);
