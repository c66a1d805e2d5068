/** Programs for generated accounts: adopting any content of the service changes nothing. */
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { type Fault, faultInWords } from "../../../../provider/fields/check";
import { deploymentRows } from "../../../../provider/fields/deployment";
import type { Kind, Rows } from "../../../../provider/fields/kind";
import type { Properties } from "../../../../provider/fields/value";
import { isProperties } from "../../../../provider/fields/value";
import { connectionFrom } from "../../../../provider/run/configuration";
import { type AccountSnapshot, readAccount } from "../../../../sdk/adopt/read/account";
import { selectionOf } from "../../../../sdk/adopt/read/selection";
import { type Program, programOf } from "../../../../sdk/adopt/write/program";
import { FORMATS } from "../../../../sdk/adopt/write/project";
import { pythonName } from "../../../../sdk/adopt/write/python";
import type { Emulator } from "../../../../sdk/emulator/index";
import { accounts, fill, type GeneratedAccount } from "../../../support/adopt/arbitraryAccounts";
import {
  complaintsOf,
  pythonDeclares,
  typescriptDeclares,
  yamlDeclares,
} from "../../../support/adopt/declaredResources";
import { started } from "../../../support/embeddedService";
import { sessionOn } from "../../../support/providerRun";
import { deployment } from "../../../support/resourceCalls";

/** `ADOPTED=300` runs the property with 300 accounts, which is the full run. */
const RUNS = Number(process.env.ADOPTED ?? 3);
const MOST = RUNS > 100 ? 60 : 12;

const PROJECT = { name: "adopted", packageSpec: "0.0.0", pulumiVersion: "3.250.0" };
const EVERYTHING = { names: [], statuses: [], ids: [], terraform: undefined };

const sourceOf = (format: (typeof FORMATS)[string] | undefined, program: Program): string =>
  format?.files(program, PROJECT)["index.ts"] as string;

const written = (
  format: string,
  account: AccountSnapshot,
): { program: Program; files: Record<string, string> } => {
  const language = FORMATS[format] as NonNullable<(typeof FORMATS)[string]>;
  const program = programOf(account, selectionOf(account, EVERYTHING), language);
  return { program, files: language.files(program, PROJECT) };
};

async function filled(generated: GeneratedAccount): Promise<{ emulator: Emulator; acceptedCount: number }> {
  const { profile, service } = generated;
  // Under the public service's profile, a short page is the last page, so the pages are not capped.
  const emulator = await started({ profile, ...service, ...(profile === "langsmith" && { pageCap: 100 }) });
  return { emulator, acceptedCount: await fill(emulator, generated) };
}

async function accountOn(emulator: Emulator, profile: string): Promise<AccountSnapshot> {
  const settings: Record<string, string> = { baseUrl: emulator.url, profile };
  return readAccount(connectionFrom((key) => settings[key], {}, undefined));
}

/** The provider's verdict on each deployment in a preview. The preview must send only GETs and change nothing. */
async function planned(
  emulator: Emulator,
  profile: string,
  declared: Readonly<Record<string, Properties>>,
): Promise<string[]> {
  const { session, told } = sessionOn(emulator, { profile });
  const failures: string[] = [];
  for (const [name, args] of Object.entries(declared)) {
    const urn = `urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:Deployment::${name}`;
    const answer = await deployment
      .check(session, undefined, { __urn: urn, ...args })
      .catch(({ message }: Error): { failures: Fault[] } => ({ failures: [{ path: [], words: message }] }));
    failures.push(...answer.failures.map(faultInWords));
  }
  return [...failures, ...told.filter((line) => !line.endsWith("; nothing in it changes"))];
}

/** The arguments under their Python names. */
function inPython(kind: Kind<unknown>, value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((each) => inPython(kind.type === "list" ? kind.of : { type: "json" }, each));
  if (!isProperties(value)) return value;
  const rows: Rows = kind.type === "object" ? kind.rows : {};
  const members = Object.entries(value).map(([name, member]) => {
    if (kind.type === "object")
      return [pythonName(name), inPython(rows[name]?.kind ?? { type: "json" }, member)];
    const of: Kind<unknown> =
      kind.type === "map"
        ? kind.of
        : kind.type === "keyed"
          ? { type: "object", rows: kind.rows }
          : { type: "json" };
    return [name, inPython(of, member)];
  });
  return Object.fromEntries(members);
}

test(`programs for ${RUNS} accounts with up to ${MOST} deployments plan no change, and each language reads every text literally`, async () => {
  const inTypeScript: string[] = [];
  const python: { readonly source: string; readonly deployments: unknown }[] = [];
  const one = async (generated: GeneratedAccount): Promise<void> => {
    const { profile } = generated;
    const { emulator, acceptedCount } = await filled(generated);
    if (acceptedCount > 0) {
      const account = await accountOn(emulator, profile);
      expect(account.deployments).toHaveLength(acceptedCount);
      const { program, files } = written("typescript", account);
      if (program.deployments.length === 0) return;
      const declared = typescriptDeclares(files["index.ts"] as string);
      expect(Object.keys(declared.deployments)).toHaveLength(acceptedCount - program.skipped.length);
      expect(await planned(emulator, profile, declared.deployments)).toEqual([]);
      const inYaml = written("yaml", account);
      const same = typescriptDeclares(sourceOf(FORMATS.typescript, inYaml.program));
      expect(yamlDeclares(inYaml.files["Pulumi.yaml"] as string)).toEqual(same);
      if (!isDeepStrictEqual(same, declared))
        expect(await planned(emulator, profile, same.deployments)).toEqual([]);
      inTypeScript.push(files["index.ts"] as string);
      const whole = { type: "object", rows: deploymentRows } as const;
      python.push({
        source: written("python", account).files["__main__.py"] as string,
        deployments: Object.fromEntries(
          Object.entries(declared.deployments).map(([name, args]) => [name, inPython(whole, args)]),
        ),
      });
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    }
    await emulator.close();
  };
  await fc.assert(fc.asyncProperty(accounts(MOST), one), { numRuns: RUNS, endOnFailure: true });
  expect(complaintsOf(inTypeScript)).toEqual([]);
  const declared = pythonDeclares(python.map(({ source }) => source));
  if (declared !== undefined)
    expect(declared.map(({ deployments }) => deployments)).toEqual(
      python.map(({ deployments }) => deployments),
    );
}, 3_600_000);

test("the service accepts most of the generated deployments, and a program declares most of those", async () => {
  let [sent, accepted, skipped] = [0, 0, 0];
  const samples = fc.sample(accounts(MOST), { numRuns: 12, seed: 1 });
  for (const generated of samples) {
    const { emulator, acceptedCount } = await filled(generated);
    sent += generated.deployments.length;
    accepted += acceptedCount;
    if (acceptedCount > 0)
      skipped += written("typescript", await accountOn(emulator, generated.profile)).program.skipped.length;
    await emulator.close();
  }
  expect(sent).toBeGreaterThan(3 * samples.length);
  expect(accepted).toBeGreaterThan(0.6 * sent);
  expect(skipped).toBeLessThan(0.4 * accepted);
});
