// `npx --no-install node tools/states/record.mjs CHECKOUT [NAME ...]` records in test/states/firstUp the files that one
// version leaves with its users. CHECKOUT is a built checkout of that version (`git worktree add`, then `npm start` or
// `npm run build`); NAME is a recording such as `killed.plugin`; without a NAME, all recordings are made. For each
// situation and form, the script brings a real stack into the situation, and saves the state, the journal and the
// service's data. Then it runs the first `up` of the same version on these files three times, and saves the requests
// and outputs of that `up`: test/engine/firstUp.test.ts expects the same of every later version. The script prints the
// messages of that `up`. Add recordings of new versions; do not record an old version again with other code, because
// users have the old files.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fail, root, say } from "../steps.mjs";
import { pulumiEnvironment } from "../toolchain/environment.mjs";
import { situations } from "./situations.mjs";

const { RecordedStack, PLACES, RECORDED_AT, firstUp, hashOf, serviceFile, shifted } = createRequire(
  import.meta.url,
)("../../test/states/firstUp/stack.js");

/** A proxy that holds back the requests, or the answers, of the deployments in `held`. */
async function gateBefore(service, nameOf) {
  const held = {};
  const reached = new Set();
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = Buffer.concat(await request.toArray());
    const name = method === "GET" ? undefined : nameOf(url, body);
    if (held[name] === "request") return reached.add(name);
    const { "content-length": _length, connection: _connection, host: _host, ...forwarded } = headers;
    const onward = { method, headers: forwarded, ...(body.length > 0 && { body }) };
    const answer = await fetch(service + url, onward).catch(() => undefined);
    // The service broke the connection, as the situation demands.
    if (answer === undefined) return request.socket.destroy();
    const content = Buffer.from(await answer.arrayBuffer());
    if (held[name] === "answer") return reached.add(name);
    const {
      "transfer-encoding": _coding,
      connection: _hop,
      ...answerHeaders
    } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, answerHeaders).end(content);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, held, reached, close };
}

/** Causes each trouble in a separate `up`; returns the program after all changes. */
async function intoTrouble(stack, emulator, { first, troubles }) {
  let program = first;
  const usual = structuredClone(emulator.behaviour);
  for (const [name, { happens, change, isNew, pushed, succeeds = false }] of Object.entries(troubles)) {
    program = [...program, ...(isNew ? [isNew] : [])].map((each) =>
      each.name === name ? { ...each, args: { ...each.args, ...change } } : each,
    );
    happens?.(emulator);
    const { code, messages } = await stack.up(program, "--target", stack.urn("Deployment", name));
    if ((code === 0) !== succeeds) throw new Error(`${name} ended with ${code}:\n${messages.join("\n")}`);
    if (pushed) emulator.push(emulator.deployments().find((each) => each.name === name).id);
    Object.assign(emulator.behaviour, usual);
  }
  return program;
}

/**
 * Kills the engine and its children as soon as the gate holds back all operations in `held` and the journal has the
 * answers of all operations in `noted`.
 */
async function killed(stack, emulator, gate, { second, held, noted }) {
  emulator.behaviour.revisionSeconds = 600;
  Object.assign(gate.held, held);
  const { child, ended } = stack.start(second, "up", "--yes", "--skip-preview", "--parallel", "16");
  const isNoted = (name) =>
    entriesOf(stack).some((text) => JSON.parse(headOf(text)).name === name && text !== headOf(text));
  const isThere = () => gate.reached.size === Object.keys(held).length && noted.every(isNoted);
  let hasEnded = false;
  ended.then(() => {
    hasEnded = true;
  });
  while (!isThere() && !hasEnded) await pause(20);
  if (hasEnded) throw new Error(`it ended before its time:\n${JSON.stringify(await ended)}`);
  for (const pid of [child.pid, ...descendantsOf(child.pid)]) process.kill(pid, "SIGKILL");
  await ended;
  await stack.must("cancel", "--yes");
  return second;
}

function descendantsOf(pid) {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const processes = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent) =>
    processes.flatMap(([child, its]) => (its === parent ? [child, ...below(child)] : []));
  return below(pid);
}

const headOf = (text) => text.slice(0, text.indexOf("\n}\n") + 3);
const filesIn = (folder) =>
  fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : [];
const entriesOf = (stack) =>
  filesIn(path.join(stack.journal, "recorded", "test")).map((file) => fs.readFileSync(file, "utf8"));

/** The state and the files that the user now has. */
async function takenFrom(stack, data, recordedAt) {
  const state = JSON.parse(await stack.must("stack", "export"));
  const service = JSON.parse(fs.readFileSync(data, "utf8"));
  const ids = new Map(service.deployments.map(({ id }) => [hashOf(stack.places.service, id), id]));
  const linesIn = (kind) =>
    filesIn(path.join(stack.journal, kind)).flatMap((file) =>
      fs.readFileSync(file, "utf8").trim().split("\n"),
    );
  const idsIn = (kind) => [...new Set(linesIn(kind))].flatMap((line) => ids.get(line) ?? []);
  const entries = entriesOf(stack).sort();
  const recording = {
    state: withoutTraces(state),
    journal: { entries, closed: idsIn("closed"), saved: idsIn("saved") },
    service,
  };
  const { service: url, backend } = stack.places;
  const text = JSON.stringify(recording).replaceAll(url, PLACES.service).replaceAll(backend, PLACES.backend);
  return JSON.parse(shifted(text, RECORDED_AT - recordedAt));
}

/** The state without paths of this machine. */
function withoutTraces(state) {
  const omittedMembers = ["sourcePosition", "stackTrace", "created", "modified"];
  return JSON.parse(
    JSON.stringify(state, (name, value) => (omittedMembers.includes(name) ? undefined : value)),
  );
}

/** The embedded service of the checkout's version. */
function emulatorOf(checkout, options) {
  const module = path.join(checkout, "dist", "sdk", "emulator", "index.js");
  return createRequire(import.meta.url)(module).startEmulator({ revisionSeconds: 0, ...options });
}

async function record(checkout, name, form) {
  const situation = situations[name];
  const folder = fs.mkdtempSync(path.join(root, ".cache", "states-"));
  const dataFile = path.join(folder, "data.json");
  const emulator = await emulatorOf(checkout, { data: dataFile, ...situation.options });
  const idsOf = (url) => emulator.deployments().find(({ id }) => url.includes(id))?.name;
  const gate = await gateBefore(emulator.url, (url, body) => idsOf(url) ?? JSON.parse(body).name);
  const stack = new RecordedStack({ checkout, form, url: gate.url, environment: situation.environment });
  try {
    await stack.init();
    await situation.before?.(emulator, (method, place, body) =>
      fetch(emulator.url + place, {
        method,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    const { code, messages } = await stack.up(situation.first);
    if (code !== 0) throw new Error(`the first up ended with ${code}:\n${messages.join("\n")}`);
    const program = situation.troubles
      ? await intoTrouble(stack, emulator, situation)
      : await killed(stack, emulator, gate, situation);
    const { environment = {} } = situation;
    const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: checkout,
      encoding: "utf8",
    }).trim();
    return { commit, form, environment, program, ...(await takenFrom(stack, dataFile, Date.now())) };
  } finally {
    stack.close();
    gate.close();
    await emulator.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** Runs the first `up` of the checkout's version on the recording. */
async function replay(checkout, recording) {
  const folder = fs.mkdtempSync(path.join(root, ".cache", "states-"));
  const dataFile = serviceFile(folder, recording);
  const emulator = await emulatorOf(checkout, { data: dataFile, profile: recording.service.profile });
  const { form, environment } = recording;
  const stack = new RecordedStack({ checkout, form, url: emulator.url, environment });
  try {
    return await firstUp(stack, emulator, recording);
  } finally {
    stack.close();
    await emulator.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** Number of replays: more than one, because the number of resources that share a read depends on timing. */
const REPLAYS = 3;

/** The replay with the most reads. The replays must be the same in everything but the reads. */
function most(replays) {
  const [first, ...others] = replays.map(({ did }) => JSON.stringify({ ...did, reads: undefined }));
  if (others.some((each) => each !== first))
    throw new Error(`replays differ:\n${[first, ...others].join("\n")}`);
  const readsOf = ({ did }) => Object.values(did.reads).reduce((sum, each) => sum + each, 0);
  return replays.reduce((one, other) => (readsOf(other) > readsOf(one) ? other : one));
}

/** JSON with one line for each resource, entry, deployment and request. */
function textOf(value, depth = 0) {
  const isList = Array.isArray(value);
  const isFlat = typeof value !== "object" || value === null || (depth > 2 && !isList);
  if (isFlat || Object.keys(value).length === 0) return JSON.stringify(value);
  const members = isList
    ? value.map((each) => JSON.stringify(each))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${textOf(each, depth + 1)}`);
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${members.join(",\n")}\n${close}${depth === 0 ? "\n" : ""}`;
}

const { positionals } = parseArgs({ allowPositionals: true });
const [place = root, ...chosen] = positionals;
try {
  const checkout = path.resolve(place);
  Object.assign(process.env, pulumiEnvironment(path.join(root, ".cache", "states-home")));
  for (const situation of Object.keys(situations))
    for (const form of ["dynamic", "plugin"]) {
      const name = `${situation}.${form}`;
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      say(`recording ${name}`);
      const recording = await record(checkout, situation, form);
      const replays = [];
      for (let count = 0; count < REPLAYS; count += 1) replays.push(await replay(checkout, recording));
      const { did, messages } = most(replays);
      const file = path.join(root, "test", "states", "firstUp", `${name}.json`);
      fs.writeFileSync(file, textOf({ ...recording, expected: did }));
      process.stdout.write(`${name}\n${messages.join("\n")}\n\n`);
    }
} catch (error) {
  fail(error);
}
