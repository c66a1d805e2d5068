import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Claim, NameClaims } from "../../../provider/journal/claims";
import { JournalConflict } from "../../../provider/journal/faults";
import { failureOf } from "../providing";
import { freshFolder, SERVICE } from "./folders";

const NAME = { serviceUrl: SERVICE, name: "chat" };
const NOW = Date.now();
const later = (seconds: number) => NOW + seconds * 1_000;
const sent = (at: number, overAt: number) => ({ sentAt: at, overAt });

/** Called before each step on the disk. */
let beforeStep: () => void = () => {};

jest.mock("node:fs", () => {
  const real = jest.requireActual<typeof import("node:fs")>("node:fs");
  const counted =
    <A extends unknown[], R>(step: (...args: A) => R) =>
    (...args: A): R => {
      beforeStep();
      return step(...args);
    };
  const { mkdirSync, openSync, readdirSync, statSync, unlinkSync } = real;
  const mocked = { mkdirSync, openSync, readdirSync, statSync, unlinkSync };
  return {
    ...real,
    ...Object.fromEntries(
      Object.entries(mocked).map(([name, step]) => [name, counted(step as () => unknown)]),
    ),
  };
});

/** Two runs that share a folder. */
function runs(): [NameClaims, NameClaims] {
  const folder = freshFolder();
  return [new NameClaims(folder), new NameClaims(folder)];
}

function granted(claim: Claim | undefined): Claim {
  if (claim === undefined) throw new Error("it was not granted");
  return claim;
}

test("of any number of runs that claim a name at once, never more than one has it, and in the end each had it", async () => {
  const folder = freshFolder();
  let [holding, most, done] = [0, 0, 0];
  const work = async (): Promise<void> => {
    const claims = new NameClaims(folder);
    for (;;) {
      const claim = claims.claim(NAME, Date.now());
      if (claim === undefined) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
        continue;
      }
      holding += 1;
      most = Math.max(most, holding);
      await claim.renew(sent(Date.now(), Date.now() + 60_000));
      holding -= 1;
      done += 1;
      return claim.release("made");
    }
  };
  await Promise.all(Array.from({ length: 12 }, work));
  expect([most, done]).toEqual([1, 12]);
});

test("whoever claims a name between any two steps of another run's claim, never both have it", () => {
  const outcomes = new Set<string>();
  for (let between = 0, steps = 1; between < steps; between += 1) {
    const [one, other] = runs();
    let second: Claim | undefined;
    steps = 0;
    beforeStep = () => {
      steps += 1;
      if (steps !== between + 1) return;
      const counting = beforeStep;
      beforeStep = () => {};
      second = other.claim(NAME, NOW);
      beforeStep = counting;
    };
    const first = one.claim(NAME, NOW);
    beforeStep = () => {};
    outcomes.add([first, second].map((claim) => (claim === undefined ? "waits" : "has it")).join(", "));
  }
  expect([...outcomes].sort()).toEqual(["has it, waits", "waits, has it"]);
});

test("another name, and the same on another service, is free", async () => {
  const [one, other] = runs();
  granted(one.claim(NAME, NOW));
  expect(other.claim(NAME, NOW)).toBeUndefined();
  expect(other.claim({ ...NAME, name: "chat-2" }, NOW)).toMatchObject({ isFirst: true });
  expect(other.claim({ ...NAME, serviceUrl: "https://other.example.test" }, NOW)).toMatchObject({
    isFirst: true,
  });
});

test("whoever comes after another run's creation looks again; after its own, or one that made nothing, it need not", async () => {
  const [one, other] = runs();
  granted(one.claim(NAME, NOW)).release("not made");
  const second = granted(other.claim(NAME, NOW));
  expect(second.isFirst).toBe(true);
  second.release("made");
  expect(granted(one.claim(NAME, NOW)).isFirst).toBe(false);
  expect(other.claim(NAME, later(5))).toBeUndefined();
});

test("a run that is gone has its claim until its request can no longer arrive, and loses it then", async () => {
  const [gone, other] = runs();
  const claim = granted(gone.claim(NAME, NOW));
  await claim.renew(sent(NOW, later(70)));
  expect(other.claim(NAME, later(69))).toBeUndefined();
  expect(other.claim(NAME, later(71))).toMatchObject({ isFirst: false });
  // If it was only asleep, it must not send again.
  expect(await failureOf(claim.renew(sent(later(71), later(140))))).toBeInstanceOf(JournalConflict);
});

test("one that was gone before it sent anything has it for some seconds only", async () => {
  const [gone, other] = runs();
  granted(gone.claim(NAME, NOW));
  expect(other.claim(NAME, later(9))).toBeUndefined();
  expect(other.claim(NAME, Date.now() + 11_000)).toMatchObject({ isFirst: false });
});

test("without a folder, and where it cannot be written, every claim is granted", async () => {
  const blocked = freshFolder();
  mkdirSync(path.dirname(blocked), { recursive: true });
  writeFileSync(blocked, "no folder");
  for (const folder of [undefined, blocked]) {
    const claims = new NameClaims(folder);
    const claim = granted(claims.claim(NAME, NOW));
    await claim.renew(sent(NOW, later(1)));
    claim.release("made");
    expect(claims.claim(NAME, NOW)).toMatchObject({ isFirst: true });
  }
});
