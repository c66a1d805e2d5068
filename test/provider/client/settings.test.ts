import {
  booleanOf,
  ConfigurationError,
  integerOf,
  numberOf,
  oneOf,
  parseJson,
  textOf,
} from "../../../provider/client/settings";

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

test("a JSON object is read, whatever is in it", () => {
  expect(parseJson("headers", '{"a": [1], "b": null}')).toEqual({ a: [1], b: null });
  expect(parseJson("headers", "{}")).toEqual({});
});

test.each(["null", "[]", '["a"]', "7", '"text"', "true", "{", ""])(
  "%s is no JSON object, and is not quoted since it may hold a key",
  (words) => {
    expect(refusalOf(() => parseJson("connections", words))).toBe("connections: is not a JSON object");
  },
);

test("a text is what was given, or what holds where nothing was", () => {
  expect(textOf("given", "profile", "else")).toBe("given");
  expect(textOf(" ", "profile", "else")).toBe(" ");
  expect(textOf(undefined, "profile", "else")).toBe("else");
});

test("a text that nothing stands for has to be given", () => {
  expect(refusalOf(() => textOf(undefined, "apiKey"))).toBe("apiKey: allowed: a string that is not empty");
});

test.each([[""], [7], [null], [{}], [["a"]], [true]])("%j is no text", (value) => {
  expect(refusalOf(() => textOf(value, "apiKey", "else"))).toBe(
    "apiKey: allowed: a string that is not empty",
  );
});

test("one of several words is taken as it stands", () => {
  const values = ["allow", "forbid"] as const;
  expect(oneOf("forbid", values, "allow", "newRevisions")).toBe("forbid");
  expect(oneOf(undefined, values, "allow", "newRevisions")).toBe("allow");
  for (const value of ["Forbid", "", 1, null])
    expect(refusalOf(() => oneOf(value, values, "allow", "newRevisions"))).toBe(
      `newRevisions: got ${JSON.stringify(value)}; allowed: allow, forbid`,
    );
});

test.each<[unknown, boolean]>([
  [true, true],
  [false, false],
  ["true", true],
  ["false", false],
  [undefined, false],
])("%j is read as %j", (value, read) => {
  expect(booleanOf(value, "adopt")).toBe(read);
});

test.each([["yes"], ["True"], [1], [null], [""]])("%j is neither true nor false", (value) => {
  expect(refusalOf(() => booleanOf(value, "adopt"))).toBe(
    `adopt: got ${JSON.stringify(value)}; allowed: true, false`,
  );
});

const seconds = (value: unknown): number => numberOf(value, 30, 1, "requestTimeoutSeconds", 60);

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
  "%j is no number within the bounds",
  (value) => {
    expect(refusalOf(() => seconds(value))).toBe(
      `requestTimeoutSeconds: got ${JSON.stringify(value)}; allowed: a number from 1 to 60`,
    );
  },
);

const retries = (value: unknown): number => integerOf(value, 4, 0, "maxRetries");

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
  "%j is no integer from the bound on",
  (value) => {
    expect(refusalOf(() => retries(value))).toBe(
      `maxRetries: got ${JSON.stringify(value)}; allowed: an integer of at least 0`,
    );
  },
);
