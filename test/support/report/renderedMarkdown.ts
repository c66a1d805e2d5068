/** Renders Markdown with an independent renderer of GitHub's flavor. */
import { execFileSync } from "node:child_process";
import path from "node:path";

/** Renders all strings in one process, because starting a process takes longer than rendering the strings. */
export function rendered(texts: readonly string[]): string[] {
  const input = JSON.stringify(texts);
  const child = [path.join(__dirname, "renderAll.mjs")];
  return JSON.parse(execFileSync(process.execPath, child, { input, encoding: "utf8", maxBuffer: 1e9 }));
}

/** Tags that the report has, and tags that the renderer makes from the report's Markdown. */
const OURS =
  /^(?:<\/?(?:h2|h3|p|code|pre|strong|em|ul|li|br|table|thead|tbody|tr|th|td|details|summary|blockquote)(?: \/)?>|<code class="language-diff">|<!-- (?:deployment-control (?:plan|result): \S* )?-->)$/;

export const tagsIn = (page: string): string[] => page.match(/<!--.*?-->|<[^>]*>/gs) ?? [];

/** The tags that can only come from a string in the report. */
export const foreignTagsIn = (page: string): string[] => tagsIn(page).filter((tag) => !OURS.test(tag));

/** The string as the renderer writes it. */
export const escaped = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (each) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[each] as string,
  );
