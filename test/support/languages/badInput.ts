/** The provider's messages about arguments with valid types and invalid values; they are the same in every language. */
export const PROVIDERS_WORDS = [
  'adopt: got "chat" (a string); allowed: true, false, "identical" or an id (a UUID)',
  'name: got " " (a string); allowed: a string that is not empty',
  "rollout.timeoutSeconds: got 0 (a number); allowed: an integer of at least 1",
  "secrets: has an entry without a name",
  'source: got "docker" (a string); allowed: "repohost", "external_docker", "internal_docker", "internal_source", "internal_template"',
  'sourceConfig.listenerId: got "prod-listener" (a string); allowed: a UUID such as 3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21',
  "sourceConfig.resourceSpec.maxScale: got 1.5 (a number); allowed: an integer of at least 0",
  "sourceConfig.resourceSpec.minScale: got -1 (a number); allowed: an integer of at least 0",
];
