/** Names and values that would have an effect somewhere if they were not shown as text. */
import fc from "fast-check";
import { anyCharacter } from "../characters";

export const HOSTILE: readonly string[] = [
  "a|b",
  "a\\|b",
  "a\\\\|b|",
  "| a | b |",
  "@everyone",
  "see #123 and GH-7 and owner/repo#9",
  "somebody@example.com",
  "https://evil.example/?a=b&c=d",
  "www.evil.example",
  "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
  "[click](https://evil.example)",
  "![x](https://evil.example/pixel.png)",
  "<script>window.ran = true; alert(1)</script>",
  '<img src="https://evil.example/pixel.png" onerror="window.ran = true">',
  "</details></summary><h1>big</h1>",
  "</code></td></tr></table><h1>out</h1>",
  "</style></title></svg><script>window.ran = true</script>",
  "--><script>window.ran = true</script><!--",
  "<!-- deployment-control plan: other/stack -->",
  "&lt;b&gt; &amp; &#64;",
  "`code` and ``more`` and ```fence```",
  "```\n# heading\n```",
  "`",
  "~~~\ntext",
  "\u001b[31mred\u001b[0m\u001b]0;title\u0007",
  "\u009b31m",
  "back\b\b\bspace\r over",
  "nul\u0000nul",
  "two\nlines",
  "left\u202eright\u2066isolate\u2069",
  "zero\u200bwidth\u200djoin\ufeff",
  "lone\ud800high",
  "lone\udc00low",
  "line\u2028separator\u2029",
  "tag\u{e0041}\u{e007f}",
  "::warning::injected",
  "##[error]injected",
  "built ##[group]x\n  ::add-mask::y",
  "##vso[task.setvariable variable=x]y",
  "\u009d0;title\u009c and \u001b]8;;https://evil.example\u0007link",
  "#".repeat(40),
  ":".repeat(40),
  "$(id) `id` $HOME",
  "$x^2$ $$y$$",
  ":tada:",
  "# heading",
  "1. first",
  "- item",
  "> quote",
  "    indented",
  "***",
  "  leading and trailing  ",
  " ",
  "",
  "日本語の名前がとても長い",
  "__proto__",
  "constructor",
  "\u1920",
  "\u0301".repeat(9),
  "x".repeat(5_000),
  "\u202e".repeat(500),
];

/** Random strings, some with lone surrogates or control characters, and sometimes one or two fixed strings. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(..."|\\`<>&\"'@##::/.-_*[[]()!~$ \n\r\u0000\u001b\u009b\u202e\ud800a1"),
    maxLength: 40,
  }),
  fc.constantFrom(...HOSTILE),
  fc.tuple(fc.constantFrom(...HOSTILE), fc.constantFrom(...HOSTILE)).map((both) => both.join(" ")),
);

/** Matches commands to a CI runner. `##…[` matches anywhere in a line, and `::…::` only at the start of a line. */
export const RUNNER_COMMAND = /##\w*\[|^\s*::\s*[a-z][^\n]*::/im;

/** Characters that no human-readable format may show. */
export const UNSEEN = /(?!\n)[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
