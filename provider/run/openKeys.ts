/** Which settings hold a key: one that is no secret would stand in the state in clear. */
import { confidentialIn } from "../client/headers";
import { configurationRows, type SettingTable } from "../fields/settings";
import { isProperties, jsonIn } from "../fields/value";

const rows: SettingTable = configurationRows;

/** Whether the value of this setting, or of a connection's, is a secret or has one in it. */
export function holdsKey(setting: string, value: unknown): boolean {
  const secret = rows[setting]?.secret;
  if (secret === undefined || value === undefined) return false;
  if (secret === "always") return true;
  const members = typeof value === "string" ? jsonIn(value) : value;
  // The provider says what is wrong with it; what it holds is not known, so it is treated as a key.
  if (members === undefined) return true;
  if (typeof members !== "object" || members === null) return false;
  if (setting === "headers") return confidentialIn({ ...members }).length > 0;
  return Object.values(members).some(
    (connection) =>
      isProperties(connection) && Object.entries(connection).some(([key, each]) => holdsKey(key, each)),
  );
}

/** What is wrong with a setting that holds a key in clear. */
export const openKeyWords = (name: string): string =>
  `configuration ${name} holds a key but is not a secret: it would stand in the state in clear. ` +
  `Set it again with \`pulumi config set --secret ${name}\``;
