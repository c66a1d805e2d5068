/** `deployment-control doctor`: checks the settings, the service and this machine, and says how to fix a fault. */

import { accessSync, constants, mkdirSync } from "node:fs";
import type { Connection } from "../../provider/client/connection";
import { Endpoints } from "../../provider/client/endpoints";
import { UnreachableError } from "../../provider/client/errors";
import { journalPlace } from "../../provider/journal/place";
import { trustFolder } from "../../provider/journal/trust";
import { type ConfigurationSource, connectionFrom } from "../../provider/run/configuration";
import { failureWords, reachAdvice } from "../../provider/run/failureWords";
import { environmentName, NAME, settingName } from "../../provider/schema/naming";
import { keepSecret } from "../../provider/schema/secrecy";
import { isLoopback } from "../../provider/schema/value";
import { packageVersion, printedBy, say, stackConfiguration } from "./input";
import { type CommandPage, connectionRow, type FlagRows, type Flags, flagsIn } from "./page";

/** One check and its result. `remedy` says what to do about a fault; undefined if there is no fault. */
interface Finding {
  readonly about: string;
  readonly words: string;
  readonly remedy?: string | undefined;
}

const rows = {
  stack: { value: "NAME", help: "another stack of this folder's project" },
  connection: connectionRow,
} as const satisfies FlagRows;

/** Exit codes: 2 if something has to be fixed; 1 for bad input. */
export async function runDoctor(args: readonly string[]): Promise<void> {
  const line = flagsIn(DOCTOR_PAGE, args);
  if (line === undefined) return;
  const findings = await findingsOf(line.values);
  const width = Math.max(...findings.map(({ about }) => about.length));
  for (const { about, words, remedy } of findings) {
    const advice = remedy === undefined ? "" : `. ${remedy}`;
    const sign = remedy === undefined ? "✓" : "✗";
    say(`${sign} ${about.padEnd(width)}  ${words}${advice}`);
  }
  if (findings.some(({ remedy }) => remedy !== undefined)) process.exitCode = 2;
}

async function findingsOf({ stack, connection: name }: Flags<typeof rows>): Promise<Finding[]> {
  const source = stackConfiguration(stack);
  const machine = [versionsOf(), journalOf(source)];
  try {
    const connection = connectionFrom(source, process.env, name);
    keepSecret(connection.secrets);
    return [
      settingsOf(connection),
      { about: "profile", words: `"${connection.profile.name}"` },
      proxyOf(connection),
      ...(await serviceOf(connection)),
      ...machine,
    ];
  } catch (error) {
    const unread =
      "The stack's own settings are not among these, because `pulumi config` failed: run it here to see why. ";
    const remedy = `${source.isRead ? "" : unread}Then run this again`;
    return [{ about: "settings", words: failureWords(error), remedy }, ...machine];
  }
}

function settingsOf({ baseUrl, headers }: Connection): Finding {
  const names = Object.keys(headers);
  const key = names.length === 0 ? "no key" : `credentials in ${names.join(", ")}`;
  return { about: "service", words: `${baseUrl}, ${key}` };
}

function proxyOf({ baseUrl }: Connection): Finding {
  const names = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  const setNames = names.filter((name) => process.env[name]);
  const isUsed = setNames.length > 0 && !isLoopback(baseUrl);
  return { about: "proxy", words: isUsed ? `as ${setNames.join(", ")} say` : "none" };
}

/** The service's clock and this machine's clock may differ by this many ms. */
const CLOCK_MS = 60_000;

/** Requests one deployment, to check whether the service answers. */
async function serviceOf(connection: Connection): Promise<Finding[]> {
  const endpoints = new Endpoints({ ...connection, maxRetries: 0 }, connection.profile);
  try {
    for await (const _page of endpoints.listDeployments({}, { pageSize: 1 })) break;
    endpoints.refuseMisfit();
    const ahead = Math.round(endpoints.clockAhead / 1000);
    const isOff = Math.abs(endpoints.clockAhead) > CLOCK_MS;
    return [
      { about: "answer", words: "it lists its deployments" },
      {
        about: "clock",
        words: `the service's is ${Math.abs(ahead)} s ${ahead < 0 ? "behind" : "ahead"}`,
        remedy: isOff ? "Set this machine's clock" : undefined,
      },
    ];
  } catch (error) {
    return [answerOf(error)];
  } finally {
    await endpoints.close();
  }
}

/** The usual advice for a failed request is to run `doctor`, so this command gives different advice. */
function answerOf(error: unknown): Finding {
  if (!(error instanceof UnreachableError))
    return { about: "answer", words: failureWords(error), remedy: "Then run this again" };
  const remedy = error.remedy === "" ? reachAdvice() : "Then run this again";
  return { about: "answer", words: error.message, remedy };
}

function journalOf(source: ConfigurationSource): Finding {
  const { folder } = journalPlace(source, process.env);
  const about = "journal";
  if (folder === undefined) {
    const remedy = `Without it, a killed run may make a deployment twice: unset ${environmentName("journal")}`;
    return { about, words: "off", remedy };
  }
  try {
    trustFolder(folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK);
    return { about, words: folder };
  } catch (error) {
    const remedy = `Set ${settingName("journal")} to a folder of your own that can be written`;
    return { about, words: (error as Error).message, remedy };
  }
}

function versionsOf(): Finding {
  const cli = printedBy(["version"])?.trim();
  const words = `${NAME} ${packageVersion()}, Node ${process.versions.node}, Pulumi ${cli ?? "not found"}`;
  return {
    about: "versions",
    words,
    remedy: cli === undefined ? "Put the Pulumi CLI on the PATH" : undefined,
  };
}

export const DOCTOR_PAGE = {
  name: "doctor",
  usage: "deployment-control doctor [OPTIONS]",
  about: [
    "Checks the settings, the service, its clock, the proxy, the journal's folder and the versions; says what to do. It sends one request, changes nothing, and shows no secret.",
    "The settings are those of the environment and of the stack that is selected in this folder.",
  ],
  rows,
  exitCodes: [
    { code: 0, when: "all is well" },
    { code: 1, when: "an option is bad" },
    { code: 2, when: "something has to be fixed" },
  ],
} as const satisfies CommandPage;
