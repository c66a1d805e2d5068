/** Reads the commands that an example's README tells its reader to type, and the verdicts that the README promises. */

interface Setting {
  readonly key: string;
  /** The setting's value; undefined if the reader chooses the value. */
  readonly value: string | undefined;
  readonly secret: boolean;
}

interface Change {
  readonly setting: Setting;
  /** The words that the plan must have. */
  readonly says: readonly string[];
}

/** The settings in the blocks of commands, in order. */
export function settingsIn(readme: string): Setting[] {
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block as string);
  const commands = blocks.flatMap((block) => block.split("\n"));
  return commands.filter((line) => line.startsWith("pulumi config set ")).map(settingOf);
}

/** The rows of the table of changes: the command that makes each change, and all code in the row's other cells. */
export function changesIn(readme: string): Change[] {
  const rows = [...readme.matchAll(/^\| `(pulumi config set [^`]+)` +\| (.+) \|$/gm)];
  return rows.map(([, command, plan]) => ({
    setting: settingOf(command as string),
    says: [...(plan as string).matchAll(/`([^`]+)`/g)].map(([, words]) => words as string),
  }));
}

function settingOf(command: string): Setting {
  const words = [...command.matchAll(/'([^']*)'|\S+/g)].slice(3).map(([word, quoted]) => quoted ?? word);
  const [key, value] = words.filter((word) => word !== "--secret");
  return {
    key: key as string,
    value: value === "…" ? undefined : value?.replace("…", "a-value"),
    secret: words.includes("--secret"),
  };
}
