/** Every resource, by type. To add a resource, add a row. */
import { deployment } from "./deployment/deployment";
import { listener } from "./listener";
import { rollout } from "./rollout/rollout";
import { smokeTest } from "./smokeTest/smokeTest";
import { tokenMetadata } from "./tokenMetadata";

export const RESOURCES = {
  Deployment: deployment,
  Listener: listener,
  TokenMetadata: tokenMetadata,
  Rollout: rollout,
  SmokeTest: smokeTest,
};
