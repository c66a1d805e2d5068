import { Deployment } from "../../sdk";
import { bodiesOf, chat, declares, lines } from "../support/engine/programs";
import { closeAll, type Run, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

const BY_HAND = { name: "BY_HAND", value: "sk-added-by-hand" };
const LOST =
  'deployment "chat": sending its secrets removes what somebody added on the service and the program does not give: BY_HAND. To keep one, give it in secrets';
const STAYS =
  'deployment "chat": the service has secrets that the program does not give: BY_HAND. The next change of its secrets removes them; to keep one, give it in secrets';
const GIVEN = { OPENAI_API_KEY: "sk-second-secret-value", TOKEN: "token-first-secret-value" };

const warnings = (run: Run): string[] => [
  ...new Set(run.diagnostics.filter(({ severity }) => severity === "warning").map(({ message }) => message)),
];

async function withOneByHand(args: Parameters<typeof declares>[0] = {}) {
  const emulator = await service();
  const stack = await stackOn(emulator);
  expect((await stack.up(declares(args))).error).toBeUndefined();
  const [made] = emulator.deployments();
  emulator.change(made?.id as string, { secrets: [...(made?.secrets ?? []), BY_HAND] });
  const names = () => emulator.deployments()[0]?.secrets.map(({ name }) => name);
  return { emulator, stack, names };
}

test("a refresh tells of a secret that somebody added, and the plan says where it would be removed", async () => {
  const { stack, names } = await withOneByHand();
  expect(warnings(await stack.refresh())).toEqual([STAYS]);
  expect((await stack.up(declares())).steps).toEqual({});

  const inPlace = declares({ sourceConfig: { resourceSpec: { minScale: 2, maxScale: 3 } } });
  const kept = await stack.up(inPlace);
  expect([lines(kept).join(), warnings(kept)]).toEqual([expect.not.stringContaining("BY_HAND"), []]);
  expect(names()).toContain("BY_HAND");

  const changes = declares({ secrets: GIVEN });
  const plan = await stack.preview(changes);
  const line =
    'deployment "chat": may create a new revision (secret OPENAI_API_KEY changed; secret BY_HAND removed, which somebody added on the service; in place: sourceConfig.resourceSpec.minScale 2 -> 1)';
  expect([lines(plan)[0], warnings(plan)]).toEqual([line, [LOST]]);
  const up = await stack.up(changes);
  expect([lines(up)[0], warnings(up), names()]).toEqual([line, [LOST], ["OPENAI_API_KEY", "TOKEN"]]);
  expect(warnings(await stack.refresh())).toEqual([]);
});

test("an answer to an update in place tells of it too, so that the next plan knows without a refresh", async () => {
  const { stack } = await withOneByHand();
  await stack.up(declares({ sourceConfig: { resourceSpec: { minScale: 2, maxScale: 3 } } }));
  expect(warnings(await stack.preview(declares({ secrets: GIVEN })))).toEqual([LOST]);
});

test("a program that gives it takes it over, and it is not called removed", async () => {
  const { stack, names } = await withOneByHand();
  await stack.refresh();
  const given = { OPENAI_API_KEY: "sk-first-secret-value", TOKEN: "token-first-secret-value" };
  const up = await stack.up(declares({ secrets: { ...given, BY_HAND: BY_HAND.value } }));
  expect(lines(up)[0]).toBe('deployment "chat": may create a new revision (secret BY_HAND added)');
  expect([warnings(up), names()]).toEqual([[], ["BY_HAND", "OPENAI_API_KEY", "TOKEN"]]);
});

test("a program that gives no secrets leaves it, and its first secret would remove it", async () => {
  const { stack, names } = await withOneByHand({ secrets: undefined });
  const unmanaged = () => new Deployment("chat", { ...chat(), secrets: undefined });
  expect(warnings(await stack.refresh())).toEqual([]);
  expect((await stack.up(unmanaged)).steps).toEqual({});
  expect(names()).toEqual(["BY_HAND"]);
  const first = await stack.preview(declares({ secrets: { TOKEN: "token-first-secret-value" } }));
  expect(warnings(first)).toEqual([LOST]);
});

test("adopting without secrets leaves those that the deployment has", async () => {
  const { emulator, names } = await withOneByHand();
  const other = await stackOn(emulator, { name: "other" });
  const before = names();
  const up = await other.up(() => new Deployment("chat", { ...chat(), secrets: undefined, adopt: true }));
  expect([up.error, bodiesOf(up, "PATCH"), names()]).toEqual([undefined, [], before]);
});
