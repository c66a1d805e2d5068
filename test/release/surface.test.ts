/** A change that breaks programs, scripts or readers of the last release is announced in the changelog. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { version } from "../../package.json";
import { CURRENT_SCHEMA } from "../../provider/host/schema";
import {
  breaksBetween,
  surfaceOfHelp,
  surfaceOfReports,
  surfaceOfSchema,
  surfaceOfStates,
  unannounced,
} from "./surface";

const ROOT = path.join(__dirname, "../..");
const help = (...args: string[]) =>
  execFileSync(process.execPath, [path.join(ROOT, "dist/sdk/cli/main.js"), ...args, "--help"], {
    encoding: "utf8",
  });
const COMMANDS = help().match(/(?<=^ {2})[a-z]+(?= {2})/gm) ?? [];
const json = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), "utf8"));
function surfaceToday() {
  return {
    ...surfaceOfSchema(json("provider/schema.json")),
    ...surfaceOfReports(json("sdk/report/report.schema.json")),
    ...surfaceOfStates(CURRENT_SCHEMA),
    ...Object.assign({}, ...COMMANDS.map((name) => surfaceOfHelp(name, help(name)))),
  };
}

test("each change that breaks what the last release offered is marked **Breaking** in the changelog, by its name", () => {
  const recording = path.join(__dirname, "recorded", version, "surface.json");
  const today = surfaceToday();
  if (!existsSync(recording)) {
    writeFileSync(recording, `${JSON.stringify(today, null, 2)}\n`);
    throw new Error(
      `recorded what ${version} offers: look at ${path.relative(ROOT, recording)} and commit it`,
    );
  }
  const [, unreleased = ""] = readFileSync(path.join(ROOT, "CHANGELOG.md"), "utf8").split(/^## .*$/m);
  const before = JSON.parse(readFileSync(recording, "utf8"));
  expect(Object.keys(before).length).toBeGreaterThan(100);
  expect(unannounced(breaksBetween(before, today), unreleased)).toEqual([]);
});

const before = {
  "A input a": "string",
  "A input b": "string!",
  "A output c": "string!",
  "A output d": "string",
};

test.each([
  [{ ...before, "A input a": "number" }, ["A input a: was string, is number"]],
  [{ ...before, "A input a": "string!" }, ["A input a: now required"]],
  [{ ...before, "A input new": "string!" }, ["A input new: new, required"]],
  [{ ...before, "A output c": "string" }, ["A output c: may now be absent"]],
  [{ "A input a": "string", "A input b": "string!", "A output c": "string!" }, ["A output d: removed"]],
])("%j breaks", (now, breaks) => {
  expect(breaksBetween(before, now)).toEqual(breaks);
});

test.each([
  { ...before, "A input new": "string" },
  { ...before, "A output new": "string!" },
  { ...before, "A input b": "string" },
  { ...before, "A output d": "string!" },
  { ...before, "B input e": "string!" },
])("%j breaks nothing", (now) => {
  expect(breaksBetween(before, now)).toEqual([]);
});

test("another version of states breaks, and so does the loss of either form of a switch", () => {
  const log = surfaceOfHelp("emulator", "  --[no-]log  prints each request\n  --port N  the port\n");
  expect(breaksBetween(surfaceOfStates(1), surfaceOfStates(2))).toEqual([
    "state __schemaVersion: was 1, is 2",
  ]);
  expect(breaksBetween(log, surfaceOfHelp("emulator", "  --log  prints each request\n"))).toEqual([
    "command emulator --no-log: removed",
    "command emulator --port: removed",
  ]);
});

test("only an entry that is marked and names the property announces its break", () => {
  const breaks = ["A input name: removed"];
  expect(unannounced(breaks, "\n- **Breaking**: `name` is gone.\n")).toEqual([]);
  expect(unannounced(breaks, "\n- `name` is gone.\n- **Breaking**: `other` is gone.\n")).toEqual(breaks);
});
