/** The look-ups as functions of the engine: mocks answer these in the unit tests of a program. */
import { NAME } from "./naming";

/** Each with the name under which it answers its list. */
export const LOOK_UPS = {
  getDeployments: "deployments",
  getRevisions: "revisions",
  getListeners: "listeners",
  getRepositories: "repositories",
} as const;

export type LookUp = keyof typeof LOOK_UPS;

const BEGINNING = `${NAME}:index:`;

/** `getDeployments` -> `deployment-control:index:getDeployments`. */
export const lookUpToken = (name: LookUp): string => BEGINNING + name;

/** The look-up with that token; undefined for another function. */
export function lookUpNamed(token: string): LookUp | undefined {
  return (Object.keys(LOOK_UPS) as LookUp[]).find((name) => lookUpToken(name) === token);
}
