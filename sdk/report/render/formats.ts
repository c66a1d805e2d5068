/** The formats for people; the JSON format is the report itself. */
import type { Report, Result } from "../model";
import { planPage, resultPage } from "./html";
import { planMarkdown, resultMarkdown } from "./markdown";
import { planText, resultText } from "./text";
import type { FormatOptions } from "./words";

export { terminalOptions } from "./terminal";

interface Format {
  readonly plan: (reports: readonly Report[], options?: FormatOptions) => string;
  readonly result: (results: readonly Result[], options?: FormatOptions) => string;
}

export const FORMATS: { readonly [F in "markdown" | "html" | "text"]: Format } = {
  markdown: { plan: planMarkdown, result: resultMarkdown },
  html: { plan: planPage, result: resultPage },
  text: { plan: planText, result: resultText },
};
