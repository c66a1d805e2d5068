import { readAdoptFlags } from "../../../sdk/cli/adoptFlags";

test.each([
  [["--format", "toml"], '--format: got "toml"; allowed: "typescript", "import-file"'],
  [["--compare", "--format", "yaml"], '--format: got "yaml"; allowed: "text", "json"'],
  [["--status", "DONE"], '--status: got "DONE"; allowed: "AWAITING_DATABASE"'],
  [["--stack", "dev"], "--stack: works only with --compare"],
  [["--compare", "--check"], "--check: cannot be combined with --compare"],
  [["--check", "--format", "import-file"], "--check: an import file is not a program"],
])("%j is refused, and the error says what is allowed", (args, words) => {
  expect(() => readAdoptFlags(args)).toThrow(words);
});
