import { Takeovers } from "../../../provider/run/takeovers";

/** A clock that stands still until the test turns it. */
function turnedClock() {
  let rings: (() => void)[] = [];
  return {
    now: () => 0,
    sleep: async () => {},
    alarm: (_milliseconds: number, ring: () => void) => {
      rings = [ring];
      return () => {
        rings = rings.filter((each) => each !== ring);
      };
    },
    turn: () => {
      for (const ring of rings.splice(0)) ring();
    },
  };
}

function told() {
  const [warned, clock] = [[] as string[], turnedClock()];
  const takeovers = new Takeovers(async (words) => void warned.push(`: ${words}`), clock);
  const tell = (id: string, isLast = false) =>
    takeovers.tell({ id, warn: async () => void warned.push(`urn-${id}: takes over ${id}`) }, () => isLast);
  return { warned, clock, tell };
}

test("a single take-over is reported alone, under its resource, before the engine gets the result", async () => {
  const { warned, tell } = told();
  await tell("a", true);
  expect(warned).toEqual(["urn-a: takes over a"]);
});

test("many take-overs are reported together, under the last resource, with the first ids and the number of further ones", async () => {
  const { warned, tell } = told();
  for (let index = 1; index < 43; index += 1) await tell(`d-${index}`);
  expect(warned).toEqual([]);
  await tell("d-43", true);
  expect(warned).toEqual([
    ": takes over 43 deployments that an earlier run made and that the state does not have (ids d-1, d-2, d-3, d-4, d-5 and 38 more)",
  ]);
});

test("take-overs are reported after a while even if none is the last, and a later one is reported separately", async () => {
  const { warned, clock, tell } = told();
  await tell("a");
  await tell("b");
  clock.turn();
  clock.turn();
  await tell("c", true);
  expect(warned).toEqual([
    ": takes over 2 deployments that an earlier run made and that the state does not have (ids a, b)",
    "urn-c: takes over c",
  ]);
});
