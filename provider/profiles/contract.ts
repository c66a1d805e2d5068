import { filterQuery } from "../fields/filters";
import type { Profile } from "./profile";

/** The neutral contract, and nothing beyond it. */
export const contract: Profile = {
  name: "contract",
  wire: {},
  values: {},
  paths: { repositories: "/v1/integrations/forge/repohost/{integration_id}/repos" },
  classes: {},
  query: filterQuery(),
  capabilities: {
    getDeployment: false,
    deleteDeployment: false,
    createListener: false,
    deleteListener: false,
    nullClears: true,
    emptyListClears: true,
    resourceSpecOverwrites: false,
    shortPageIsLast: false,
  },
  onDestroy: "retain",
  bounds: {},
  sources: {
    notOffered: [],
    only: {
      secretReferences: { sources: ["external_docker"], remedy: "Give the values as secrets instead" },
    },
    requiredOnCreate: {},
    conflicts: [],
  },
};
