/** The formats for people. The JSON format is the report itself. */
import type { Report, Result } from "../model";
import { sheetPage } from "./html";
import { sheetMarkdown } from "./markdown";
import { planSheet, type Sheet } from "./outline";
import { resultSheet } from "./resultOutline";
import { sheetText } from "./text";
import type { FormatOptions } from "./words";

export { terminalOptions } from "./terminal";

const formatOf = (show: (sheet: Sheet, options: FormatOptions) => string) => ({
  plan: (reports: readonly Report[], options: FormatOptions = {}) => show(planSheet(reports), options),
  result: (results: readonly Result[], options: FormatOptions = {}) => show(resultSheet(results), options),
});

export const FORMATS = {
  markdown: formatOf(sheetMarkdown),
  html: formatOf(sheetPage),
  text: formatOf(sheetText),
};
