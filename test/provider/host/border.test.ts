import { deployment } from "../../../provider/deployment/deployment";
import { Border } from "../../../provider/host/border";
import { chat, provided, URN } from "../providing";

const dynamic = { ...chat, __urn: URN, __provider: "code" };

test("what the plugin has recorded is refused by the dynamic form, with what to type to go back nevertheless", async () => {
  const { session } = await provided();
  const { failures } = await new Border(deployment, () => session).check(chat, dynamic);
  expect(failures.map(String)).toEqual([
    expect.stringMatching(/its state is the plugin's.*pulumi state delete '.*'.*with adopt: true$/),
  ]);
});

test("what the dynamic form has recorded goes on in it, and what is new begins", async () => {
  const { session } = await provided();
  const border = new Border(deployment, () => session);
  for (const olds of [dynamic, {}]) expect((await border.check(olds, dynamic)).failures).toEqual([]);
});
