import type { Live } from "../../../sdk/adopt/read/account";
import { judge, keepIn, previewPattern } from "../../../sdk/reap/leftOver";

const GLOB = "chat-pr-*";
const WRITTEN = Date.parse("2026-05-01T12:00:00Z");
const listed = (text: string) => keepIn({ text, name: "keep.txt" }, GLOB, WRITTEN);

test.each(["*", "?*", "ch*", "   *", "", "p?-*"])(
  "the pattern %j, which may match any name, is refused",
  (glob) => {
    expect(() => previewPattern(glob)).toThrow(
      `--match: got ${JSON.stringify(glob)}, which would match deployments that are not previews; allowed: a pattern whose first * or ? has at least 3 characters`,
    );
  },
);

test("a pattern has to match the whole name", () => {
  const pattern = previewPattern(GLOB);
  expect(["chat-pr-1", "chat-pr-", "my-chat-pr-1", "chat-prod"].map((name) => pattern.test(name))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(previewPattern("pr-").test("pr-1")).toBe(false);
});

test.each(["", " \n\n", "\r\n"])("the list %j is refused because no line has text", (text) => {
  expect(() => listed(text)).toThrow("keep.txt is empty, as it is when the command");
});

test("a name that does not match the pattern is refused, and the error gives its line number", () => {
  expect(() => listed("# open\nchat-pr-1\n12\n")).toThrow(
    'keep.txt: line 3: "12" does not match "chat-pr-*", so it would keep nothing',
  );
});

test("a list has one name per line, and may have comments, blank lines, a byte order mark and any kind of line ending", () => {
  expect([...listed("\ufeff# none yet\r\n\r\n chat-pr-1 \r\nchat-pr-2").names]).toEqual([
    "chat-pr-1",
    "chat-pr-2",
  ]);
  expect([...listed("# none is open\n").names]).toEqual([]);
});

const deploymentMadeAt = (createdAt: unknown, name = "chat-pr-9"): Live => ({
  id: "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21",
  values: { name, status: "READY", createdAt },
  wire: {},
});

test.each([
  ["begins with #", "#chat-*", "# open\n#chat-1\n", "#chat-1"],
  ["has an accent in other code points", "chat-*", "chat-caf\u00e9\n", "chat-cafe\u0301"],
])("a name that %s stays if the list has it", (_how, glob, text, name) => {
  const list = keepIn({ text, name: "keep.txt" }, glob, WRITTEN);
  const live = deploymentMadeAt("2026-05-01T11:59:00Z", name);
  const [judged] = judge([live], previewPattern(glob), list, [], 0);
  expect(judged?.reason).toBe("keep.txt names it");
});
const reasonFor = (createdAt: unknown, clockAhead = 0) =>
  judge([deploymentMadeAt(createdAt)], previewPattern(GLOB), listed("# none\n"), [], clockAhead)[0]?.reason;

const HOUR_MS = 3_600_000;
test.each([
  { about: "before the list", createdAt: "2026-05-01T11:59:00Z", clockAhead: 0, stays: false },
  { about: "after the list", createdAt: "2026-05-01T12:00:05Z", clockAhead: 0, stays: true },
  {
    about: "after the list, by a clock an hour behind",
    createdAt: "2026-05-01T11:00:05Z",
    clockAhead: -HOUR_MS,
    stays: true,
  },
  {
    about: "before the list, by a clock an hour ahead",
    createdAt: "2026-05-01T12:59:00Z",
    clockAhead: HOUR_MS,
    stays: false,
  },
  {
    about: "with the list, if only the answer was slow",
    createdAt: "2026-05-01T12:00:00Z",
    clockAhead: -5000,
    stays: false,
  },
])(
  "a deployment stays only if it was made after the list was written: $about",
  ({ createdAt, clockAhead, stays }) => {
    expect(reasonFor(createdAt, clockAhead)).toBe(
      stays ? "was created after keep.txt was written" : undefined,
    );
  },
);

test.each([undefined, null, "yesterday"])("a deployment whose time of creation is %j stays", (createdAt) => {
  expect(reasonFor(createdAt)).toBe("the service does not say when it was created");
});
