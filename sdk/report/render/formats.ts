/** The formats for people; the JSON format is the report itself. */
import type { Report, Result } from "../model";
import { sheetPage } from "./html";
import { sheetMarkdown } from "./markdown";
import { planSheet, type Sheet } from "./outline";
import { resultSheet } from "./resultOutline";
import { sheetText } from "./text";
import type { FormatOptions } from "./words";

export { terminalOptions } from "./terminal";

interface Format {
  readonly plan: (reports: readonly Report[], options?: FormatOptions) => string;
  readonly result: (results: readonly Result[], options?: FormatOptions) => string;
}

const formatOf = (show: (sheet: Sheet, options: FormatOptions) => string): Format => ({
  plan: (reports, options = {}) => show(planSheet(reports), options),
  result: (results, options = {}) => show(resultSheet(results), options),
});

export const FORMATS: { readonly [F in "markdown" | "html" | "text"]: Format } = {
  markdown: formatOf(sheetMarkdown),
  html: formatOf(sheetPage),
  text: formatOf(sheetText),
};
