/** What a run says of a journal that it cannot use. */
import { environmentName, settingName } from "../fields/naming";

/** What the journal guards, and what is left to guard it where it cannot be used. */
const WORDS = {
  creation: ["creations", "a creation that is interrupted now is guarded only by the look-up of its name"],
  update: ["updates", "an update that is interrupted now may be sent again by the next up"],
} as const;

export function unusable(subject: keyof typeof WORDS, error: unknown, folder: string | undefined): string {
  const { code, path: place } = error as NodeJS.ErrnoException;
  const [subjects, consequence] = WORDS[subject];
  return (
    `the journal of ${subjects} cannot be used (${code ?? (error as Error).message} at ${place ?? folder}): ${consequence}. ` +
    `Set ${settingName("journal")} (or ${environmentName("journal")}) to a folder that can be written, or to off`
  );
}
