import { blemishesOf, errorsOf } from "../support/engine/errorText";
import { Deployment, dynamicOnly } from "../support/engine/form";
import { declaresOnly } from "../support/engine/programs";
import { type Run, service, stackOn, type TestStack, testStack } from "../support/engine/stack";

const chat = (imageUri = "i:1") => declaresOnly({ sourceRevisionConfig: { imageUri } });

/** Returns the refusal as the user sees it; fails if the refusal appears twice or shows a key. */
function refusal(run: Run): string {
  expect(run.error).toBeDefined();
  expect(run.requests).toEqual([]);
  expect(blemishesOf(run)).toEqual([]);
  expect(run.text).not.toContain("hush-hush");
  const refusals = errorsOf(run).filter((error) => error !== "update failed");
  expect(refusals.length).toBe(1);
  const diagnostics = run.text.slice(run.text.indexOf("Diagnostics:"));
  expect(diagnostics.split(refusals[0] as string).length - 1).toBe(1);
  return refusals[0] as string;
}

const ofTheProgram = dynamicOnly("the plugin itself refuses the key, and a separate test checks this");

ofTheProgram(
  "the program fails before anything is written if the stack has a key that was set without --secret",
  async () => {
    const { stack } = await testStack();
    await stack.stack.setConfig("deployment-control:apiKey", { value: "key-hush-hush" });
    const thrown: Error[] = [];
    const run = await stack.up(() => {
      for (const declare of [chat(), () => Deployment.get("got", "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21")]) {
        try {
          declare();
        } catch (error) {
          thrown.push(error as Error);
        }
      }
    });
    const words =
      "configuration deployment-control:apiKey holds a key but is not a secret: the state would hold it in plaintext. " +
      "Set it again with `pulumi config set --secret deployment-control:apiKey`";
    expect(thrown.map(({ message }) => message)).toEqual([words, words]);
    expect(run.requests).toEqual([]);
  },
);

test("every command refuses a base URL that differs from the state's base URL, and says what to do", async () => {
  const [here, elsewhere] = [await service(), await service()];
  const stack: TestStack = await stackOn(here);
  await stack.up(chat());
  stack.stack.workspace.envVars.DEPLOYMENT_CONTROL_BASE_URL = elsewhere.url;
  for (const run of [
    await stack.preview(chat("i:2")),
    await stack.up(chat("i:2")),
    await stack.refresh(),
    await stack.destroy(),
  ]) {
    expect(refusal(run)).toBe(
      `configuration deployment-control: the state says that this resource lives on ${here.url}, but the base URL is ${elsewhere.url}. ` +
        "Set the base URL back, or use another stack for another service",
    );
  }
  expect(elsewhere.requests).toEqual([]);
  stack.stack.workspace.envVars.DEPLOYMENT_CONTROL_BASE_URL = here.url;
  expect((await stack.up(chat())).steps).toEqual({});
});
