import { applicable } from "../../../provider/deployment/sourceRules";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";

const langsmith = PROFILES.langsmith as Profile;

test("an import leaves out arguments that only other sources take, although the service shows them", () => {
  const args = {
    source: "repohost",
    sourceConfig: { repoUrl: "https://repohost.example/a", resourceSpec: { minScale: 1 }, listenerId: null },
  };
  const { source, sourceConfig } = applicable(args, langsmith);
  expect({ source, sourceConfig }).toEqual({
    source: "repohost",
    sourceConfig: { repoUrl: "https://repohost.example/a", listenerId: null },
  });
  expect(applicable({ ...args, source: "external_docker" }, langsmith)).toMatchObject({
    sourceConfig: { resourceSpec: { minScale: 1 } },
  });
});
