// Many deployments: without a wait, with one Rollout for all, or each with its own wait.
const { Deployment, Rollout } = require("pulumi-deployment-control");
const { argumentsOf, count, round } = require("./arguments");

const how = process.env.BENCH_WAITING;
const deployments = Array.from({ length: count }, (_, index) => {
  const sourceRevisionConfig = { imageUri: `registry.example/bench-${index}:${1 + round}` };
  const args = { ...argumentsOf(index, 0), sourceRevisionConfig, rollout: { wait: how === "each" } };
  return new Deployment(`bench-${index}`, { ...args, secrets: { KEY: "a-secret-of-the-benchmark" } });
});
if (how === "rollout") new Rollout("all", { deployments });
