/** The frame of a page: one file, no script, no requests, in the reader's light or dark mode. */
import { createHash } from "node:crypto";
import { VERDICTS } from "../model";
import { html } from "./escape";
import { STANDINGS } from "./resultOutline";

const STYLE = `
:root { color-scheme: light dark; --paper: #f7f6f3; --card: #ffffff; --ink: #1c1a22; --soft: #595564; --line: #d8d4de; --wash: #efedf2;
  --replace: #a8201a; --delete: #a8201a; --new-revision: #5b34d6; --may-create-revision: #80520a; --create: #17663a;
  --in-place: #1d5a9e; --unchanged: #595564; --wrong: #a8201a; --failed: #a8201a; --undecided: #80520a; --right: #17663a; }
@media (prefers-color-scheme: dark) { :root { --paper: #131218; --card: #1d1b24; --ink: #edeaf4; --soft: #aaa4b8; --line: #3b3747; --wash: #26232f;
  --replace: #ff9a91; --delete: #ff9a91; --new-revision: #bba6ff; --may-create-revision: #f0bb55; --create: #82d8a4;
  --in-place: #94c4ff; --unchanged: #aaa4b8; --wrong: #ff9a91; --failed: #ff9a91; --undecided: #f0bb55; --right: #82d8a4; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "Liberation Sans", sans-serif; }
main { max-width: 1208px; margin: 0 auto; padding: 32px 24px 56px; }
h1, h2, p, ul { margin: 0; }
h1 { font-size: clamp(24px, 3.4vw, 38px); line-height: 1.15; letter-spacing: -0.02em; text-wrap: balance; }
h2 { font-size: 20px; letter-spacing: -0.01em; }
code { font-family: ui-monospace, "SF Mono", Menlo, "Liberation Mono", monospace; font-size: 0.9em; }
code, h1, h2, li, p, summary, td { overflow-wrap: anywhere; unicode-bidi: isolate; }
/* A cell breaks long names and values, but never a word of ours. */
td { min-width: 8em; }
th { overflow-wrap: break-word; unicode-bidi: isolate; }
.where { color: var(--soft); }
.counts { font-size: 18px; margin-top: 10px; }
.sign { font-weight: 700; display: inline-block; min-width: 1em; text-align: center; }
${[...VERDICTS, ...Object.keys(STANDINGS)].map((name) => `.${name} { --tone: var(--${name}); }`).join("\n")}
.sign, .tone { color: var(--tone, inherit); }
section { margin-top: 22px; }
.warnings { background: var(--card); border: 1px solid var(--may-create-revision); border-left-width: 5px; border-radius: 10px; padding: 12px 18px; margin-top: 20px; }
.warnings ul { padding-left: 18px; }
.warnings li { margin: 4px 0; }
.picture { margin: 24px 0 8px; }
svg { display: block; width: 100%; height: auto; font-family: system-ui, "Segoe UI", "Liberation Sans", sans-serif; }
svg text { fill: var(--ink); font-size: 12px; unicode-bidi: isolate; }
svg .name { font-size: 16px; font-weight: 650; }
svg .small { font-size: 11px; fill: var(--soft); }
svg .mono { font-family: ui-monospace, Menlo, "Liberation Mono", monospace; font-size: 12px; }
svg .toned { fill: var(--tone); font-weight: 650; font-size: 13px; }
svg .box { fill: var(--card); stroke: var(--line); }
svg .moving .box { stroke: var(--tone); }
svg .stripe { fill: var(--tone); }
svg .pill { fill: var(--wash); stroke: none; }
svg .coming { fill: var(--card); stroke: var(--tone); stroke-width: 1.5; }
svg .may-create-revision :is(.coming, .way) { stroke-dasharray: 5 4; }
svg .way { fill: none; stroke: var(--tone, var(--soft)); stroke-width: 2; }
svg .under { fill: none; stroke: var(--line); stroke-width: 2; }
svg .tip { fill: var(--tone, var(--soft)); }
svg .tile { fill: var(--tone); opacity: 0.9; }
svg .unchanged .tile { fill: var(--line); opacity: 1; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin-top: 10px; }
summary { cursor: pointer; padding: 11px 16px; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; list-style-position: inside; }
summary::before { content: "▸"; color: var(--soft); }
details[open] > summary::before { content: "▾"; }
summary:focus-visible { outline: 2px solid var(--new-revision); outline-offset: 2px; border-radius: 10px; }
summary strong { font-size: 16px; }
.why { color: var(--soft); }
.inner { padding: 0 16px 16px; }
.inner p { margin-top: 6px; color: var(--soft); }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: 12px; }
td, th { padding: 7px 12px 7px 0; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; }
.quiet { color: var(--soft); font-size: 14px; margin-top: 14px; }
@media (max-width: 860px) {
  main { padding: 22px 16px 40px; }
  table, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { border-top: 1px solid var(--line); padding: 8px 0; }
  td { border: 0; padding: 1px 0; }
  td[data-head]::before { content: attr(data-head) " "; color: var(--soft); font-size: 12px; }
}
@media screen and (max-width: 860px) { .picture { display: none; } }
`;

/** Makes the browser refuse everything but this style sheet. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

export function page(title: string, body: readonly string[]): string {
  return [
    "<!DOCTYPE html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${html(title)}</title>`,
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    "<main>",
    ...body,
    "</main>",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

export const codeOf = (text: string): string => `<code dir="ltr">${html(text)}</code>`;

/** A visual sign next to words with the same meaning, for readers who do not see the color. */
export const signOf = (sign: string): string => `<span class="sign" aria-hidden="true">${sign}</span>`;
