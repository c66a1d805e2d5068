/** Compares plans with reviewed plans, as a user does, with the real engine. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { CommandProject, KEY } from "../support/engine/commandProject";
import { isPlugin } from "../support/engine/form";
import { service } from "../support/engine/stack";

const SECRET = "value-of-a-secret-that-stays-hidden";

/** A program whose deployment goes to the stack's service, to a connection's service or to a provider's service. */
const PROGRAM = `
class Provider extends pulumi.ProviderResource {
  constructor(name, args) {
    super("deployment-control", name, args);
  }
}
const provider = config.get("own") && new Provider("own", { baseUrl: config.get("own") });
new Deployment("chat", {
  name: "chat",
  source: "external_docker",
  connection: config.get("connection"),
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  secrets: { TOKEN: pulumi.secret(${JSON.stringify(SECRET)}) },
}, { provider: provider || undefined });
`;

/** For each place that names the service: the settings with which it names the service with that URL. */
const PLACES: readonly (readonly [
  place: string,
  settings: (url: string) => { readonly [key: string]: string },
])[] = [
  ["the stack", (url) => ({ "deployment-control:baseUrl": url })],
  [
    "the connection",
    (url) => ({
      connection: "far",
      "deployment-control:connections": JSON.stringify({ far: { baseUrl: url } }),
    }),
  ],
  ...(isPlugin ? [["the explicit provider", (url: string) => ({ own: url })] as const] : []),
];

test.each(PLACES)(
  "--expect fails for a creation if %s names another service than in the reviewed plan, and names both services",
  async (_place, settings) => {
    const [near, far] = [await service(), await service()];
    const project = await CommandProject.on(near, PROGRAM, settings(near.url));
    const planned = async (...args: string[]) => {
      const preview = path.join(project.folder, "preview.json");
      writeFileSync(preview, await project.pulumi("preview", "--json"));
      return project.command("plan", ...args, preview);
    };
    expect(await planned("--out", "reviewed.json")).toMatchObject({ code: 0, errors: "" });
    expect(await planned("--expect", "reviewed.json")).toMatchObject({ code: 0, errors: "" });
    for (const [key, value] of Object.entries(settings(far.url)))
      await project.pulumi("config", "set", "--plaintext", key, value);
    const elsewhere = await planned("--expect", "reviewed.json", "--format", "json");
    expect(elsewhere).toMatchObject({
      code: 2,
      errors: `--expect: the plan is no longer the one that was reviewed\nstack app/dev:\n  deployment "chat": no longer service ${near.url}; now service ${far.url}\n`,
    });
    expect(JSON.parse(elsewhere.out).deployments).toMatchObject([{ verdict: "create", service: far.url }]);
    for (const secret of [SECRET, KEY]) expect(elsewhere.out + elsewhere.errors).not.toContain(secret);
  },
  300_000,
);
