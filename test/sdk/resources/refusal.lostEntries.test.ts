import { Deployment, Listener } from "../../../sdk/index";

test("a program is refused if an entry's name would make Pulumi's SDK drop the entry, and the error gives the entry's path", () => {
  const secrets = JSON.parse('{"__proto__":"s-1"}') as { [name: string]: string };
  const k8sNamespaces = [JSON.parse('{"__proto__":1}') as never];
  const words = "the name __proto__ is JavaScript's own";
  expect(() => new Deployment("chat", { name: "chat", source: "external_docker", secrets })).toThrow(
    `Deployment "chat": secrets.__proto__: ${words}`,
  );
  expect(
    () => new Listener("one", { computeType: "k8s", computeId: "one", computeConfig: { k8sNamespaces } }),
  ).toThrow(`Listener "one": computeConfig.k8sNamespaces.0.__proto__: ${words}`);
});

test.each([
  ["secrets: got a Map", { secrets: new Map([["A", "s-1"]]) }],
  [
    "sourceConfig.resourceSpec.labels: got a Set",
    { sourceConfig: { resourceSpec: { labels: new Set(["a"]) } } },
  ],
  [
    "sourceConfig.resourceSpec.labels.a: got a function",
    { sourceConfig: { resourceSpec: { labels: { a: () => "b" } } } },
  ],
])("a value that Pulumi's SDK would drop is refused, and the error gives its path: %s", (words, args) => {
  const declare = () =>
    new Deployment("chat", { name: "chat", source: "external_docker", ...(args as object) });
  expect(declare).toThrow(`Deployment "chat": ${words}, which Pulumi drops`);
});
