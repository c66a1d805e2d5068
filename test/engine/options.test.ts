import { exported, leaksIn, placesOf } from "../support/engine/errorText";
import { Deployment } from "../support/engine/form";
import { chat } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

test("if transformations and transforms add secrets, no secret is shown or stored in plaintext", async () => {
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
