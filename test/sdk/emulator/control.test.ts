import { randomUUID } from "node:crypto";
import { startEmulator } from "../../../sdk/emulator";
import { created, started } from "../../support/embeddedService";

test.each(["0.0.0.0", "::"])(
  "a service without a key does not listen on all addresses (%s)",
  async (host) => {
    await expect(startEmulator({ host })).rejects.toThrow("option host: listening on all addresses needs");
    const emulator = await startEmulator({ host, apiKey: "key" });
    await emulator.close();
  },
);

test("an operation that cannot be done is refused, and the error says why", async () => {
  const emulator = await started();
  const { id } = await created(emulator);
  expect(() => emulator.failNext({ kind: "explode" } as never)).toThrow('unknown kind of fault "explode"');
  expect(() => emulator.failNext({ kind: "status", status: "x" } as never)).toThrow("needs a status");
  expect(() => emulator.change(id, { image_verson: "9" })).toThrow("no such field: image_verson");
  expect(() => emulator.push(randomUUID())).toThrow("not found");
  await expect(startEmulator({ pageCap: 0, apiKey: 7 } as never)).rejects.toThrow(
    "option apiKey: got a number (secret, so not shown); allowed: a string that is not empty; option pageCap: got 0 (a number); allowed: an integer of at least 1",
  );
});
