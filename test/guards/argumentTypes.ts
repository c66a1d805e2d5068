/** Only the type checker reads this file, which checks that an editor marks each mistake in a program's arguments. */
import type * as pulumi from "@pulumi/pulumi";
import type { DeploymentArgs, ListenerArgs } from "../../sdk/index";

const right = { name: "a", source: "external_docker" } as const;
declare const flag: pulumi.Output<boolean>;
declare const source: pulumi.Output<"repohost" | "external_docker">;
declare const other: { readonly sourceConfig: pulumi.Output<{ buildOnPush?: boolean } | undefined> };

export const accepted: DeploymentArgs[] = [
  { ...right, sourceConfig: { resourceSpec: { minScale: 1, sidecars: [{ env: [{ name: "A" }] }] } } },
  { ...right, adopt: flag, source, sourceConfig: other.sourceConfig },
  { ...right, sourceConfig: { resourceSpec: { volumes: [{ name: "v", configMap: { anything: [1] } }] } } },
];

export const refused: DeploymentArgs[] = [
  // @ts-expect-error a misspelled field
  { ...right, sourceRevisionConfig: { imageUrl: "r/i:1" } },
  // @ts-expect-error a text for a number
  { ...right, sourceConfig: { resourceSpec: { minScale: "1" } } },
  // @ts-expect-error a misspelled field, two levels down
  { ...right, sourceConfig: { resourceSpec: { minscale: 1 } } },
  // @ts-expect-error a misspelled field in a list
  { ...right, sourceConfig: { resourceSpec: { sidecars: [{ imag: "x" }] } } },
  // @ts-expect-error not one of the values
  { ...right, rollout: { onFailure: "rollback" } },
  // @ts-expect-error a text for a number
  { ...right, rollout: { timeoutSeconds: "60s" } },
  // @ts-expect-error not one of the sources
  { name: "a", source: "docker" },
  // @ts-expect-error no source
  { name: "a" },
];

// @ts-expect-error no such kind of infrastructure
export const refusedListener: ListenerArgs = { computeType: "vm", computeId: "a" };
