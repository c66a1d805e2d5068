import { ConfigurationError } from "../../../provider/client/errors";
import { settingValue } from "../../../provider/client/settings";
import { between } from "../../../provider/schema/kind";
import {
  both,
  configurationRows,
  connectionRows,
  type SettingTable,
} from "../../../provider/schema/settings";

const rows: SettingTable = configurationRows;
const read = (key: string, value: unknown): unknown =>
  settingValue(rows[key] as SettingTable[string], value, key);

function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).name).toBe("ConfigurationError");
    return (error as Error).message;
  }
  throw new Error("it was not refused");
}

test("a JSON object is accepted with any content", () => {
  expect(read("profileOverrides", '{"a": [1], "b": null}')).toEqual({ a: [1], b: null });
  expect(read("headers", "{}")).toEqual({});
});

test.each(["null", "[]", '["a"]', "7", '"text"', "true", "{", ""])(
  "the error about %s, which is not a JSON object, does not quote the text, which may hold a key",
  (words) => {
    expect(refusalOf(() => read("connections", words))).toBe("connections: is not a JSON object");
  },
);

test("the value of a text setting is the text that was given, or else the default", () => {
  expect(read("profile", "given")).toBe("given");
  expect(read("profile", undefined)).toBe("contract");
});

test.each([[""], [" "], [7], [null], [{}], [["a"]], [true]])("%j is not a text", (value) => {
  expect(refusalOf(() => read("apiKey", value))).toBe("apiKey: allowed: a string that is not empty");
});

test("a choice must match one of the allowed words exactly", () => {
  expect(read("newRevisions", "forbid")).toBe("forbid");
  expect(read("newRevisions", undefined)).toBe("allow");
  for (const value of ["Forbid", "", 1, null])
    expect(refusalOf(() => read("newRevisions", value))).toBe(
      `newRevisions: got ${JSON.stringify(value)}; allowed: "allow", "forbid"`,
    );
});

test.each<[unknown, boolean]>([
  [true, true],
  [false, false],
  ["true", true],
  ["false", false],
  [undefined, false],
])("%j is read as %j", (value, meant) => {
  expect(read("allowInsecure", value)).toBe(meant);
  expect(read("adopt", value)).toBe(meant);
});

test("the value of a choice is one of the allowed texts, or a boolean if booleans are allowed", () => {
  expect(read("adopt", "identical")).toBe("identical");
  expect(refusalOf(() => read("adopt", "same"))).toBe('adopt: got "same"; allowed: true, false, "identical"');
});

test.each([["yes"], ["True"], [1], [null], [""]])("%j is not a boolean", (value) => {
  expect(refusalOf(() => read("allowInsecure", value))).toBe(
    `allowInsecure: got ${JSON.stringify(value)}; allowed: true or false`,
  );
});

const seconds = (value: unknown): number =>
  settingValue(both(between(1, 60), 30), value, "requestTimeoutSeconds");

test.each<[unknown, number]>([
  [undefined, 30],
  [1, 1],
  [60, 60],
  ["1", 1],
  ["60", 60],
  ["2.5", 2.5],
  [" 3 ", 3],
])("%j is read as the number %j", (value, read) => {
  expect(seconds(value)).toBe(read);
});

test.each([[0.99], [60.01], ["0"], ["61"], ["soon"], [null], [true], [["5"]], [{}], [Number.NaN]])(
  "%j is not a number within the bounds",
  (value) => {
    expect(refusalOf(() => seconds(value))).toBe(
      `requestTimeoutSeconds: got ${JSON.stringify(value)}; allowed: a number from 1 to 60`,
    );
  },
);

const retries = (value: unknown): number => settingValue(connectionRows.maxRetries, value, "maxRetries");

test.each<[unknown, number]>([
  [undefined, 4],
  [0, 0],
  ["0", 0],
  [7, 7],
  ["7", 7],
])("%j is read as the integer %j", (value, read) => {
  expect(retries(value)).toBe(read);
});

test.each([[-1], ["-1"], [1.5], ["1.5"], [2 ** 53], ["Infinity"], [""], ["  "], [null], [false], [["5"]]])(
  "%j is not an integer of at least 0",
  (value) => {
    expect(refusalOf(() => retries(value))).toBe(
      `maxRetries: got ${JSON.stringify(value)}; allowed: an integer of at least 0`,
    );
  },
);
