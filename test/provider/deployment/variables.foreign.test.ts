/**
 * Foreign secrets are secrets that a user has added on the service. The next change to the program's secrets
 * would remove the foreign secrets.
 */
import type { Properties } from "../../../provider/schema/value";
import { createdDeployment } from "../../support/createdDeployment";
import { chat } from "../../support/providerRun";

const BY_HAND = { name: "BY_HAND", value: "sk-added-by-hand" };
const LOST =
  "sending its secrets removes variables that somebody added on the service and that the program does not declare: BY_HAND. To keep one, set it in secrets or environment";
const STAYS =
  "the service has secrets that the program does not set: BY_HAND. The next change of its secrets removes them; to keep one, set it in secrets or environment";
const scaled = { ...chat, sourceConfig: { buildOnPush: false } };

async function withForeignSecret(inputs: Properties = chat) {
  const created = await createdDeployment(inputs);
  const { emulator, id, stored } = created;
  emulator.change(id, { secrets: [...(stored()?.secrets ?? []), BY_HAND] });
  return created;
}

const rotated = { ...chat, secrets: { TOKEN: "rotated-secret-value" } };

test("a refresh warns of a foreign secret, and the plan says which change would remove it", async () => {
  const { refresh, plan } = await withForeignSecret();
  const { outputs, warnings: refreshWarnings } = await refresh();
  expect(refreshWarnings()).toEqual([expect.stringContaining(STAYS)]);
  expect((await plan(chat, outputs)).told).toEqual([]);
  expect((await plan(scaled, outputs)).warnings()).toEqual([]);
  const { told, warnings } = await plan(rotated, outputs);
  expect(told.join()).toContain("secret BY_HAND removed, which somebody added on the service");
  expect(warnings()).toEqual([expect.stringContaining(LOST)]);
});

test("an update in place also records a foreign secret, so the next plan warns of the secret without a refresh", async () => {
  const { update, stored, plan } = await withForeignSecret();
  const after = await update(scaled);
  expect(stored()?.secrets).toContainEqual(BY_HAND);
  const { warnings } = await plan({ ...rotated, sourceConfig: scaled.sourceConfig }, after);
  expect(warnings()).toEqual([expect.stringContaining(LOST)]);
});

test("if the program begins to declare a foreign secret, the plan says that the secret is added", async () => {
  const { refresh, plan } = await withForeignSecret();
  const news = { ...chat, secrets: { ...chat.secrets, BY_HAND: BY_HAND.value } };
  const { told, warnings } = await plan(news, (await refresh()).outputs);
  expect(told.join()).toContain("secret BY_HAND added");
  expect(warnings()).toEqual([]);
});

test("a foreign secret stays while the program has no variables, and the program's first variable removes it", async () => {
  const bare = { ...chat, secrets: undefined, secretGenerations: undefined };
  const { refresh, plan, update, stored } = await withForeignSecret(bare);
  const { outputs, warnings } = await refresh();
  expect(warnings()).toEqual([]);
  expect((await plan(bare, outputs)).told).toEqual([]);
  const plain = { ...bare, environment: { LOG_LEVEL: "info" } };
  for (const news of [rotated, plain])
    expect((await plan(news, outputs)).warnings()).toEqual([expect.stringContaining(LOST)]);
  await update(plain, outputs);
  expect(stored()?.secrets).toEqual([{ name: "LOG_LEVEL", value: "info" }]);
});
