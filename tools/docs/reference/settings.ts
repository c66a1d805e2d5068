/** The page of the settings. */

import { PROFILES } from "../../../provider/profiles/profiles";
import { environmentName, settingName } from "../../../provider/schema/naming";
import { configurationRows, type Setting, type SettingTable } from "../../../provider/schema/settings";
import type { Prose } from "../schema/prose";
import { membersOf } from "./declarations";
import { initialOf, REQUIRED, typeOf } from "./fields";
import { anchorOf, code, page, table, withDefault } from "./markdown";

const SECRECY = {
  always: "yes; refused in plaintext",
  perhaps: "if it holds a credential; then refused in plaintext",
} as const;

const CLIENTS = {
  both: "`ControlClient`, `RuntimeClient`",
  control: "`ControlClient`",
  runtime: "`RuntimeClient`",
  neither: "none",
} as const;

export function settingsPage(prose: Prose): string {
  const sections = Object.entries(configurationRows as SettingTable).map(([key, row]) =>
    sectionOf(key, row, prose),
  );
  return page(
    "# Settings",
    "Settings of the stack, in the namespace `deployment-control`. The environment variable wins over the stack's configuration: on refresh and destroy the engine hands over the configuration of the last `up`, so a rotated key has to be in the environment. [An explicit provider of the plugin with its own `baseUrl`](../guides/langsmith.md#several-services) takes only `newRevisions: forbid` from the environment, and nothing of its connection. Misspelled settings and variables are refused. Requests go through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, with or without `http://`, except those to this machine. In a project named `deployment-control`, keys that resemble no setting are the program's own.",
    overview(prose),
    ...sections,
    "## What profiles differ in",
    "`profileOverrides` takes `query` (under `deployments` and `revisions`, the query parameter of each filter), `wire` (path of an argument to its name on the wire), `classes` (path to `replace`, `newRevision`, `mayRevise` or `inPlace`) and `capabilities`:",
    capabilities(),
  );
}

function sectionOf(key: string, row: Setting<unknown>, prose: Prose): string {
  const facts: [string, string | undefined][] = [
    ["type", typeOf(row.kind)],
    ["default", givenWords(row, prose.ofRow(row, key)) || undefined],
    ["secret", row.secret && SECRECY[row.secret]],
    ["configuration", code(settingName(key))],
    ["environment", code(environmentName(key))],
    ["also an option of", CLIENTS[row.clients]],
  ];
  const shown = facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
  return page(`## ${code(key)}`, withDefault(prose.ofRow(row, key)).prose, table(["", ""], shown)).trim();
}

/** All settings at a glance, each with the first sentence of its section. */
function overview(prose: Prose): string {
  const lines = Object.entries(configurationRows as SettingTable).map(([key, row]) => {
    const words = prose.ofRow(row, key);
    const [sentence] = withDefault(words).prose.split(/(?<=\.)\s/);
    return [`[${code(key)}](#${anchorOf(key)})`, givenWords(row, words), sentence as string];
  });
  return table(["setting", "default", "what it is"], lines);
}

function givenWords(row: Setting<unknown>, prose: string): string {
  return row.required ? `${REQUIRED}: there is no default service` : initialOf(row, prose);
}

function capabilities(): string {
  const names = Object.keys(PROFILES);
  const rows = membersOf("provider/profiles/profile.ts", "Capabilities").map(({ name, prose }) => [
    code(name),
    ...Object.values(PROFILES).map((profile) =>
      String(profile.capabilities[name as keyof typeof profile.capabilities]),
    ),
    prose,
  ]);
  return table(["capability", ...names, "what it is"], rows);
}
