/** Tests that the adoption of a generated account plans no change, whatever the account contains. */
import * as fc from "fast-check";
import { connectionFrom } from "../../../../provider/run/configuration";
import { type Fault, faultInWords } from "../../../../provider/schema/check";
import type { Properties } from "../../../../provider/schema/value";
import { type AccountSnapshot, readAccount } from "../../../../sdk/adopt/read/account";
import { selectionOf } from "../../../../sdk/adopt/read/selection";
import { type Program, programOf } from "../../../../sdk/adopt/write/program";
import { typescript } from "../../../../sdk/adopt/write/typescript";
import type { Emulator } from "../../../../sdk/emulator/index";
import { accounts, fill, type GeneratedAccount } from "../../../support/adopt/arbitraryAccounts";
import { complaintsOf, typescriptDeclares } from "../../../support/adopt/declaredResources";
import { started } from "../../../support/embeddedService";
import { sessionOn } from "../../../support/providerRun";
import { deployment } from "../../../support/resourceCalls";

/** `ADOPTED=300` runs the property with 300 accounts, which is the full run. */
const RUNS = Number(process.env.ADOPTED ?? 3);
const MOST = RUNS > 100 ? 60 : 12;

const PROJECT = { name: "adopted", packageSpec: "0.0.0", pulumiVersion: "3.250.0" };
const EVERYTHING = { names: [], statuses: [], ids: [], terraform: undefined };

function written(account: AccountSnapshot): { program: Program; source: string } {
  const program = programOf(account, selectionOf(account, EVERYTHING));
  return { program, source: typescript.files(program, PROJECT)["index.ts"] as string };
}

async function filled(generated: GeneratedAccount): Promise<{ emulator: Emulator; acceptedCount: number }> {
  const { profile, service } = generated;
  // Under langsmith, a client treats a short page as the last page, so the service must fill its pages.
  const emulator = await started({ profile, ...service, ...(profile === "langsmith" && { pageCap: 100 }) });
  return { emulator, acceptedCount: await fill(emulator, generated) };
}

async function accountOn(emulator: Emulator, profile: string): Promise<AccountSnapshot> {
  const settings: Record<string, string> = { baseUrl: emulator.url, profile };
  return readAccount(connectionFrom((key) => settings[key], {}, undefined));
}

/** Plans the declared deployments. Returns the failures and the messages that announce a change. */
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

test(`programs for ${RUNS} accounts with up to ${MOST} deployments plan no change, and TypeScript reads every string literally`, async () => {
  const sources: string[] = [];
  const one = async (generated: GeneratedAccount): Promise<void> => {
    const { profile } = generated;
    const { emulator, acceptedCount } = await filled(generated);
    if (acceptedCount > 0) {
      const account = await accountOn(emulator, profile);
      expect(account.deployments).toHaveLength(acceptedCount);
      const { program, source } = written(account);
      if (program.deployments.length === 0) return;
      const declared = typescriptDeclares(source);
      expect(Object.keys(declared.deployments)).toHaveLength(acceptedCount - program.skipped.length);
      expect(await planned(emulator, profile, declared.deployments)).toEqual([]);
      sources.push(source);
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    }
    await emulator.close();
  };
  await fc.assert(fc.asyncProperty(accounts(MOST), one), { numRuns: RUNS, endOnFailure: true });
  expect(complaintsOf(sources)).toEqual([]);
}, 3_600_000);
