import type * as pulumi from "@pulumi/pulumi";
import providers from "../../../provider";
import { chat, URN } from "../../support/providerRun";

const { deployment } = providers as Record<"deployment", pulumi.dynamic.ResourceProvider>;

test("if the engine shows an error, the host's own line about the error is dropped, and every other line is printed", async () => {
  const print = jest.spyOn(console, "error").mockImplementation(() => undefined);
  const state = { ...chat, __urn: URN, onDestroy: "fail", serviceUrl: "http://127.0.0.1:9" };
  process.env.DEPLOYMENT_CONTROL_BASE_URL = "http://127.0.0.1:9";
  const error: Error = await deployment.delete?.("the-id", state).then(
    () => new Error("nothing was refused"),
    (refusal) => refusal,
  );
  delete process.env.DEPLOYMENT_CONTROL_BASE_URL;
  expect(error.message).toContain("is not to be destroyed");
  // The host prints an error in this form.
  console.error(`${error}: ${error.stack}`);
  expect(print).not.toHaveBeenCalled();
  console.error("a line of another provider");
  expect(print).toHaveBeenCalledWith("a line of another provider");
});
