import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { refuseBadConfiguration } from "../../sdk/configuration";

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
  ["deploymentControl:baseURL", "did you mean baseUrl?"],
  ["deploymentControl:connexions", "did you mean connections?"],
  ["deploymentControl:timeout", "allowed: baseUrl, apiKey, authHeader, "],
])("the key %s is refused, without its value", (key, words) => {
  const error = refusalOf({ [key]: "hush-hush" });
  expect(error?.message).toContain(`configuration ${key}: is not a setting; ${words}`);
  expect(error?.message).not.toContain("hush-hush");
});

test("keys of others, and every setting, are no concern", () => {
  const settings = {
    "app:baseURL": "x",
    "deploymentControl:baseUrl": "https://a.example",
    "aws:region": "x",
  };
  expect(refusalOf(settings)).toBeUndefined();
});

test("whatever stops a program has no stack to render: on the SDK's frames that takes Node ten seconds", () => {
  const error = refusalOf({ "deploymentControl:apiKey": "hush-hush" });
  expect(pulumi.RunError.isInstance(error)).toBe(true);
  expect(error?.stack).toBe(error?.message);
  const folder = path.join(__dirname, "../../sdk");
  const others = readdirSync(folder).filter((file) => file.endsWith(".ts") && file !== "refusal.ts");
  const makers = others.filter((file) =>
    /new (pulumi\.)?RunError/.test(readFileSync(path.join(folder, file), "utf8")),
  );
  expect(makers).toEqual([]);
});
