/**
 * A setting is one row of a table. The options of both clients, the configuration key and the environment variable of
 * the setting derive from the row.
 */
import { ControlClient, RuntimeClient } from "../../provider/client";
import { connectionFrom } from "../../provider/run/configuration";
import { environmentName } from "../../provider/schema/naming";
import {
  CONNECTION_KEYS,
  connectionRows,
  runtimeRows,
  type SettingTable,
} from "../../provider/schema/settings";

const rows: SettingTable = connectionRows;
const base: { [key: string]: string } = { baseUrl: "https://host.example", apiKey: "key" };

/** For each kind of setting, a string whose value differs from the default. */
const SAMPLES: { readonly [kind: string]: string } = {
  address: "https://other.example",
  text: "langsmith",
  boolean: "true",
  integer: "7",
  number: "7",
  map: '{"X-Tenant-Id": "t"}',
  jsonObject: '{"classes": {"secrets": "inPlace"}}',
};
const sampleOf = (key: string): string => {
  const kind = rows[key]?.kind;
  return kind?.type === "choice" ? String(kind.values.at(-1)) : (SAMPLES[kind?.type as string] as string);
};

test.each(CONNECTION_KEYS)(
  "%s is read from the configuration, but the environment takes precedence",
  (key) => {
    const plain = connectionFrom((name) => base[name], {}, undefined);
    const configured = { ...base, [key]: sampleOf(key) };
    const changed = connectionFrom((name) => configured[name], {}, undefined);
    expect(changed).not.toEqual(plain);
    const environment = { [environmentName(key)]: sampleOf(key) };
    expect(connectionFrom((name) => base[name], environment, undefined)).toEqual(changed);
  },
);

test.each(CONNECTION_KEYS)(
  "a client that has the option %s checks the option, and every other client refuses the option",
  (key) => {
    const at = { baseUrl: "https://host.example", [key]: null } as never;
    expect(() => new ControlClient(at)).toThrow(key);
    const there = { deploymentUrl: "https://chat.example", [key]: null } as never;
    const words = key in runtimeRows ? key : `${key}: is not an option`;
    expect(() => new RuntimeClient(there)).toThrow(words);
  },
);
