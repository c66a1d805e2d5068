// Prints the average milliseconds of one check and of one diff. The arguments contain every kind of field.
const path = require("node:path");

const root = path.join(__dirname, "..", "..", "..");
process.env.DEPLOYMENT_CONTROL_BASE_URL = "http://127.0.0.1:1";
const { deployment } = require(path.join(root, "dist", "provider"));

const COUNT = 300;
const container = { name: "side", image: "registry.example/side:1", env: [{ name: "A", value: "b" }] };
const bodyOf = (index) => ({
  __urn: `urn:pulumi:bench::bench::pulumi-nodejs:dynamic/deployment-control:Deployment::bench-${index}`,
  __provider: "",
  name: `bench-${index}`,
  source: "external_docker",
  sourceConfig: {
    listenerId: "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21",
    listenerConfig: { k8sNamespace: "agents" },
    resourceSpec: {
      minScale: 1,
      maxScale: 4,
      cpu: 1,
      cpuLimit: 2,
      memoryMb: 2048,
      memoryLimitMb: 4096,
      queueMinScale: 1,
      queueMaxScale: 4,
      redisCpu: 1,
      redisMemoryMb: 512,
      dbCpu: 1,
      dbMemoryMb: 1024,
      dbStorageGi: 10,
      labels: { team: "bench", index: String(index) },
      annotations: { owner: "bench" },
      serviceAccountName: "agents",
      imagePullSecrets: [{ name: "registry" }],
      volumes: [{ name: "data", emptyDir: { sizeLimit: "1Gi" } }],
      volumeMounts: [{ name: "data", mountPath: "/data", readOnly: false }],
      initContainers: [container],
      sidecars: [container, { ...container, name: "other" }],
    },
  },
  sourceRevisionConfig: { imageUri: `registry.example/bench-${index}:1` },
  secrets: Object.fromEntries(
    Array.from({ length: 10 }, (_, key) => [`KEY_${key}`, `secret-value-${index}-${key}`]),
  ),
  secretReferences: { TOKEN: { secretName: "tokens", secretKey: "token" } },
  revisionTriggers: { config: "1" },
  rollout: { wait: false, timeoutSeconds: 600 },
});

async function main() {
  await deployment.configure({ config: { get: () => undefined } });
  const first = await deployment.check({}, bodyOf(0));
  if (first.failures.length > 0) throw new Error(JSON.stringify(first.failures));
  const started = performance.now();
  for (let index = 0; index < COUNT; index += 1) {
    const { inputs } = await deployment.check(first.inputs, bodyOf(index));
    const state = { ...inputs, serviceUrl: process.env.DEPLOYMENT_CONTROL_BASE_URL };
    const { changes } = await deployment.diff(`id-${index}`, state, inputs);
    if (changes) throw new Error("the same arguments are a change");
  }
  console.log((performance.now() - started) / COUNT);
}

main();
