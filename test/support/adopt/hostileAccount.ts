/** An account to adopt, with strings that need quoting or escaping in every language. */
import type { Emulator } from "../../../sdk/emulator/index";
import { created, started } from "../embeddedService";
import { HOSTILE } from "../report/hostileTexts";

const TEMPLATE = "a $" + "{prod.id} $$" + "{x} $$ fn::secret \u2028\"'\\";

/** A service with two deployments. One has hostile text in each field that a generated program must quote. */
export async function hostileAccount(): Promise<Emulator> {
  const emulator = await started();
  const { id: listener_id } = emulator.addListener({ compute_id: "prod" });
  const texts = HOSTILE.filter((text) => !/\p{Surrogate}/u.test(text) && text.length < 100);
  const labels = Object.fromEntries(
    texts.filter((text) => text !== "__proto__").map((text, index) => [`label${index}`, text]),
  );
  await created(emulator, {
    name: TEMPLATE,
    source: "external_docker",
    source_config: {
      listener_id,
      resource_spec: {
        min_scale: 1,
        cpu: 0.5,
        labels: {
          ...labels,
          [TEMPLATE]: "key",
          "fn::secret": "function",
          min_scale: "as a field",
          constructor: "own",
        },
        volumes: [
          {
            name: "cache",
            emptyDir: { sizeLimit: "1Gi", some_key: [1, null, TEMPLATE, { a_b: true }] },
            downwardAPI: {},
          },
        ],
        init_containers: [
          {
            name: "i",
            image: "i:1",
            imagePullPolicy: "Always",
            env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "x" } } }],
          },
        ],
      },
    },
    source_revision_config: { image_uri: "registry.example.com/agents:1" },
    secrets: [{ name: TEMPLATE, value: "canary-of-the-account" }],
    secret_references: [{ name: "R_a", secret_name: "search", secret_key: TEMPLATE }],
  });
  await created(emulator, {
    name: "1e3",
    source: "repohost",
    source_config: { repo_url: "https://repohost.example/acme/agent", build_on_push: true },
    source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
    secrets: [],
  });
  emulator.requests.length = 0;
  return emulator;
}
