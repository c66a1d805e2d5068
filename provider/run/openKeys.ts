/** Finds settings that hold a key in clear, which would stand in the state in clear. */
import { confidentialIn } from "../client/headers";
import { configurationRows, type SettingTable } from "../fields/settings";
import { isProperties, jsonIn } from "../fields/value";

const rows: SettingTable = configurationRows;

/** Whether the value of this setting, or of a connection's, is a secret or contains one. */
export function holdsKey(setting: string, value: unknown): boolean {
  const secret = rows[setting]?.secret;
  if (secret === undefined || value === undefined) return false;
  if (secret === "always") return true;
  const members = typeof value === "string" ? jsonIn(value) : value;
  // The provider reports the bad JSON; it may hold a key, so it counts as one.
  if (members === undefined) return true;
  if (typeof members !== "object" || members === null) return false;
  if (setting === "headers") return confidentialIn({ ...members }).length > 0;
  return Object.values(members).some(
    (connection) =>
      isProperties(connection) && Object.entries(connection).some(([key, each]) => holdsKey(key, each)),
  );
}

/** The error for a setting that holds a key in clear. */
export const openKeyWords = (name: string): string =>
  `configuration ${name} holds a key but is not a secret: it would stand in the state in clear. ` +
  `Set it again with \`pulumi config set --secret ${name}\``;
