import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs } from "../../sdk";
import { exported } from "../support/engine/errorText";
import { closeAll, type Run, service, stackOn, type TestStack } from "../support/engine/stack";
import { tellFigures } from "../support/faults/size";

afterEach(() => closeAll());

/** Each encoding makes another text of it. */
const CANARY = `cAnary/"7&<é' of +ours`;

const ENCODINGS: { readonly [name: string]: (text: string) => string } = {
  plain: (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  address: encodeURIComponent,
  base64: (text) => Buffer.from(text).toString("base64"),
  HTML: (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
};
const echo = (text: string): string =>
  Object.values(ENCODINGS)
    .map((encode) => encode(text))
    .join(" | ");

const chat =
  (args: Partial<DeploymentArgs>): (() => object) =>
  () => {
    const deployment = new Deployment("chat", {
      name: "chat",
      source: "external_docker",
      sourceRevisionConfig: { imageUri: "i:1" },
      ...args,
    });
    return { everything: pulumi.output(deployment) };
  };

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

const textOf = (files: readonly string[]): string =>
  files.map((file) => readFileSync(file, "utf8")).join("\n");

/** What `pulumi` writes for a machine to read. */
function said(stack: TestStack, ...args: string[]): string {
  const options = {
    cwd: stack.folder,
    env: { ...process.env, ...stack.environment },
    encoding: "utf8" as const,
  };
  return execFileSync("pulumi", [...args, "--stack", "test"], options);
}

/** The events that a person or a report reads: the SDK's own debug messages hold what the program itself gets. */
const eventsOf = (run: Run): string => {
  const isDebug = (severity: string | undefined): boolean => severity === "debug";
  return JSON.stringify(run.events.filter(({ diagnosticEvent }) => !isDebug(diagnosticEvent?.severity)));
};

/** Every place in which a value could come to stand: creations, a plan, a refused update, a failed one, a refresh, a get. */
async function surfaces(args: Partial<DeploymentArgs>, changed: Partial<DeploymentArgs>) {
  const emulator = await service({ secretsInResponses: "echoed" });
  const stack = await stackOn(emulator);
  const detail = `refused: ${echo(CANARY)}`;
  const up = await stack.up(chat(args));
  const plan = await stack.preview(chat(changed), { diff: true });
  emulator.failNext({ kind: "status", status: 422, match: { method: "PATCH" }, body: { detail } });
  const refused = await stack.up(chat(changed));
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const failed = await stack.up(chat(changed));
  emulator.failNext({ kind: "status", status: 403, match: { method: "GET" }, body: { detail } });
  const unread = await stack.refresh();
  const refresh = await stack.refresh();
  const id = emulator.deployments()[0]?.id as string;
  // What this program alone calls a secret is none for others who read it.
  if (changed.secrets !== undefined)
    emulator.change(id, { source_config: { install_command: "pip install" } });
  const { sourceConfig: _own, ...others } = changed;
  const other = await stackOn(emulator, { name: "other" });
  const got = await other.up(() => ({ got: pulumi.output(Deployment.get("got", id)) }));
  const adopted = await other.up(
    chat({ ...(changed.secrets === undefined ? changed : others), adopt: true }),
  );
  const backend = filesIn(path.join(stack.folder, "state"));
  const of = (part: string) => textOf(backend.filter((file) => file.includes(part)));
  const runs = [up, plan, refused, failed, unread, refresh, got, adopted];
  return {
    state: of("/stacks/"),
    history: of("/history/"),
    backups: of("/backups/"),
    journal: textOf(filesIn(stack.folder).filter((file) => file.includes("journal"))),
    export: exported(stack),
    "stack outputs": said(stack, "stack", "output", "--json"),
    "text of the plan": plan.text,
    "events of the plan": eventsOf(plan),
    "text of applies": up.text + refused.text + failed.text,
    "events of applies": [up, refused, failed].map(eventsOf).join("\n"),
    errors: runs.map(({ error }) => error ?? "").join("\n"),
    "text and events of refreshes": [unread, refresh].map((run) => run.text + eventsOf(run)).join("\n"),
    "what get reads": got.text + eventsOf(got) + other.filesOfState(),
    "what an adoption records": adopted.text + eventsOf(adopted) + other.filesOfState(),
  };
}

function hitsIn(places: { readonly [place: string]: string }): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    Object.entries(ENCODINGS)
      .filter(([, encode]) =>
        [encode(CANARY), JSON.stringify(encode(CANARY)).slice(1, -1)].some((each) => text.includes(each)),
      )
      .map(([encoding]) => `${place}: ${encoding}`),
  );
}

test("a secret appears nowhere, in any encoding in which the service echoes it", async () => {
  const places = await surfaces(
    { secrets: { OTHER: "another-secret" } },
    {
      secrets: { OTHER: "another-secret", CANARY },
      sourceConfig: { installCommand: pulumi.secret(`run ${CANARY}`) },
    },
  );
  const hits = hitsIn(places);
  const [count, encodings] = [Object.keys(places).length, Object.keys(ENCODINGS).length];
  tellFigures(`canaries: ${count} surfaces x ${encodings} encodings: ${hits.length} hits`);
  expect(count).toBe(14);
  expect(hits).toEqual([]);
  expect(places["text of applies"]).toContain("[secret] | [secret] | [secret]");
});

test("the suite sees a value that nobody has called a secret", async () => {
  const places = await surfaces(
    { sourceConfig: { installCommand: CANARY } },
    {
      sourceConfig: { installCommand: CANARY, buildCommand: CANARY },
      sourceRevisionConfig: { imageUri: "i:2" },
    },
  );
  const seen = new Set(hitsIn(places).map((hit) => hit.replace(/:.*/, "")));
  // The journal holds only those parts of the arguments that a look-up needs.
  expect(Object.keys(places).filter((place) => !seen.has(place))).toEqual(["journal"]);
});
