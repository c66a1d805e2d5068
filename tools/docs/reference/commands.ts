/** The pages of the command line. */
import { ADOPT_PAGE } from "../../../sdk/cli/adoptFlags";
import { DOCTOR_PAGE } from "../../../sdk/cli/doctor";
import { EMULATOR_PAGE } from "../../../sdk/cli/emulator";
import { type CommandPage, flagText } from "../../../sdk/cli/page";
import { PLAN_PAGE } from "../../../sdk/cli/planFlags";
import { RECOVER_PAGE } from "../../../sdk/cli/recover";
import { REVISIONS_PAGE } from "../../../sdk/cli/revisions";
import { ROLLBACK_PAGE } from "../../../sdk/cli/rollback";
import { code, page, table, withDefault } from "./markdown";

export const COMMANDS: readonly CommandPage[] = [
  PLAN_PAGE,
  ADOPT_PAGE,
  DOCTOR_PAGE,
  RECOVER_PAGE,
  REVISIONS_PAGE,
  ROLLBACK_PAGE,
  EMULATOR_PAGE,
];

export const commandPage = ({ name, usage, about, rows, exitCodes }: CommandPage): string =>
  page(
    `# deployment-control ${name}`,
    `\`\`\`text\n${usage}\n\`\`\``,
    ...about,
    "## Options",
    table(
      ["option", "what it does", "default"],
      Object.entries(rows).map(([flag, row]) => {
        const { help, initial } = row;
        const words = withDefault(`${help}.`);
        return [
          code(flagText(flag, row)),
          words.prose.slice(0, -1),
          initial === undefined ? words.initial : code(initial),
        ];
      }),
    ),
    "## Exit codes",
    table(
      ["code", "when"],
      exitCodes.map(({ code, when }) => [String(code), when]),
    ),
  );
