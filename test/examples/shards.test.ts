import { shardOf } from "../../examples/shards/shardOf";
import stacks from "../../examples/shards/stacks.json";

const names = Array.from({ length: 5000 }, (_, index) => `agent-${index}`);
const twenty = Array.from({ length: 20 }, (_, index) => `shard-${index + 1}`);
test("the order of the stacks does not change a deployment's stack, and each stack has about the same number of deployments", () => {
  expect([...new Set(names.map((name) => shardOf(name, stacks)))].sort()).toEqual(stacks);
  const reversed = [...twenty].reverse();
  const homes = names.map((name) => shardOf(name, twenty));
  expect(names.map((name) => shardOf(name, reversed))).toEqual(homes);
  // If the split were even, each stack would have 250 deployments.
  const sizes = twenty.map((stack) => homes.filter((home) => home === stack).length);
  expect(Math.max(...sizes)).toBeLessThan(300);
  expect(Math.min(...sizes)).toBeGreaterThan(200);
});

test("a new stack takes its share of the deployments, and no deployment moves between the old stacks", () => {
  const more = [...twenty, "shard-21"];
  const moved = names.filter((name) => shardOf(name, more) !== shardOf(name, twenty));
  expect(moved.every((name) => shardOf(name, more) === "shard-21")).toBe(true);
  expect(moved.length).toBeGreaterThan(150);
  expect(moved.length).toBeLessThan(350);
});
