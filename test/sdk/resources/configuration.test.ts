import * as pulumi from "@pulumi/pulumi";
import { refuseBadConfiguration } from "../../../sdk/resources/configuration";

afterEach(() => pulumi.runtime.setAllConfig({}));

function refusalOf(settings: { [key: string]: string }, secret: readonly string[] = []): Error | undefined {
  pulumi.runtime.setAllConfig(settings, [...secret]);
  try {
    refuseBadConfiguration();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

test.each([
  ["deployment-control:baseURL", "did you mean baseUrl?"],
  ["deployment-control:connexions", "did you mean connections?"],
  ["deployment-control:timeout", "allowed: baseUrl, apiKey, authHeader, "],
])("the unknown setting %s is refused, and the error does not show its value", (key, words) => {
  const error = refusalOf({ [key]: "hush-hush" });
  expect(error?.message).toContain(`configuration ${key}: is not a setting; ${words}`);
  expect(error?.message).not.toContain("hush-hush");
});

test("known settings, and settings of other namespaces, are accepted", () => {
  const settings = {
    "app:baseURL": "x",
    "deployment-control:baseUrl": "https://a.example",
    "aws:region": "x",
  };
  expect(refusalOf(settings)).toBeUndefined();
});

test("a project with the product's name may have its own settings, but a misspelled setting of the product is refused", () => {
  const project = jest.spyOn(pulumi.runtime, "getProject").mockReturnValue("deployment-control");
  expect(refusalOf({ "deployment-control:region": "x", "deployment-control:imageTag": "1" })).toBeUndefined();
  const error = refusalOf({ "deployment-control:newRevision": "forbid" });
  expect(error?.message).toContain("is not a setting; did you mean newRevisions?");
  project.mockRestore();
});

const asText = (settings: object): string => JSON.stringify(settings);
const connection = (settings: object): string => asText({ a: { baseUrl: "https://a.example", ...settings } });

test.each([
  ["apiKey", "hush-hush"],
  ["headers", asText({ Authorization: "Bearer hush-hush" })],
  ["headers", "{X-Token: hush-hush}"],
  ["connections", connection({ apiKey: "hush-hush" })],
  ["connections", connection({ headers: { "X-Session-Token": "hush-hush" } })],
  ["connections", connection({ headers: asText({ Cookie: "hush-hush" }) })],
])("the setting %s with a credential (%s) is refused unless the setting is a secret", (name, value) => {
  const key = `deployment-control:${name}`;
  const error = refusalOf({ [key]: value });
  expect(error?.message).toContain(`${key} holds a key but is not a secret: the state would hold it`);
  expect(error?.message).not.toContain("hush-hush");
  expect(refusalOf({ [key]: value }, [key])).toBeUndefined();
});

test.each([
  ["headers", asText({ "X-Tenant-Id": "open" })],
  ["connections", connection({ headers: { "X-Tenant-Id": "open" } })],
  ["connections", asText({ a: null })],
])("the setting %s without a credential (%s) is accepted even if it is not a secret", (name, value) => {
  expect(refusalOf({ [`deployment-control:${name}`]: value })).toBeUndefined();
});

test("an error that stops a program has no stack trace, because Node would take ten seconds to render it", () => {
  const error = refusalOf({ "deployment-control:apiKey": "hush-hush" });
  expect(pulumi.RunError.isInstance(error)).toBe(true);
  expect(error?.stack).toBe(error?.message);
});
