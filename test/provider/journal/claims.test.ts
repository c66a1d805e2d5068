import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Claim, NameClaims } from "../../../provider/journal/claims";
import { JournalConflict } from "../../../provider/journal/faults";
import { failureOf } from "../providing";
import { freshFolder, SERVICE } from "./folders";

const NAME = { serviceUrl: SERVICE, name: "chat" };
const NOW = Date.now();
const later = (seconds: number) => NOW + seconds * 1_000;
const sent = (at: number, overAt: number) => ({ sentAt: at, serviceTime: at, overAt });

/** Two runs that share a folder. */
function runs(): [NameClaims, NameClaims] {
  const folder = freshFolder();
  return [new NameClaims(folder), new NameClaims(folder)];
}

async function granted(claim: Promise<Claim | undefined>): Promise<Claim> {
  const made = await claim;
  if (made === undefined) throw new Error("it was not granted");
  return made;
}

test("of any number of runs that claim a name at once, never more than one has it, and in the end each had it", async () => {
  const folder = freshFolder();
  let [holding, most, done] = [0, 0, 0];
  const work = async (): Promise<void> => {
    const claims = new NameClaims(folder);
    for (;;) {
      const claim = await claims.claim(NAME, Date.now());
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

test("another name, and the same on another service, is free", async () => {
  const [one, other] = runs();
  await granted(one.claim(NAME, NOW));
  expect(await other.claim(NAME, NOW)).toBeUndefined();
  expect(await other.claim({ ...NAME, name: "chat-2" }, NOW)).toMatchObject({ isFirst: true });
  expect(await other.claim({ ...NAME, serviceUrl: "https://other.example.test" }, NOW)).toMatchObject({
    isFirst: true,
  });
});

test("whoever comes after another run's creation looks again; after its own, or one that made nothing, it need not", async () => {
  const [one, other] = runs();
  await (await granted(one.claim(NAME, NOW))).release("not made");
  const second = await granted(other.claim(NAME, NOW));
  expect(second.isFirst).toBe(true);
  await second.release("made");
  expect((await granted(one.claim(NAME, NOW))).isFirst).toBe(false);
  expect(await other.claim(NAME, later(5))).toBeUndefined();
});

test("a run that is gone has its claim until its request can no longer arrive, and loses it then", async () => {
  const [gone, other] = runs();
  const claim = await granted(gone.claim(NAME, NOW));
  await claim.renew(sent(NOW, later(70)));
  expect(await other.claim(NAME, later(69))).toBeUndefined();
  expect(await other.claim(NAME, later(71))).toMatchObject({ isFirst: false });
  // If it was only asleep, it must not send again.
  expect(await failureOf(claim.renew(sent(later(71), later(140))))).toBeInstanceOf(JournalConflict);
});

test("one that was gone before it sent anything has it for some seconds only", async () => {
  const [gone, other] = runs();
  await granted(gone.claim(NAME, NOW));
  expect(await other.claim(NAME, later(9))).toBeUndefined();
  expect(await other.claim(NAME, Date.now() + 11_000)).toMatchObject({ isFirst: false });
});

test("without a folder, and where it cannot be written, every claim is granted", async () => {
  const blocked = freshFolder();
  mkdirSync(path.dirname(blocked), { recursive: true });
  writeFileSync(blocked, "no folder");
  for (const folder of [undefined, blocked]) {
    const claims = new NameClaims(folder);
    const claim = await granted(claims.claim(NAME, NOW));
    await claim.renew(sent(NOW, later(1)));
    await claim.release("made");
    expect(await claims.claim(NAME, NOW)).toMatchObject({ isFirst: true });
  }
});
