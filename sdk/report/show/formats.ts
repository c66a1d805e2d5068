/** The formats that are read by people; the JSON format is the report itself. */
import type { Report, Result } from "../model";
import { planPage } from "./html";
import { resultPage } from "./htmlResult";
import { planMarkdown } from "./markdown";
import { resultMarkdown } from "./markdownResult";
import { planText } from "./text";
import { resultText } from "./textResult";
import type { FormatOptions } from "./words";

export { terminalOptions } from "./terminal";

export interface Format {
  readonly plan: (reports: readonly Report[], options?: FormatOptions) => string;
  readonly result: (results: readonly Result[], options?: FormatOptions) => string;
}

export const FORMATS: { readonly [F in "markdown" | "html" | "text"]: Format } = {
  markdown: { plan: planMarkdown, result: resultMarkdown },
  html: { plan: planPage, result: resultPage },
  text: { plan: planText, result: resultText },
};
