/** Reading a command's flags. Errors name the flag, what was given and what is allowed. */
import { type ParseArgsConfig, parseArgs } from "node:util";

/** Parses the arguments of that command. Throws an Error that points to its help. */
export function parsedFlags<const C extends ParseArgsConfig>(command: string, config: C) {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = (error as Error).message.split(". ")[0];
    throw new Error(`${message}; see deployment-control ${command} --help`);
  }
}

export function commaSeparated(values: readonly string[] | undefined): string[] {
  const parts = (values ?? []).flatMap((value) => value.split(","));
  return parts.map((part) => part.trim()).filter((value) => value !== "");
}

export function oneOf<const V extends string>(option: string, value: string, choices: readonly V[]): V {
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw new Error(`${option}: got ${JSON.stringify(value)}; allowed: ${choices.join(", ")}`);
}
