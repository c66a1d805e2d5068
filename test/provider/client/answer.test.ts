import { type HttpAnswer, readAnswer } from "../../../provider/client/answer";
import { StatusError, UnexpectedAnswerError } from "../../../provider/client/errors";
import { failureOf } from "../../support/httpServer";

const place = { operation: "list", method: "GET", url: "u" };
const NOW = Date.UTC(2031, 0, 1);

type Headers = { readonly [name: string]: string | string[] | undefined };

/** Reads an answer whose body arrives in these pieces. */
function read(
  body: string | readonly (string | Buffer)[],
  status = 200,
  headers: Headers = {},
  requestPlace = place,
): Promise<HttpAnswer> {
  const pieces = typeof body === "string" ? [body] : body;
  const response = { statusCode: status, headers, body: piecewise(pieces) };
  return readAnswer(requestPlace, response as unknown as Parameters<typeof readAnswer>[1], () => NOW);
}

async function* piecewise(pieces: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

const refusal = async (body: string, status = 422, headers: Headers = {}) =>
  (await failureOf(read(body, status, headers))) as StatusError;

test("an answer gives the operation, method and address of its request, the status, the body, and the service's time", async () => {
  const date = new Date(NOW).toUTCString();
  expect(await read('{"a":1}', 201, { date })).toEqual({
    place: { ...place, status: 201 },
    body: { a: 1 },
    serviceTime: NOW,
  });
  expect(await read("", 204, { date: "soon" })).toEqual({
    place: { ...place, status: 204 },
    body: undefined,
    serviceTime: undefined,
  });
});

test("a character that is split between two chunks is read whole", async () => {
  const bytes = Buffer.from('"ü"');
  expect((await read([bytes.subarray(0, 2), bytes.subarray(2)])).body).toBe("ü");
});

test.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
  [404, false],
])("status %i is a success: %s", async (status, isSuccess) => {
  const outcome = await read("{}", status).catch((error: unknown) => error);
  expect(outcome instanceof StatusError).toBe(!isSuccess);
});

test("a body of 16 MiB is read, and a larger body is refused", async () => {
  const mebibytes = Array<Buffer>(16).fill(Buffer.alloc(1024 * 1024, 120));
  expect(await failureOf(read(mebibytes, 500))).toBeInstanceOf(StatusError);
  const error = await failureOf(read([...mebibytes, "x"], 200));
  expect(error).toBeInstanceOf(UnexpectedAnswerError);
  expect(error.message).toBe("list: GET u answered 200 with more than 16777216 bytes");
  expect((await failureOf(read([...mebibytes, "x"], 422))).message).toBe("list: GET u answered 422");
});

const lists = (levels: number, within = "") => "[".repeat(levels) + within + "]".repeat(levels);

test.each<[string, string, boolean]>([
  ["200 lists", lists(200), true],
  ["201 lists", lists(201), false],
  ["201 objects", '{"a":'.repeat(201) + 1 + "}".repeat(201), false],
  ["brackets in a string", lists(200, `"${"[{".repeat(9)}"`), true],
  ["brackets after an escaped quote", lists(200, '"a\\"[["'), true],
  ["a list after a string that ends with a backslash", lists(200, '"a\\\\",[]'), false],
])("a body may be nested 200 levels deep: %s", async (_, text, isRead) => {
  const outcome = await read(text).catch((error: unknown) => error);
  if (isRead) expect(outcome).toMatchObject({ body: JSON.parse(text) });
  else {
    expect(outcome).toBeInstanceOf(UnexpectedAnswerError);
    expect((outcome as Error).message).toBe(
      "list: GET u answered 200 with JSON that is nested deeper than 200 levels",
    );
  }
});

test.each<[string, string | undefined, string]>([
  ["  <!doctype html>", "text/plain", "an HTML page"],
  ["<p>", undefined, "an HTML page"],
  ["nothing", "text/html; charset=utf-8", "an HTML page"],
  ["a < b", "text/plain", "text/plain"],
  ['{"resources": [', "application/json", "application/json"],
  ["a < b", undefined, "something"],
  ["a", "", "something"],
])("if JSON is expected, the error describes the body %j of type %j as %s", async (text, type, what) => {
  expect((await failureOf(read(text, 200, { "content-type": type }))).message).toBe(
    `list: GET u answered 200 with ${what} where JSON was expected; set the base URL to the address of the service's API`,
  );
});

test.each<[string, string]>([
  ['{"detail":"a","message":"b","error":"c"}', "a"],
  ['{"message":"b","error":"c"}', "b"],
  ['{"error":"c"}', "c"],
  ['{"detail":null,"error":"c"}', "c"],
  ['{"detail":" a\\n\\t b "}', "a b"],
  ['{"detail":{"map":"x"}}', '{"detail":{"map":"x"}}'],
  ['{"detail":7}', '{"detail":7}'],
  ['{"detail":[]}', ""],
  ["null", "null"],
  ["7", "7"],
  ["", ""],
  ["plain words", "plain words"],
  ["  <html>", "an HTML page"],
  ["<html>", "an HTML page"],
  ["1 < 2", "1 < 2"],
  ['{"detail":"<b> is not allowed"}', "<b> is not allowed"],
  ['{"detail":[{"loc":["body","source_config",0],"msg":"bad"}]}', "source_config.0: bad"],
  ['{"detail":[{"loc":["body"],"msg":"bad"},{"loc":"x","msg":"worse"}]}', "bad; worse"],
  ['{"detail":[{"loc":["a"],"type":"t"},{"msg":7}]}', 'a: {"loc":["a"],"type":"t"}; {"msg":7}'],
  ['{"detail":["text",null]}', '"text"; null'],
])("the refusal %s has the service's message %j", async (body, words) => {
  expect((await refusal(body)).detail).toBe(words);
});

test("an error shows the first 1000 characters of the service's message, and marks the cut if the message is longer", async () => {
  expect((await refusal("x".repeat(1000))).detail).toBe("x".repeat(1000));
  expect((await refusal("x".repeat(1001))).detail).toBe(`${"x".repeat(1000)}…`);
});

test.each([
  [
    "https://other.example/api/v2/deployments?token=t#f",
    "a redirect to https://other.example/api/v2/deployments, which",
  ],
  ["https://user:pass@other.example", "a redirect to https://other.example/, which"],
  ["/login", "a redirect to https://host.example/login, which"],
  ["https://", "a redirect, which"],
  [undefined, "a redirect, which"],
])(
  "the error about a redirect to %s names the target, but leaves out parts that may be secret",
  async (location, words) => {
    const requestPlace = { ...place, url: "https://host.example/v2/deployments" };
    const { detail } = (await failureOf(read("", 307, { location }, requestPlace))) as StatusError;
    expect(detail).toBe(
      `${words} is not followed, so that no credential goes elsewhere. Set the base URL to the address of the service's API`,
    );
  },
);

test.each<[string | string[] | undefined, number | undefined]>([
  ["3", 3],
  ["0.5", 0.5],
  ["-3", 0],
  ["0", 0],
  [new Date(NOW + 7_000).toUTCString(), 7],
  [new Date(NOW - 7_000).toUTCString(), 0],
  ["soon", undefined],
  ["Infinity", undefined],
  ["", undefined],
  ["  ", undefined],
  [["3", "4"], undefined],
  [undefined, undefined],
])("Retry-After %j means %j seconds", async (header, seconds) => {
  expect((await refusal("", 503, { "retry-after": header })).retryAfterSeconds).toBe(seconds);
});
