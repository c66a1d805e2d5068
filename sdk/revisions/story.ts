/** The text about a way back: the target revision, the necessary changes, the values that stay, and the plan. */
import { escapeControls } from "../../provider/fields/words";
import type { DeploymentReport } from "../report/model";
import type { History } from "./history";
import { duration } from "./show";
import type { Remains, Target } from "./wayBack";

const backWords = ({ stepsBack }: Target): string =>
  stepsBack === 0 ? "the newest one" : `the one ${stepsBack} back`;

/** Names the target revision. */
export function targetLine(target: Target, history: History): string {
  const { id, status, createdAt } = target.revision;
  const creationWords = createdAt === undefined ? "" : `, made ${new Date(createdAt).toISOString()}`;
  const warning = status === "DEPLOYED" ? "" : `. It ended ${status}, so its settings may not work`;
  return `${escapeControls(history.name)}: back to revision ${id}, ${backWords(target)}${creationWords}${warning}`;
}

/** Lines that name the arguments, the source and the commit that stay; none if nothing else has changed. */
export function remainsLines({ paths, isKnown, source, commit }: Remains): string[] {
  const names = paths.map(escapeControls).join(", ");
  const why = isKnown
    ? "changed since that revision: give their values of then in the program, if they matter"
    : "the service does not show what that revision had of them, so they stay as the program gives them";
  return [
    ...(paths.length === 0 ? [] : [`not brought back: ${names}; ${why}`]),
    ...(source === undefined
      ? []
      : [
          `not brought back: the source ${source}, from which that revision was built; the program gives it with revisionSource`,
        ]),
    ...(commit === undefined
      ? []
      : [
          `not brought back: commit ${commit}; the new revision is built from the commit that its ref names then`,
        ]),
  ];
}

const VERBS: { readonly [V in DeploymentReport["verdict"]]?: string } = {
  "new-revision": "creates a new revision",
  "may-create-revision": "may create a new revision",
  replace: "is replaced",
};

/** The plan's effect on the deployment, once the program gives the settings of the target. */
export function verdictLine(target: Target, verdict: DeploymentReport["verdict"], name: string): string {
  const verb = VERBS[verdict];
  const label = escapeControls(name);
  if (verb === undefined) return `${label}: creates no new revision: the newest one has these settings`;
  return `${label}: ${verb}, with the settings of ${backWords(target)}${tookWords(target)}`;
}

/** An image needs no build; everything else does. */
function tookWords({ revision: { seconds, status }, settings: { imageUri } }: Target): string {
  if (seconds === undefined || status !== "DEPLOYED") return "";
  return `; its ${imageUri === undefined ? "build and rollout" : "rollout"} took ${duration(seconds)}`;
}
