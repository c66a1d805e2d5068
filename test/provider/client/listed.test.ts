import { oldestFirst } from "../../../provider/client/listed";

test("the oldest entry comes first, and of entries made at one moment the one with the lower id", () => {
  const entries = [
    { id: "b", createdAt: "2026-01-02T00:00:00Z" },
    { id: "a", createdAt: "2026-01-03T00:00:00Z" },
    { id: "d", createdAt: "2026-01-01T00:00:00Z" },
    { id: "c", createdAt: "2026-01-01T00:00:00Z" },
  ];
  expect(entries.sort(oldestFirst).map(({ id }) => id)).toEqual(["c", "d", "b", "a"]);
});
