import { exported, leaksIn, placesOf } from "../support/engine/errorText";
import { Deployment } from "../support/engine/form";
import { chat, lines } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

test("a transform in the program cannot make a secret plain", async () => {
  const { stack } = await testStack();
  const programSecret = "sk-of-the-program";
  const [older, newer] = ["sk-of-a-transformation", "sk-of-a-transform"];
  const program = () => {
    new Deployment("chat", chat({ secrets: { OWN: programSecret } }), {
      transformations: [
        ({ props, opts }) => ({ props: { ...props, secrets: { ...props.secrets, OLDER: older } }, opts }),
      ],
      transforms: [
        async ({ props, opts }) => ({
          props: { ...props, secrets: { ...props.secrets, NEWER: newer } },
          opts,
        }),
      ],
    });
  };
  const runs = [await stack.preview(program, { diff: true }), await stack.up(program), await stack.refresh()];
  expect(runs.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  expect(
    stack.emulator
      .deployments()[0]
      ?.secrets.map(({ value }) => value)
      .sort(),
  ).toEqual([newer, older, programSecret].sort());
  expect(
    leaksIn({ ...placesOf(stack, ...runs), exported: exported(stack) }, [programSecret, older, newer]),
  ).toEqual([]);
  expect((await stack.preview(program)).steps).toEqual({});
});

const [LISTENER, OTHER] = ["6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d10", "6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d11"];

test("if a deployment with retainOnDelete is replaced, the plan says that the old deployment stays and that its name is not free", async () => {
  const { emulator, stack } = await testStack({ profile: "langsmith" });
  const on = (listenerId: string, retainOnDelete: boolean) => () => {
    new Deployment("chat", chat({ sourceConfig: { listenerId } }), { retainOnDelete });
  };
  await stack.up(on(LISTENER, true));
  const refused = await stack.preview(on(OTHER, true));
  expect(refused.error).toMatch(
    /keeps the name "chat": .* while the old one still has the name and stays\. Change name too/,
  );
  // Without the option, the engine deletes the replaced deployment, and the plan says so.
  expect((await stack.up(on(LISTENER, false))).steps).toEqual({ chat: "update" });
  const replaced = await stack.up(on(OTHER, false));
  expect(replaced.error).toBeUndefined();
  expect(lines(replaced)[0]).toMatch(/the old one, id \S+, is deleted, unless an option keeps it$/);
  expect(emulator.deployments()).toHaveLength(1);
});
