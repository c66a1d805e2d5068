import { Names, namesOf } from "../../../../sdk/adopt/write/names";

const live = (id: string, name: string) => ({ id, values: { name, computeId: name }, wire: {} });
const ID = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;

test("a resource's name has only letters, digits and hyphens, and is never empty, whatever the name on the service is", () => {
  const names = new Names();
  const nameFor = (text: string) => names.give(ID("a"), text).resource;
  expect(nameFor("Support Agent (EU)")).toBe("Support-Agent-EU");
  expect(nameFor("Café d'été")).toBe("Cafe-d-ete");
  expect(nameFor("*/ }`$" + "{x}\n")).toBe("x");
  expect(nameFor("客服")).toBe("unnamed-aaaaaaaa");
  expect(nameFor("x".repeat(300))).toBe("x".repeat(60));
  // Pulumi's YAML reserves the name `pulumi`.
  expect(nameFor("pulumi")).toBe("pulumi-aaaaaaaa");
});

test("if two names would become the same variable, the second name ends with the start of the resource's id, or with the whole id if needed", () => {
  const names = new Names();
  expect(names.give(ID("a"), "chat eu").resource).toBe("chat-eu");
  expect(names.give(ID("b"), "chatEU").resource).toBe("chatEU-bbbbbbbb");
  expect(names.give(ID("b"), "chat-eu").resource).toBe(`chat-eu-${ID("b")}`);
});

test("a name goes to the deployment that has the name in Terraform, otherwise to the oldest deployment, and only then to a listener", () => {
  const [old, young] = [live(ID("1"), "chat"), live(ID("2"), "chat")];
  const resources = (namesByTerraform = new Map<string, { name: string }>()) =>
    [...namesOf([old, young], [live(ID("3"), "chat"), live(ID("4"), "prod")], namesByTerraform)].map(
      ([id, { resource }]) => [id[0], resource],
    );
  expect(Object.fromEntries(resources())).toEqual({
    1: "chat",
    2: "chat-22222222",
    3: "chat-listener",
    4: "prod",
  });
  expect(Object.fromEntries(resources(new Map([[young.id, { name: "chat" }]])))).toMatchObject({
    1: "chat-11111111",
    2: "chat",
  });
});
