import { homedir } from "node:os";
import path from "node:path";
import { journalPlace } from "../../../provider/journal/place";

const placeFor = (setting: string | undefined, environment: NodeJS.ProcessEnv = {}) =>
  journalPlace((key) => (key === "journal" ? setting : `no ${key}`), environment);

test("if the setting is missing, the journal is inside Pulumi's folder", () => {
  expect(placeFor(undefined).folder).toBe(path.join(homedir(), ".pulumi", "deployment-control", "journal"));
  expect(placeFor(undefined, { PULUMI_HOME: "/p" }).folder).toBe(
    path.join("/p", "deployment-control", "journal"),
  );
  expect(placeFor(undefined, { PULUMI_HOME: "" }).folder).toContain(homedir());
});

test.each([
  ["/set", {}, path.resolve("/set")],
  [" /set ", {}, path.resolve("/set")],
  ["relative", {}, path.resolve("relative")],
  ["/set", { DEPLOYMENT_CONTROL_JOURNAL: "/env" }, path.resolve("/env")],
  ["/set", { DEPLOYMENT_CONTROL_JOURNAL: " " }, path.resolve("/set")],
  ["off", {}, undefined],
  [" off ", {}, undefined],
  ["off", { DEPLOYMENT_CONTROL_JOURNAL: "/env" }, path.resolve("/env")],
  ["/set", { DEPLOYMENT_CONTROL_JOURNAL: "off" }, undefined],
])("with the setting %j and the environment %j, the journal is in %s", (setting, environment, folder) => {
  expect(placeFor(setting, environment).folder).toBe(folder);
});

test.each([
  [undefined, ""],
  ["file:///state", "file:///state"],
  ["https://user:pass@host/path", "https://host/path"],
  ["s3://bucket?profile=secret\nmore", "s3://bucket"],
  ["https://host/a@b", "https://host/a@b"],
])("the backend %j is recorded without credentials, as %j", (address, backend) => {
  expect(placeFor(undefined, { PULUMI_BACKEND_URL: address }).backend).toBe(backend);
  expect(placeFor("off", { PULUMI_BACKEND_URL: address })).toEqual({
    folder: undefined,
    backend,
    isOnlyTrace: false,
  });
});

test.each([
  [{}, false],
  [{ PULUMI_EXPERIMENTAL: "true" }, false],
  [{ PULUMI_SKIP_CHECKPOINTS: "0" }, false],
  [{ PULUMI_SKIP_CHECKPOINTS: "1" }, true],
  [{ PULUMI_SKIP_CHECKPOINTS: "True", PULUMI_EXPERIMENTAL: "1" }, true],
])(
  "with the environment %j, the journal is the only record of a run's work: %s",
  (environment, isOnlyTrace) => {
    expect(placeFor(undefined, environment).isOnlyTrace).toBe(isOnlyTrace);
  },
);
