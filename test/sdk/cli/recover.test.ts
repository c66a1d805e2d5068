import { readdirSync } from "node:fs";
import path from "node:path";
import type { Emulator } from "../../../sdk/emulator/index";
import { cli, type Ran, workFolder } from "../../support/adopt/command";
import { ask, started } from "../../support/embeddedService";
import { type Export, pendingExport } from "../../support/recover/pendingExport";

const KEY = "key-that-stays-hidden";
const VALUE = "value-that-stays-hidden";
const LONG_AGO = "2020-01-01T00:00:00Z";

/** Runs the command as on another machine: with this text as the export, and with an empty journal. */
async function recover(text: string, ...args: readonly string[]): Promise<Ran & { readonly home: string }> {
  const home = workFolder();
  const env = { PATH: process.env.PATH, HOME: home, PULUMI_HOME: path.join(home, "pulumi") };
  return { home, ...(await cli(["recover", "--file", "-", ...args], home, env, text)) };
}

const chat = {
  name: "chat",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  secrets: { KEY: VALUE },
};

const exportOf = ({ url }: Emulator, state: Omit<Export, "settings">): string =>
  pendingExport({
    created: LONG_AGO,
    ...state,
    settings: { baseUrl: url, apiKey: KEY, requestTimeoutSeconds: "1" },
  });

/** Creates the deployment as the killed run did. */
async function made(emulator: Emulator, image = "registry.example/chat:1") {
  const body = {
    name: "chat",
    source: "external_docker",
    source_config: {},
    source_revision_config: { image_uri: image },
    secrets: [{ name: "KEY", value: VALUE }],
  };
  return (await ask(emulator, "POST", "/v2/deployments", body, { "x-api-key": KEY })).body;
}

const entriesIn = (home: string): string[] =>
  readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => /[0-9a-f]{32}\.json$/.test(name));

const pending = [{ type: "creating", inputs: chat }] as const;

test("if nothing is pending, the command says so, sends nothing and exits with 0", async () => {
  const emulator = await started({ apiKey: KEY });
  const recovery = await recover(exportOf(emulator, { pending: [] }));
  expect(recovery).toMatchObject({ code: 0, errors: "" });
  expect(recovery.out).toBe("nothing is pending in the state, so there is nothing to recover\n");
  expect(emulator.requests).toEqual([]);
});

test("the command leaves a proven creation to the next up, sends only reads and shows no secret, and --check only reports the creation", async () => {
  const emulator = await started({ apiKey: KEY });
  const { id } = await made(emulator);
  emulator.requests.length = 0;
  const text = exportOf(emulator, { pending });
  const checked = await recover(text, "--check");
  expect(checked).toMatchObject({ code: 0 });
  expect(checked.out).toContain(`was created by the killed run (id ${id}); without --check`);
  expect(entriesIn(checked.home)).toEqual([]);
  const recovery = await recover(text);
  expect(recovery).toMatchObject({ code: 0 });
  expect(recovery.out).toContain(`was created by the killed run (id ${id}); the next update takes it over`);
  expect(entriesIn(recovery.home)).toHaveLength(1);
  expect(emulator.requests.every(({ method }) => method === "GET")).toBe(true);
  expect(`${recovery.out}${recovery.errors}${checked.out}${checked.errors}`).not.toMatch(/stays-hidden/);
});

test("a deployment that differs from its creation stays in doubt: the command prints its id and the remedy, and exits with 2", async () => {
  const emulator = await started({ apiKey: KEY });
  const { id } = await made(emulator, "registry.example/another:1");
  const recovery = await recover(exportOf(emulator, { pending }));
  expect(recovery.code).toBe(2);
  expect(recovery.out).toContain(`(id ${id})`);
  expect(recovery.out).toContain("pulumi refresh --clear-pending-creates");
  expect(entriesIn(recovery.home)).toEqual([]);
});

test("for an export that hides its secrets, the command says that it made the comparison without secrets", async () => {
  const emulator = await started({ apiKey: KEY });
  const recovery = await recover(exportOf(emulator, { pending: [], sealed: true }));
  expect(recovery.code).toBe(0);
  const sealed = await recover(exportOf(emulator, { pending, sealed: true }), "--check");
  expect(sealed.out + sealed.errors).toContain("export with --show-secrets");
});

test("after a bad file, the command exits with 1 and says what it expected", async () => {
  const cut = await recover('{"version": 3, "deploy');
  expect(cut).toMatchObject({ code: 1, out: "" });
  expect(cut.errors).toContain("standard input");
});
