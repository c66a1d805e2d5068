import { settingValue } from "../../../provider/client/settings";
import { between, withDefault } from "../../../provider/schema/kind";
import {
  both,
  configurationRows,
  connectionRows,
  type SettingTable,
} from "../../../provider/schema/settings";
import { wordsOfRefusal } from "../../support/refusedSetting";

const rows: SettingTable = configurationRows;
const read = (key: string, value: unknown): unknown =>
  settingValue(rows[key] as SettingTable[string], value, key);

const seconds = (value: unknown): number =>
  settingValue(withDefault(30)(both(between(1, 60))), value, "requestTimeoutSeconds");
const retries = (value: unknown): number => settingValue(connectionRows.maxRetries, value, "maxRetries");

test.each<[unknown, unknown]>([
  [read("profileOverrides", '{"a": [1], "b": null}'), { a: [1], b: null }],
  [read("profile", undefined), "contract"],
  [read("newRevisions", "forbid"), "forbid"],
  [read("allowInsecure", true), true],
  [read("allowInsecure", "false"), false],
  [read("adopt", "true"), true],
  [read("adopt", "identical"), "identical"],
  [seconds(undefined), 30],
  [seconds("60"), 60],
  [seconds(" 2.5 "), 2.5],
  [retries(0), 0],
  [retries("7"), 7],
])("a setting is read from JSON, from a string or from its default: %j", (value, meant) => {
  expect(value).toEqual(meant);
});

// The JSON of a setting may contain a key, so no refusal quotes the JSON.
test.each<[unknown, (value: unknown) => unknown, string]>([
  ['["a"]', (value) => read("connections", value), "connections: is not a JSON object"],
  ["{", (value) => read("connections", value), "connections: is not a JSON object"],
  [" ", (value) => read("apiKey", value), "apiKey: allowed: a string that is not empty"],
  [
    "Forbid",
    (value) => read("newRevisions", value),
    'newRevisions: got "Forbid"; allowed: "allow", "forbid"',
  ],
  ["same", (value) => read("adopt", value), 'adopt: got "same"; allowed: true, false, "identical"'],
  ["True", (value) => read("allowInsecure", value), 'allowInsecure: got "True"; allowed: true or false'],
  [1, (value) => read("allowInsecure", value), "allowInsecure: got 1; allowed: true or false"],
  [0.99, seconds, "requestTimeoutSeconds: got 0.99; allowed: a number from 1 to 60"],
  ["61", seconds, 'requestTimeoutSeconds: got "61"; allowed: a number from 1 to 60'],
  ["soon", seconds, 'requestTimeoutSeconds: got "soon"; allowed: a number from 1 to 60'],
  ["-1", retries, 'maxRetries: got "-1"; allowed: an integer of at least 0'],
  [1.5, retries, "maxRetries: got 1.5; allowed: an integer of at least 0"],
  [["5"], retries, 'maxRetries: got ["5"]; allowed: an integer of at least 0'],
])("the value %j is refused, and the error says what is allowed", (value, reading, words) => {
  expect(wordsOfRefusal(() => reading(value))).toBe(words);
});
