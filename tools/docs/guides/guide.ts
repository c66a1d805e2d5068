/**
 * Follows a guide as a reader does. Runs the guide's commands one after the other, and writes each output below its
 * command.
 *
 * The commands in a `sh` block are run. A `text` block directly after the commands gets their output. A block with
 * `file=` is written into the folder. `<!-- starts from: … -->` first copies a project into the folder.
 * `<!-- set up: … -->` runs the commands under "Set up" in the README of the named example.
 */
import { type Block, blocksIn, pageText } from "../blocks";
import { Session } from "./session";

/** The page with the current output of its commands. Throws if an exit code differs from the exit code on the page. */
export async function followed(page: string): Promise<string> {
  const session = new Session();
  try {
    const texts = new Map<Block, string>();
    const [, start] = /<!-- starts from: ([\w/]+) -->/.exec(page) ?? [];
    if (start !== undefined) await session.startFrom(start);
    let printed: string | undefined;
    for (const step of stepsIn(page)) {
      if ("setUp" in step) for (const text of setUpOf(step.setUp, step.isApplied)) await session.run(text, 0);
      else if (step.block.attributes.file !== undefined)
        session.write(step.block.attributes.file, step.block.text);
      else if (step.block.language === "sh")
        printed = await session.run(step.block.text, Number(step.block.attributes.exit ?? 0));
      else if (step.block.language === "text" && printed !== undefined && followsCommands(page, step.block)) {
        texts.set(step.block, shortened(step.block, session.steady(printed)));
        printed = undefined;
      }
    }
    return withTexts(page, texts);
  } finally {
    await session.close();
  }
}

type Step = { readonly at: number } & (
  | { readonly setUp: string; readonly isApplied: boolean }
  | { readonly block: Block }
);

/** The blocks under "Set up" in the example's README. Unless `isApplied`, drops the last, which applies the example. */
function setUpOf(example: string, isApplied: boolean): string[] {
  const [, section = ""] = pageText(`examples/${example}/README.md`).split("\n## Set up\n");
  const commands = blocksIn(section.split("\n## ")[0] as string).filter(({ language }) => language === "sh");
  if (commands.length < 2) throw new Error(`the README of ${example} has no commands under "Set up"`);
  return commands.slice(0, isApplied ? undefined : -1).map(({ text }) => text);
}

function stepsIn(page: string): Step[] {
  const setUps = [...page.matchAll(/<!-- set up: (\w+)(, applied)? -->/g)];
  return [
    ...setUps.map(
      (match): Step => ({ at: match.index, setUp: match[1] as string, isApplied: match[2] !== undefined }),
    ),
    ...blocksIn(page).map((block): Step => ({ at: block.start, block })),
  ].sort((one, other) => one.at - other.at);
}

/** Whether the previous block has commands, and only empty lines separate it from this block. */
function followsCommands(page: string, block: Block): boolean {
  const before = blocksIn(page.slice(0, block.start - "```text\n".length)).at(-1);
  if (before?.language !== "sh") return false;
  return (
    page
      .slice(before.end, block.start)
      .replace(/```\w*[^\n]*\n?/g, "")
      .trim() === ""
  );
}

/** If the block has the attribute `lines=A-B`, keeps only lines A to B of the output. */
function shortened({ attributes }: Block, said: string): string {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(attributes.lines ?? "") ?? [];
  if (first === undefined) return said;
  return `${said
    .split("\n")
    .slice(Number(first) - 1, Number(last))
    .join("\n")}\n`;
}

function withTexts(page: string, texts: ReadonlyMap<Block, string>): string {
  let done = "";
  let at = 0;
  for (const [{ start, end }, text] of texts) {
    done += page.slice(at, start) + text;
    at = end;
  }
  return done + page.slice(at);
}
