import { isEnginesProvider } from "../../../provider/schema/naming";

test.each([
  ["default", undefined, true],
  ["default_1_2_3_alpha_1_abc", "1.2.3-alpha.1+abc", true],
  ["default_1_2_3_https_/plugins.example.com", "1.2.3", true],
  ["default", "1.2.3", false],
])("the engine itself created the provider named %s of version %s: %s", (name, version, isEngines) => {
  expect(isEnginesProvider(name, version)).toBe(isEngines);
});
