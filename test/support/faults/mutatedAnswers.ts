/** Makes good answers bad at random: changes their bytes, types, keys, enums, size and depth. */
import type { Random } from "./random";

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const ODD: readonly Json[] = [
  null,
  true,
  -1,
  0,
  1e308,
  "",
  "..",
  "\ud800",
  "\u0000",
  "NEW_VALUE",
  "1970-13-99",
  [],
  {},
  [null],
  [[]],
  { id: {} },
];

/** Every place in the value: the object or list that contains the place, and the place's key. */
function places(value: Json, placesSoFar: [holder: Json[] | { [name: string]: Json }, key: string][] = []) {
  if (typeof value !== "object" || value === null) return placesSoFar;
  for (const key of Object.keys(value)) {
    placesSoFar.push([value as { [name: string]: Json }, key]);
    places((value as { [name: string]: Json })[key] as Json, placesSoFar);
  }
  return placesSoFar;
}

function atOnePlace(
  value: Json,
  random: Random,
  change: (holder: { [name: string]: Json }, key: string) => void,
): Json {
  const copy = structuredClone(value);
  const allPlaces = places(copy);
  if (allPlaces.length === 0) return random.pick(ODD);
  const [holder, key] = random.pick(allPlaces);
  change(holder as { [name: string]: Json }, key);
  return copy;
}

const KEYS = [
  "__proto__",
  "constructor",
  "toString",
  "resources",
  "id",
  "",
  "a.b",
  "\ud800",
  "then",
  "toJSON",
];

const VALUES: { readonly [kind: string]: (value: Json, random: Random) => Json } = {
  types: (value, random) =>
    atOnePlace(value, random, (holder, key) => {
      holder[key] = random.pick(ODD);
    }),
  "a key less": (value, random) =>
    atOnePlace(value, random, (holder, key) => {
      delete holder[key];
    }),
  "a key more": (value, random) =>
    atOnePlace(value, random, (holder) => {
      const key = random.pick(KEYS);
      Object.defineProperty(holder, key, { value: random.pick(ODD), enumerable: true, configurable: true });
    }),
  "another key": (value, random) =>
    atOnePlace(value, random, (holder, key) => {
      const moved = holder[key] as Json;
      delete holder[key];
      holder[random.pick(KEYS.slice(1))] = moved;
    }),
  enums: (value, random) =>
    atOnePlace(value, random, (holder, key) => {
      if (typeof holder[key] === "string")
        holder[key] = random.pick(["PAUSED", "deployed", "DEPLOYED ", "_FAILED"]);
    }),
  twice: (value, random) =>
    atOnePlace(value, random, (holder, key) => {
      holder[key] = [holder[key] as Json, holder[key] as Json];
    }),
  whole: (_value, random) => random.pick(ODD),
};

const BYTES: { readonly [kind: string]: (body: Buffer, random: Random) => Buffer } = {
  "a byte": (body, random) => {
    const copy = Buffer.from(body);
    if (copy.length > 0) copy[random.below(copy.length)] = random.below(256);
    return copy;
  },
  cut: (body, random) => body.subarray(0, random.below(body.length + 1)),
  inserted: (body, random) => {
    const at = random.below(body.length + 1);
    const junk = Buffer.from(Array.from({ length: 1 + random.below(9) }, () => random.below(256)));
    return Buffer.concat([body.subarray(0, at), junk, body.subarray(at)]);
  },
  "a part gone": (body, random) => {
    const at = random.below(body.length + 1);
    return Buffer.concat([body.subarray(0, at), body.subarray(at + 1 + random.below(40))]);
  },
  repeated: (body) => Buffer.concat([body, body]),
};

/** Answers of extreme size. They are chosen rarely, because each takes a long time. */
const SIZES: { readonly [kind: string]: (random: Random) => Buffer } = {
  "10 MB of text": () => Buffer.from(JSON.stringify({ id: "1", name: "x".repeat(10_000_000) })),
  "10 MB of entries": () =>
    Buffer.from(
      `{"resources":[${Array(100_000).fill('{"id":"1","name":"x","secrets":[],"source_config":{}}').join()}],"offset":0}`,
    ),
  "20 MB": () => Buffer.alloc(20_000_000, 32),
  "deep lists": (random) => Buffer.from("[".repeat(10 ** (2 + random.below(5)))),
  "deep objects": () => Buffer.from(`${'{"resources":'.repeat(50_000)}1${"}".repeat(50_000)}`),
};

const STATUSES = [
  200, 201, 202, 204, 207, 299, 300, 304, 400, 401, 403, 404, 409, 418, 422, 451, 499, 501, 599, 999,
];
const TYPES = ["application/json", "text/html", "", "application/json; charset=utf-16"];

export const KINDS = [...Object.keys(VALUES), ...Object.keys(BYTES), ...Object.keys(SIZES), "status"];

export function mutated(good: Json, random: Random): Answer {
  const whole = { status: 200, contentType: random.chance(0.9) ? "application/json" : random.pick(TYPES) };
  const text = Buffer.from(JSON.stringify(good));
  if (random.chance(0.002))
    return { ...whole, body: (random.pick(Object.values(SIZES)) as (typeof SIZES)[string])(random) };
  if (random.chance(0.1)) return { ...whole, status: random.pick(STATUSES), body: text };
  if (random.chance(0.3))
    return { ...whole, body: (random.pick(Object.values(BYTES)) as (typeof BYTES)[string])(text, random) };
  let value = good;
  for (let count = 1 + random.below(3); count > 0; count -= 1)
    value = (random.pick(Object.values(VALUES)) as (typeof VALUES)[string])(value, random);
  return { ...whole, body: Buffer.from(JSON.stringify(value) ?? "") };
}
