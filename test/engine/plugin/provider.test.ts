import * as pulumi from "@pulumi/pulumi";
import { offencesIn } from "../../../sdk/report/evaluate/gates";
import { Deployment } from "../../support/engine/form";
import { reported } from "../../support/engine/planReport";
import { chat, FIRST_IMAGE, SECOND_IMAGE } from "../../support/engine/programs";
import { service, stackOn } from "../../support/engine/stack";

/** The provider's class, written as Pulumi's code generator writes it. */
class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: pulumi.Inputs) {
    super("deployment-control", name, args);
  }
}

test("the report applies the stack's setting newRevisions to an explicit provider's deployments, because the provider does not get the setting", async () => {
  const [environment, east] = [await service(), await service()];
  const stack = await stackOn(environment);
  const program = (imageUri: string) => () => {
    const provider = new Provider("east", { baseUrl: east.url });
    new Deployment("east", chat({ sourceRevisionConfig: { imageUri } }), { provider });
  };
  expect((await stack.up(program(FIRST_IMAGE))).error).toBeUndefined();
  await stack.stack.setConfig("deployment-control:newRevisions", { value: "forbid" });
  const config = { "deployment-control:newRevisions": "forbid" };
  const report = await reported(stack, program(SECOND_IMAGE), config);
  expect(report.failure).toBeNull();
  expect(offencesIn([report], { failOn: [], allow: ["east"] })).toEqual([
    expect.stringMatching(/newRevisions is "forbid" .*: 1 offender$/),
    `  deployment "east": sourceRevisionConfig.imageUri ${FIRST_IMAGE} -> ${SECOND_IMAGE}`,
  ]);
  const [first] = report.deployments;
  expect(first?.warnings).toContainEqual(expect.stringContaining("Set newRevisions on the provider too"));
  const still = await reported(stack, program(FIRST_IMAGE), config);
  expect(offencesIn([still], { failOn: [], allow: [] })).toEqual([]);
});
