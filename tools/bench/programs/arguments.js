// The same realistic arguments of a deployment for every candidate.
exports.argumentsOf = (index, round) => ({
  name: `bench-${index}`,
  source: "external_docker",
  sourceConfig: {
    resourceSpec: {
      minScale: 1 + round,
      maxScale: 4,
      cpu: 1,
      memoryMb: 2048,
      labels: { team: "bench", index: String(index) },
    },
  },
  sourceRevisionConfig: { imageUri: `registry.example/bench-${index}:1` },
  rollout: { wait: false },
});

exports.count = Number(process.env.BENCH_COUNT);
exports.round = Number(process.env.BENCH_ROUND);

// A property for every output, as in the class of a dynamic resource: a program cannot read an output that has no
// property.
const outputs =
  "secretReferences revisionSource revisionTriggers newRevisions adopt onDestroy connection tenantId createdAt updatedAt " +
  "status latestRevisionId activeRevisionId imageVersion repoCommitSha url latestRevisionStatus rolloutState serviceUrl " +
  "revisionGeneration secretGenerations";
exports.places = Object.fromEntries(outputs.split(" ").map((output) => [output, undefined]));
