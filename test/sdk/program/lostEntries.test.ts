import { Deployment, Listener } from "../../../sdk/index";

test("a name that Pulumi's SDK would drop is refused with its place", () => {
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
