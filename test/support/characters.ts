import fc from "fast-check";

const HALVES = { first: 0xd800, count: 0x800 };

/**
 * Any Unicode character, as the `unit` of `fc.string`. The unit `binary` of fast-check has the same characters, but
 * takes more than a second in each test file, because it makes a map of all characters.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - HALVES.count })
  .map((number) => String.fromCodePoint(number < HALVES.first ? number : number + HALVES.count));
