/** Generates failures of the service, and changes that other people make directly on the service. */
import * as fc from "fast-check";
import type { DeploymentState, Emulator } from "../../sdk/emulator/index";
import type { Services } from "./services";
import type { Role } from "./slots";

const DEEDS = {
  push: (emulator: Emulator, { id }: DeploymentState) => {
    emulator.push(id, { commitSha: "c".repeat(40) });
  },
  inPlace: (emulator: Emulator, { id }: DeploymentState) => {
    emulator.change(id, { source_config: { install_command: "by another hand" } });
  },
  secret: (emulator: Emulator, { id, secrets }: DeploymentState) => {
    const otherSecrets = secrets.filter(({ name }) => name !== FOREIGN);
    emulator.change(id, { secrets: [...otherSecrets, { name: FOREIGN, value: "canary-of-another-hand" }] });
  },
  otherValues: (emulator: Emulator, { id, secrets }: DeploymentState) => {
    emulator.change(id, { secrets: secrets.map(({ name }) => ({ name, value: `by-hand-${name}` })) });
  },
  secretGone: (emulator: Emulator, { id, secrets }: DeploymentState) => {
    emulator.change(id, { secrets: secrets.filter(({ name }) => name !== "KEY") });
  },
  revision: (emulator: Emulator, { id, source }: DeploymentState) => {
    emulator.push(id);
    const field = source === "external_docker" ? "image_uri" : "repo_ref";
    emulator.change(id, { source_revision_config: { [field]: "by-another-hand" } });
  },
  /** Makes the deployment's next revision fail. */
  failure: (emulator: Emulator, { id }: DeploymentState) => {
    emulator.failNext({
      kind: "revision",
      status: "DEPLOY_FAILED",
      match: { pathPattern: new RegExp(id) },
    });
  },
};

/** The name of the secret that is added outside the program. */
const FOREIGN = "FOREIGN";
type Deed = keyof typeof DEEDS;

export interface Hand {
  readonly role: Role;
  readonly deed: Deed;
  /** When the change is made: `before` the refresh and the plan, or `meanwhile`, between the plan and `pulumi up`. */
  readonly when: "before" | "meanwhile";
}

/**
 * On average, a quarter of the rounds have changes before a refresh of the whole stack, a quarter have changes after
 * the plan, and a quarter have revisions that fail.
 */
export function handsOf(slots: number): fc.Arbitrary<(Hand | undefined)[]> {
  const changes = (Object.keys(DEEDS) as Deed[]).filter((deed) => deed !== "failure");
  const handAt = (when: Hand["when"], deeds: readonly Deed[]) => {
    const hand = fc.record({
      role: fc.constantFrom<Role>("main", "next"),
      deed: fc.constantFrom(...deeds),
      when: fc.constant(when),
    });
    return fc.option(hand, { freq: 2, nil: undefined });
  };
  const all = (each: fc.Arbitrary<Hand | undefined>) =>
    fc.array(each, { minLength: slots, maxLength: slots });
  return fc.oneof(
    all(handAt("before", changes)),
    all(handAt("meanwhile", changes)),
    all(handAt("meanwhile", ["failure"])),
    all(fc.constant(undefined)),
  );
}

/**
 * Whether the round begins with a refresh. A round with a failing revision also begins with a refresh, so that the
 * refresh after the failure shows only the failure.
 */
export const isRefreshed = (hands: readonly (Hand | undefined)[]): boolean =>
  hands.some((hand) => hand?.when === "before" || hand?.deed === "failure");

/** Makes the change to the deployment with that id, if the deployment exists. */
export function lend({ deed }: Hand, services: Services, id: string | undefined): void {
  const deployment = services.deployments().find((each) => each.id === id);
  if (deployment !== undefined) DEEDS[deed](services.holderOf(deployment.id), deployment);
}
