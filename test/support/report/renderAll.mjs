// Renders each Markdown string in the JSON array on standard input as GitHub does, keeps raw HTML, and prints an array
// of the results. This runs as a separate process, because the renderer is an ES module and the tests are not.
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

let input = "";
for await (const chunk of process.stdin.setEncoding("utf8")) input += chunk;
const rendered = JSON.parse(input).map((markdown) =>
  micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  }),
);
process.stdout.write(JSON.stringify(rendered));
