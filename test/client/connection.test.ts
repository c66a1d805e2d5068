import fs from "node:fs";
import path from "node:path";
import { ConfigurationError, ControlClient } from "../../provider/client";

test.each([
  [{}, "baseUrl is not set: there is no default service. To set it, give it as an option"],
  [
    { baseUrl: "http://host.example", apiKey: "sk-very-secret" },
    "baseUrl: http://host.example is plain http",
  ],
  [{ baseUrl: "https://host.example", maxRetry: 1 }, "maxRetry: is not a setting"],
  [{ baseUrl: "https://host.example", profile: "other" }, 'profile: got "other"'],
  [{ baseUrl: "https://host.example", maxConcurrency: 0 }, "maxConcurrency: got 0"],
])("the settings %j are refused as the provider's configuration refuses them", (settings, words) => {
  expect(() => new ControlClient(settings as never)).toThrow(ConfigurationError);
  expect(() => new ControlClient(settings as never)).toThrow(words);
});

test("the client loads no code of Pulumi", () => {
  const seen = new Set<string>();
  const foreign = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name = ""] of fs
      .readFileSync(file, "utf8")
      .matchAll(/(?<![#.\w])(?:from |import\(|require\()\s*"([^"]+)"/g)) {
      if (!name.startsWith(".")) foreign.add(name.replace(/\/.*/, ""));
      else {
        const to = path.resolve(path.dirname(file), name);
        visit(fs.existsSync(`${to}.ts`) ? `${to}.ts` : path.join(to, "index.ts"));
      }
    }
  };
  visit(path.resolve(__dirname, "../../provider/client/index.ts"));
  expect(seen.size).toBeGreaterThan(15);
  expect([...foreign].sort()).toEqual(["undici", "zod"]);
});
