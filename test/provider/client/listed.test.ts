import { oldestFirst } from "../../../provider/client/listed";

test("the oldest entry comes first, and entries that were created at the same moment are in the order of their ids", () => {
  const entries = [
    { id: "b", createdAt: "2026-01-02T00:00:00Z" },
    { id: "a", createdAt: "2026-01-03T00:00:00Z" },
    { id: "d", createdAt: "2026-01-01T00:00:00Z" },
    { id: "c", createdAt: "2026-01-01T00:00:00Z" },
  ];
  expect(entries.sort(oldestFirst).map(({ id }) => id)).toEqual(["c", "d", "b", "a"]);
});
