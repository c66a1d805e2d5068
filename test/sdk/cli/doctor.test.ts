import path from "node:path";
import type { Emulator } from "../../../sdk/emulator/index";
import { cli, type Ran, type Variables, workFolder } from "../../support/adopt/command";
import { started } from "../../support/embeddedService";

const KEY = "key-that-stays-hidden";

/** Runs the command without a project and without the machine's own settings. */
function doctor(variables: Variables, ...args: readonly string[]): Promise<Ran> {
  const folder = workFolder();
  const env = { PATH: process.env.PATH, HOME: folder, PULUMI_HOME: path.join(folder, "home"), ...variables };
  return cli(["doctor", ...args], folder, env);
}

const at = ({ url }: Emulator): Variables => ({ DEPLOYMENT_CONTROL_BASE_URL: url });

/** The output line about the subject, such as `clock`. */
const line = ({ out }: Ran, about: string): string | undefined =>
  out.split("\n").find((each) => each.slice(2).startsWith(about));

test("if nothing is wrong, every line about the service reports success, and the command sends one request", async () => {
  const emulator = await started({ apiKey: KEY });
  const diagnosis = await doctor({ ...at(emulator), DEPLOYMENT_CONTROL_API_KEY: KEY });
  for (const about of ["service", "profile", "answer", "clock", "proxy", "journal"])
    expect(line(diagnosis, about)).toMatch(/^✓ /);
  expect(line(diagnosis, "service")).toContain(`${emulator.url}, credentials in `);
  expect(emulator.requests).toHaveLength(1);
  expect(diagnosis.out + diagnosis.errors).not.toContain(KEY);
});

test("if the service refuses the key, the command names the setting to check and exits with 2", async () => {
  const emulator = await started({ apiKey: KEY });
  const diagnosis = await doctor({ ...at(emulator), DEPLOYMENT_CONTROL_API_KEY: "another-hidden-key" });
  expect(line(diagnosis, "answer")).toMatch(/^✗ .*403.*Set another key in deployment-control:apiKey/);
  expect(diagnosis.code).toBe(2);
  expect(diagnosis.out + diagnosis.errors).not.toContain("another-hidden-key");
});

test("if the service cannot be reached, or the base URL is missing, the command says what to do", async () => {
  const silent = await doctor({ DEPLOYMENT_CONTROL_BASE_URL: "http://127.0.0.1:9" });
  expect(line(silent, "answer")).toMatch(/^✗ .*ECONNREFUSED.*Check deployment-control:baseUrl/);
  expect(silent.code).toBe(2);
  const unset = await doctor({});
  expect(line(unset, "settings")).toMatch(/^✗ .*pulumi config set deployment-control:baseUrl/);
  expect(line(unset, "settings")).toContain("because `pulumi config` failed: run it here to see why");
  expect(unset.code).toBe(2);
});

test("if no profile is set for the public service, the command says which profile to set; an explicit profile stays in effect", async () => {
  const nowhere = {
    DEPLOYMENT_CONTROL_BASE_URL: "https://api.host.langchain.com",
    HTTPS_PROXY: "http://127.0.0.1:9",
  };
  const refused = await doctor(nowhere);
  expect(line(refused, "settings")).toMatch(
    /^✗ .*profile: is not set, but https:\S+ is LangSmith: set profile to "langsmith"/,
  );
  expect(refused.code).toBe(2);
  const set = await doctor({ ...nowhere, DEPLOYMENT_CONTROL_PROFILE: "contract" });
  expect(line(set, "profile")).toBe(`✓ profile   "contract"`);
  expect(line(set, "proxy")).toMatch(/^✓ .*HTTPS_PROXY/);
});

test("if an answer shows that the default profile does not fit, the command says which profile to set, and sends only one request", async () => {
  const emulator = await started({ profile: "langsmith" });
  emulator.seed(1);
  const diagnosis = await doctor(at(emulator));
  expect(line(diagnosis, "answer")).toMatch(/^✗ .*profile: is not set, but .*set profile to "langsmith"/);
  expect(diagnosis.code).toBe(2);
  expect(emulator.requests).toHaveLength(1);
  const set = await doctor({ ...at(emulator), DEPLOYMENT_CONTROL_PROFILE: "contract" });
  expect(line(set, "answer")).toMatch(/^✓ /);
});

test("if the journal is off, the command says what may happen without a journal", async () => {
  const diagnosis = await doctor({ ...at(await started()), DEPLOYMENT_CONTROL_JOURNAL: "off" });
  expect(line(diagnosis, "journal")).toMatch(/^✗ .*unset DEPLOYMENT_CONTROL_JOURNAL/);
});
