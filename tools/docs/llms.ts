/** `llms.txt`: every page of the documentation with its first sentence, for programs that read the documentation. */
import manifest from "../../package.json";
import { pages, pageText } from "./blocks";

const SECTIONS = {
  Guides: /^docs\/guides\//,
  Reference: /^docs\/reference\//,
  More: /^(docs\/[^/]+|README\.md|SECURITY\.md)$/,
};

/** `generatedPages`: the text of each page that this run generates, by path. All other pages are read from disk. */
export function llmsText(generatedPages: { readonly [file: string]: string }): string {
  const files = [...new Set([...pages(), ...Object.keys(generatedPages)])]
    .filter((file) => file.endsWith(".md"))
    .sort();
  const sections = Object.entries(SECTIONS).map(([heading, place]) => {
    const lines = files
      .filter((file) => place.test(file))
      .map((file) => line(file, generatedPages[file] ?? pageText(file)));
    return `## ${heading}\n\n${lines.join("\n")}`;
  });
  return `${[`# ${manifest.name}`, `> ${manifest.description}`, ...sections].join("\n\n")}\n`;
}

function line(file: string, text: string): string {
  const [, title] = /^(?:# |title: )(.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error(`${file} has no title`);
  return `- [${title.replace(/<[^>]*>\s*/g, "")}](${file}): ${firstSentence(text, file)}`;
}

/** The first sentence of the page's first paragraph, without links and on one line. */
function firstSentence(text: string, file: string): string {
  const prose = text.replace(/^---\n[\s\S]*?\n---$|^```[\s\S]*?^```$|<!--[\s\S]*?-->/gm, "");
  const paragraph = prose.split(/\n{2,}/).find((block) => /^(?!#|\|)\S/.test(block.trimStart()));
  if (paragraph === undefined) throw new Error(`${file} has no paragraph`);
  const plain = paragraph
    .trim()
    .replaceAll("\n", " ")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return plain.split(/(?<=[.?]\*?)\s/)[0] as string;
}
