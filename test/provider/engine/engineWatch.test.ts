import { EngineGoneError, EngineWatch } from "../../../provider/engine/engineWatch";
import { Engine } from "../../support/engineStandIn";

const engines: Engine[] = [];
const watches: EngineWatch[] = [];
afterEach(() => {
  for (const watch of watches.splice(0)) watch.close();
  for (const engine of engines.splice(0)) engine.end();
});

async function watched() {
  const engine = new Engine();
  engines.push(engine);
  let gone: () => void = () => undefined;
  const isGone = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const watch = new EngineWatch(await engine.start(), gone);
  watches.push(watch);
  return { engine, watch, isGone };
}

test("the engine's end is noticed even between requests, and no later request is sent", async () => {
  const { engine, watch, isGone } = await watched();
  await watch.gate("POST");
  engine.end();
  await isGone;
  for (const method of ["GET", "POST"])
    await expect(watch.gate(method)).rejects.toBeInstanceOf(EngineGoneError);
});

test("a write immediately after the engine's end is not sent", async () => {
  const { engine, watch } = await watched();
  await watch.gate("POST");
  engine.end();
  await expect(watch.gate("POST")).rejects.toBeInstanceOf(EngineGoneError);
});

test("an engine that closes a connection but keeps running does not count as gone", async () => {
  const { engine, watch } = await watched();
  await watch.gate("POST");
  engine.cut();
  await watch.gate("POST");
  await watch.gate("GET");
});

test("an engine that ended before the first request counts as gone", async () => {
  const { engine, watch } = await watched();
  engine.end();
  await expect(watch.gate("PATCH")).rejects.toBeInstanceOf(EngineGoneError);
});
