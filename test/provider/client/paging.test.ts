import { entryCheck } from "../../../provider/client/answer";
import { UnexpectedAnswerError } from "../../../provider/client/errors";
import { allPages, type Page, type PageSource, pageIn } from "../../../provider/client/paging";
import { deploymentAnswerRows } from "../../../provider/client/resources";
import { contract } from "../../../provider/profiles/profile";

const faultOf = entryCheck(deploymentAnswerRows, contract);

interface Service {
  readonly fetch: PageSource["fetch"];
  readonly requestedPages: [limit: number, offset: number][];
}

/** A service that has `total` entries and returns at most `cap` entries per page. */
function serviceOf(
  total: number,
  { cap = 100, next = (offset: number, count: number) => offset + count } = {},
): Service {
  const requestedPages: [number, number][] = [];
  const entries = Array.from({ length: total }, (_, index) => ({ id: String(index) }));
  const fetch = async (limit: number, offset: number): Promise<Page> => {
    requestedPages.push([limit, offset]);
    const resources = entries.slice(offset, offset + Math.min(limit, cap));
    return { resources, offset: next(offset, resources.length) };
  };
  return { fetch, requestedPages };
}

const sourceOf = (fetch: PageSource["fetch"], facts: Partial<PageSource> = {}): PageSource => ({
  fetch,
  endless: () => new Error("no end"),
  shortPageIsLast: false,
  memory: { largestFullPage: 0 },
  ...facts,
});

async function idsOf(fetch: PageSource["fetch"], facts: Partial<PageSource> = {}, range = {}) {
  const ids: number[] = [];
  for await (const page of allPages(sourceOf(fetch, facts), range))
    ids.push(...page.map(({ id }) => Number(id)));
  return ids;
}

const upTo = (total: number) => Array.from({ length: total }, (_, index) => index);

test("after a short first page, the client requests exactly one more page, unless it knows that a short page is the last", async () => {
  const careful = serviceOf(7);
  expect(await idsOf(careful.fetch)).toEqual(upTo(7));
  expect(careful.requestedPages).toEqual([
    [100, 0],
    [100, 7],
  ]);
  const uncapped = serviceOf(7);
  expect(await idsOf(uncapped.fetch, { shortPageIsLast: true })).toEqual(upTo(7));
  expect(uncapped.requestedPages).toEqual([[100, 0]]);
});

test("a full page of 10 entries does not prove that the service fills a page of 100 entries", async () => {
  const memory = { largestFullPage: 0 };
  await idsOf(serviceOf(25, { cap: 50 }).fetch, { memory }, { pageSize: 10 });
  expect(await idsOf(serviceOf(120, { cap: 50 }).fetch, { memory })).toEqual(upTo(120));
});

test.each([
  ["stays the same", (offset: number) => offset],
  ["goes backwards", (offset: number) => offset - 10],
  ["starts over", () => 0],
])("if the next offset %s, the list ends", async (_, next) => {
  const service = serviceOf(500, { next });
  expect(await idsOf(service.fetch, {}, { offset: 10 })).toHaveLength(100);
  expect(service.requestedPages).toHaveLength(1);
});

test("if a service returns no offset, the client counts the entries to know the offset of the next page", async () => {
  const service = serviceOf(130, { cap: 40, next: () => Number.NaN });
  expect(await idsOf(service.fetch)).toEqual(upTo(130));
});

test("if the next offset jumps ahead, the list continues from that offset", async () => {
  const service = serviceOf(300, { next: (offset) => offset + 150 });
  await idsOf(service.fetch);
  expect(service.requestedPages.map(([, offset]) => offset)).toEqual([0, 150, 300]);
});

test("if new entries push an older entry onto the next page too, the list has the older entry only once", async () => {
  const fetch = async (_limit: number, offset: number): Promise<Page> => ({
    resources: upTo(250)
      .slice(Math.max(0, offset - 3), offset + 100)
      .map((id) => ({ id: String(id) })),
    offset: offset + 100,
  });
  expect(await idsOf(fetch)).toEqual(upTo(250));
});

test.each([[[]], [{}], [{ resources: {} }], [{ resources: [1] }], [null], [undefined]])(
  "%j is not a page",
  (body) => {
    const place = { operation: "list deployments", method: "GET", url: "http://host/v2/deployments" };
    expect(() => pageIn(body, place, faultOf)).toThrow(UnexpectedAnswerError);
    expect(() => pageIn(body, place, faultOf)).toThrow(
      "list deployments: GET http://host/v2/deployments answered with no page",
    );
  },
);

test.each([
  [{ name: "a" }, '(name "a") without an id'],
  [{ id: 7 }, "(number 2 of its list) without an id"],
  [{ id: "\ud800" }, "(number 2 of its list) without an id"],
  [{ compute_id: "cluster\u001b" }, '(compute_id "cluster\\u001b") without an id'],
  [{ id: "1", status: 3 }, "(id 1) whose status is not a string"],
  [{ id: "1", latest_revision_id: {} }, "(id 1) whose latest_revision_id is not a string"],
  [{ id: "1", name: "a", source_config: [] }, '(id 1, name "a") whose source_config is not an object'],
  [{ id: "1", name: "a\n", secrets: ["sk-1"] }, '(id 1, name "a\\n") whose secrets is not a list of objects'],
])(
  "the error about the unusable entry %j names its id, name or position, and the bad field",
  (entry, words) => {
    const place = { operation: "list deployments", method: "GET", url: "u", status: 200 };
    const page = {
      resources: [{ id: "0", status: "NEW_STATUS", more: 1, source_config: null }, entry],
      offset: 2,
    };
    expect(() => pageIn(page, place, faultOf)).toThrow(UnexpectedAnswerError);
    expect(() => pageIn(page, place, faultOf)).toThrow(
      `list deployments: GET u answered 200 with an entry ${words}`,
    );
  },
);

test.each([
  ["keeps growing", (offset: number) => offset + 100],
  ["stays the same", () => 100],
])("a list ends with an error if the service repeats a full page while the offset %s", async (_, next) => {
  const fetch = async (_limit: number, offset: number): Promise<Page> => ({
    resources: upTo(100).map((id) => ({ id: String(id) })),
    offset: next(offset),
  });
  await expect(idsOf(fetch)).rejects.toThrow("no end");
});

test("a list is read to the end even if the service ignores the offset and never returns a full page", async () => {
  let requests = 0;
  const same = async (_limit: number, offset: number) => {
    requests += 1;
    return { resources: upTo(40).map((id) => ({ id: String(id) })), offset: offset + 40 };
  };
  expect(new Set(await idsOf(same))).toEqual(new Set(upTo(40)));
  expect(requests).toBe(4);
});

test("an endless list ends with an error", async () => {
  let requests = 0;
  const fetch = async (_limit: number, offset: number): Promise<Page> => {
    requests += 1;
    return { resources: [{ id: String(requests) }], offset: offset + 1 };
  };
  await expect(idsOf(fetch)).rejects.toThrow("no end");
  expect(requests).toBe(10_000);
});
