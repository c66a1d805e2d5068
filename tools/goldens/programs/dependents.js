const pulumi = require("@pulumi/pulumi");
const { classOf, fromImage, image, members } = require("./declaring");

const [Listener, Rollout, SmokeTest] = ["Listener", "Rollout", "SmokeTest"].map(classOf);

module.exports = (round) => {
  const cluster = new Listener("cluster", {
    computeType: "k8s",
    computeId: "agents-cluster",
    computeConfig: { k8sNamespaces: round === 0 ? ["agents"] : ["agents", "more"] },
  });
  const on = (minScale) => ({ sourceConfig: { listenerId: cluster.id, resourceSpec: { minScale } } });
  const waiting = { rollout: { wait: false } };
  const chat = fromImage("chat", { ...image("chat", `1.${round}.0`), ...on(1), ...waiting });
  const research = fromImage("research", { ...on(1 + round), ...waiting });
  const rollout = new Rollout("all", { deployments: members({ chat, research }) });
  const asking = (deployment) => ({
    deploymentUrl: pulumi.interpolate`${process.env.RUNTIME_URL}/${deployment.id}`,
    assistantId: "echo",
    messages: [{ role: "user", content: "hello" }],
    expect: { contains: "hello" },
    triggers: { revision: deployment.revisionKey },
  });
  new SmokeTest("ask-chat", asking(chat), { dependsOn: rollout });
  new SmokeTest("ask-research", asking(research), { dependsOn: rollout });
  new pulumi.Stash("announced", { input: chat.revisionKey });
  new pulumi.Stash("status", { input: research.status });
};
