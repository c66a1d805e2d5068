/** `deployment-control plan`: the report of previews, its gates, and what became of it. */
import { readFileSync, writeFileSync } from "node:fs";
import { judge } from "../report/judge";
import type { Report } from "../report/model";
import { previewsIn } from "../report/preview";
import type { Command } from "./command";

export const planCommand: Command = {
  name: "plan",
  summary: "reports what a preview will do to each deployment",
  run: async (args) => {
    const reports: Report[] = args
      .filter((argument) => !argument.startsWith("--") && argument !== "json")
      .flatMap((file) => previewsIn(readFileSync(file, "utf8"), file))
      .map((preview) => judge(preview));
    const value = reports.length === 1 ? reports[0] : reports;
    process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    void writeFileSync;
  },
};
