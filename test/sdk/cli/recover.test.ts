import { readdirSync } from "node:fs";
import path from "node:path";
import type { Emulator } from "../../../sdk/emulator/index";
import { cli, type Ran, workFolder } from "../../support/adopt/command";
import { started } from "../../support/embeddedService";
import { type Export, pendingExport } from "../../support/recover/pendingExport";

const KEY = "key-that-stays-hidden";
const VALUE = "value-that-stays-hidden";
const LONG_AGO = "2020-01-01T00:00:00Z";

/** Runs the command as if on another machine: the export is this string, and the journal is empty. */
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

const attemptsIn = (home: string): string[] =>
  readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => /[0-9a-f]{32}\.json$/.test(name));

const pending = [{ type: "creating", inputs: chat }] as const;

test("if nothing is pending, the command says so, sends nothing and exits with 0", async () => {
  const emulator = await started({ apiKey: KEY });
  const recovery = await recover(exportOf(emulator, { pending: [] }));
  expect(recovery).toMatchObject({ code: 0, errors: "" });
  expect(recovery.out).toBe("nothing is pending in the state, so there is nothing to recover\n");
  expect(emulator.requests).toEqual([]);
});

test("the command records a pending creation for the next `pulumi up`, sends nothing, shows no secret and exits with 2; --check writes nothing", async () => {
  const emulator = await started({ apiKey: KEY });
  const text = exportOf(emulator, { pending });
  const checked = await recover(text, "--check");
  expect(checked).toMatchObject({ code: 2 });
  expect(checked.out).toContain('deployment "chat" has its creation pending. Without --check');
  expect(attemptsIn(checked.home)).toEqual([]);
  const recovery = await recover(text);
  expect(recovery).toMatchObject({ code: 2 });
  expect(recovery.out).toContain('deployment "chat" has its creation in the journal now');
  expect(recovery.out).toContain("1 operation pending");
  expect(attemptsIn(recovery.home)).toHaveLength(1);
  expect(emulator.requests).toEqual([]);
  expect(`${recovery.out}${recovery.errors}${checked.out}${checked.errors}`).not.toMatch(/stays-hidden/);
});

test("an export that hides the secrets of an operation is refused, and the error says how to export the secrets", async () => {
  const emulator = await started({ apiKey: KEY });
  const recovery = await recover(exportOf(emulator, { pending: [], sealed: true }));
  expect(recovery.code).toBe(0);
  const sealed = await recover(exportOf(emulator, { pending, sealed: true }), "--check");
  expect(sealed).toMatchObject({ code: 1, out: "" });
  expect(sealed.errors).toContain(
    "the export hides secrets: make it with `pulumi stack export --show-secrets`",
  );
});

test("if the export is not valid, the command exits with 1 and names standard input", async () => {
  const cut = await recover('{"version": 3, "deploy');
  expect(cut).toMatchObject({ code: 1, out: "" });
  expect(cut.errors).toContain("standard input");
});
