import { Deployment } from "../../sdk/index";
import { chat, declares, lines, sent } from "./programs";
import { closeAll, service, stackOn } from "./stack";

afterEach(() => closeAll());

test("two deployments of one stack live on two services, each with its own key; moving one is a replacement", async () => {
  const [near, far] = [
    await service({ apiKey: "key-of-near-service" }),
    await service({ apiKey: "key-of-far-service" }),
  ];
  const stack = await stackOn(near, {
    environment: {
      DEPLOYMENT_CONTROL_API_KEY: "key-of-near-service",
      DEPLOYMENT_CONTROL_CONNECTIONS: JSON.stringify({
        far: { baseUrl: far.url, apiKey: "key-of-far-service" },
      }),
    },
  });
  const both = (connection?: string) => () => {
    new Deployment("near", chat({ name: "near" }));
    return { id: new Deployment("moving", chat({ name: "moving", connection })).id };
  };
  const first = await stack.up(both("far"));
  expect(first.error).toBeUndefined();
  expect(near.deployments().map(({ name }) => name)).toEqual(["near"]);
  expect(far.deployments().map(({ name }) => name)).toEqual(["moving"]);

  const asked = far.requests.length;
  const moved = await stack.up(both());
  expect(moved.error).toBeUndefined();
  expect(lines(moved)[0]).toBe(
    `deployment "moving": is replaced (connection far -> (not set)); the old one stays, id ${first.outputs.id}`,
  );
  expect(
    near
      .deployments()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["moving", "near"]);
  expect(far.deployments()).toHaveLength(1);
  expect(far.requests.length).toBe(asked);
  expect((await stack.refresh()).text).toContain("3 unchanged");
});

test("a refresh asks the service of the connection, and no other", async () => {
  const [near, far] = [await service(), await service()];
  const connections = JSON.stringify({ far: { baseUrl: far.url } });
  const stack = await stackOn(near, { environment: { DEPLOYMENT_CONTROL_CONNECTIONS: connections } });
  await stack.up(declares({ connection: "far" }));
  const refresh = await stack.refresh();
  expect(refresh.text).toContain("2 unchanged");
  expect(sent(refresh)).toEqual([]);
  expect(far.requests.at(-1)?.method).toBe("GET");
});
