import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { UnfinishedError } from "../../../provider/failure";
import type { Properties } from "../../../provider/fields/value";
import type { Fault } from "../../../sdk/emulator";
import { entryFiles, journalFolder, until } from "../../support/interruptedRun";
import { chat, failureOf, type Provided, provided } from "../../support/providerRun";
import { createDeployment, updateDeployment } from "../../support/resourceCalls";

const changed = { ...chat, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };
const polls = (fault: object): Fault => ({ ...fault, times: 500, match: { method: "GET" } }) as Fault;

/** Faults after the service has received the request, other than a lost answer. */
const FAULTS: { readonly [what: string]: Fault } = {
  "nothing can be read any more": polls({ kind: "status", status: 500 }),
  "every answer is a page of a proxy": polls({ kind: "html" }),
  "the key is revoked": polls({ kind: "status", status: 401 }),
  "the connection breaks at every look": polls({ kind: "drop-before" }),
  "the revision fails": { kind: "revision", status: "DEPLOY_FAILED" },
};

function expectKept(error: UnfinishedError, { emulator }: Provided): void {
  expect(error).toBeInstanceOf(UnfinishedError);
  expect(error.id).toBe(emulator.deployments()[0]?.id);
  expect(error.words).not.toBe("");
  expect(JSON.parse(JSON.stringify(error.properties))).toEqual(error.properties);
  expect(error.properties).toMatchObject({ name: "chat", serviceUrl: emulator.url });
  expect(["unfinished", "failed"]).toContain(error.properties.rolloutState);
}

test.each(Object.keys(FAULTS))("after the POST, the deployment is kept if %s", async (what) => {
  const run = await provided({ revisionSeconds: 0.2 });
  await run.service.directory.named("chat");
  run.emulator.failNext(FAULTS[what] as Fault);
  expectKept(await failureOf<UnfinishedError>(createDeployment(run.session, chat)), run);
});

test.each(Object.keys(FAULTS))("after the PATCH, the deployment is kept if %s", async (what) => {
  const run = await provided();
  const { id, outputs } = await createDeployment(run.session, chat);
  run.emulator.failNext(FAULTS[what] as Fault);
  const error = await failureOf<UnfinishedError>(updateDeployment(run.session, id, outputs, changed));
  expectKept(error, run);
  expect(run.emulator.deployments()[0]?.revisions).toHaveLength(2);
});

const BROKEN: { readonly [what: string]: Fault } = {
  "cut JSON": { kind: "status-after", status: 200, body: '{"id": "3f', contentType: "application/json" },
  "no id": { kind: "status-after", status: 200, body: {} },
  "a page": { kind: "status-after", status: 200, body: "<html></html>", contentType: "text/html" },
  nothing: { kind: "status-after", status: 204 },
};

test.each(Object.keys(BROKEN))(
  "if the POST's answer is %s, the deployment is looked up and not lost",
  async (what) => {
    const { emulator, session } = await provided();
    emulator.failNext({ ...(BROKEN[what] as Fault), match: { method: "POST" } });
    const { id } = await createDeployment(session, chat);
    expect(emulator.deployments().map((each) => each.id)).toEqual([id]);
  },
);

test("a message that cannot be delivered fails neither a creation nor an update", async () => {
  const { session } = await provided({ revisionSeconds: 0.1 });
  const undelivered = () => Promise.reject(new Error("nobody listens"));
  Object.assign(session.reporter, { info: undelivered, warn: undelivered });
  const { id, outputs } = await createDeployment(session, chat);
  expect(outputs.rolloutState).toBe("deployed");
  expect(await updateDeployment(session, id, outputs, changed)).toMatchObject({ rolloutState: "deployed" });
});

test("if the journal breaks during a request, nothing is lost", async () => {
  const journal = journalFolder();
  const { emulator, session, warnings } = await provided({}, { journal });
  emulator.failNext({ kind: "delay", ms: 150, match: { method: "POST" } });
  const creating = createDeployment(session, chat);
  await until(() => emulator.requests.some(({ method }) => method === "POST"));
  const [file = ""] = entryFiles(journal);
  rmSync(path.dirname(file), { recursive: true });
  writeFileSync(path.dirname(file), "a file where the folder was");
  expect(await creating).toMatchObject({ id: emulator.deployments()[0]?.id });
  expect(warnings().length).toBeLessThanOrEqual(1);
});

test("a deployment whose answer has an unexpected shape is still kept with its id", async () => {
  const { emulator, session, service } = await provided();
  const odd: Properties = {
    id: "odd",
    name: 7,
    source_config: "text",
    secrets: { a: 1 },
    latest_revision_id: null,
  };
  jest.spyOn(service.endpoints, "createDeployment").mockResolvedValue(odd);
  const settled = await createDeployment(session, { ...chat, rollout: { wait: false } }).catch(
    (error: UnfinishedError) => error,
  );
  expect(settled.id).toBe("odd");
  expect(emulator.deployments()).toEqual([]);
});
