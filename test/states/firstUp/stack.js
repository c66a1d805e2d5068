// A stack in a separate folder, into which recordings are loaded. The Pulumi CLI runs it with the package of a
// checkout. The recorder uses the code of the recorded version and the test uses the current code, so both do the same.
const { spawn } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const STACK = "test";
const PROJECT = "recorded";
/** Placeholders in a recording for values that differ on every machine. */
const PLACES = { service: "http://address-of-the-service.invalid", backend: "file:///folder-of-the-backend" };
/** The nominal time of every recording, and its apparent age: no request from that time can still arrive. */
const RECORDED_AT = Date.parse("2026-01-02T03:00:00.000Z");
const AGO_MS = 2 * 3_600_000;

const program = `
const { Deployment, Listener, Rollout, TokenMetadata } = process.env.FORM === "plugin"
  ? new Proxy({}, { get: (_, name) => require("../../../test/support/engine/generatedClass").generatedClass(name) })
  : require("pulumi-deployment-control");
const classes = { Deployment, Listener, Rollout, TokenMetadata };
const made = {};
for (const { type, name, args } of JSON.parse(process.env.PROGRAM)) {
  const members = (args.deployments ?? []).map((each) => [each, made[each]]);
  const asMap = members.map(([each, { id, revisionKey }]) => [each, { id, revisionKey }]);
  const deployments = process.env.FORM === "plugin" ? Object.fromEntries(asMap) : members.map(([, each]) => each);
  made[name] = new classes[type](name, type === "Rollout" ? { ...args, deployments } : args);
}
`;

class RecordedStack {
  constructor({ checkout, form, url, environment = {} }) {
    const work = path.join(checkout, ".cache", "states");
    fs.mkdirSync(work, { recursive: true });
    this.folder = fs.mkdtempSync(path.join(work, "stack-"));
    this.journal = path.join(this.folder, "journal");
    this.form = form;
    this.places = { service: url, backend: `file://${path.join(this.folder, "state")}` };
    fs.mkdirSync(path.join(this.folder, "state"));
    fs.writeFileSync(path.join(this.folder, "index.js"), program);
    fs.writeFileSync(path.join(this.folder, "package.json"), JSON.stringify({ main: "index.js" }));
    const plugins = {
      providers: [{ name: "deployment-control", path: path.join(checkout, "node_modules", ".bin") }],
    };
    const runtime = { name: "nodejs", options: { typescript: false } };
    fs.writeFileSync(
      path.join(this.folder, "Pulumi.yaml"),
      JSON.stringify({ name: PROJECT, runtime, plugins }),
    );
    this.environment = {
      ...process.env,
      PULUMI_HOME: path.join(this.folder, "home"),
      PULUMI_BACKEND_URL: this.places.backend,
      PULUMI_CONFIG_PASSPHRASE: "test",
      FORM: form,
      DEPLOYMENT_CONTROL_BASE_URL: url,
      DEPLOYMENT_CONTROL_API_KEY: "key-of-the-test",
      DEPLOYMENT_CONTROL_JOURNAL: this.journal,
      DEPLOYMENT_CONTROL_MAX_RETRIES: "0",
      ...environment,
    };
  }

  /** Starts a command; returns its process and its result. */
  start(program, ...args) {
    const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
      cwd: this.folder,
      env: { ...this.environment, PROGRAM: JSON.stringify(program) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed = { out: "", errors: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      printed.out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      printed.errors += text;
    });
    const ended = new Promise((resolve, reject) => {
      child.on("error", reject);
      // Waits for the end of the process, not of its output, which orphans keep open.
      child.on("exit", (code) => setTimeout(() => resolve({ code, ...printed }), 50));
    });
    return { child, ended };
  }

  async must(...args) {
    const { code, out, errors } = await this.start([], ...args).ended;
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${out}${errors}`);
    return out;
  }

  init() {
    return this.must("stack", "init", STACK);
  }

  /** One `up`: its exit code, the step of each resource that has one, and the messages about them. */
  async up(program, ...args) {
    const { code, out, errors } = await this.start(
      program,
      "up",
      "--yes",
      "--skip-preview",
      "--json",
      ...args,
    ).ended;
    const events = out.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    const steps = events.flatMap(({ resourcePreEvent }) => {
      const { op, urn = "", type = "" } = resourcePreEvent?.metadata ?? {};
      const isOurs = type.includes("deployment-control:") && !type.startsWith("pulumi:");
      return isOurs && op !== "same" ? [[urn.split("::").at(-1), op]] : [];
    });
    const messages = events.flatMap(({ diagnosticEvent }) =>
      diagnosticEvent === undefined || diagnosticEvent.severity === "debug"
        ? []
        : [`${diagnosticEvent.severity}: ${diagnosticEvent.message.trim()}`],
    );
    return {
      code,
      steps: Object.fromEntries(steps.sort()),
      messages: [...messages, errors.trim()].filter(Boolean),
    };
  }

  urn(type, name) {
    const module =
      this.form === "plugin" ? "deployment-control:index" : "pulumi-nodejs:dynamic/deployment-control";
    return `urn:pulumi:${STACK}::${PROJECT}::${module}:${type}::${name}`;
  }

  /** Replaces the stack's state and journal by the recorded ones. */
  async load({ state, journal }) {
    const file = path.join(this.folder, "imported.json");
    fs.writeFileSync(file, this.#here(JSON.stringify(state)));
    await this.must("stack", "import", "--file", file);
    const { service, backend } = this.places;
    for (const text of journal.entries.map((each) => this.#here(each))) {
      const { urn, kind } = JSON.parse(text.slice(0, text.indexOf("\n}\n") + 3));
      const subject = kind === "update" ? ["update"] : [];
      this.#write(
        path.join(PROJECT, STACK, `${hashOf(inDynamicForm(urn), service, backend, ...subject)}.json`),
        text,
      );
    }
    for (const kind of ["closed", "saved"])
      for (const id of journal[kind]) this.#write(path.join(kind, id), `${hashOf(service, id)}\n`);
  }

  #here(text) {
    return arrived(text)
      .replaceAll(PLACES.service, this.places.service)
      .replaceAll(PLACES.backend, this.places.backend);
  }

  #write(place, text) {
    const file = path.join(this.journal, place);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }

  /** Ids in the state, by the name of the resource. */
  ids() {
    const file = path.join(this.folder, "state", ".pulumi", "stacks", PROJECT, `${STACK}.json`);
    const { resources = [] } = JSON.parse(fs.readFileSync(file, "utf8")).checkpoint.latest;
    const isOurs = ({ type, id }) => type.includes("deployment-control:") && id !== undefined;
    const ids = resources.filter(isOurs).map(({ urn, id }) => [urn.split("::").at(-1), id]);
    return Object.fromEntries(ids.sort());
  }

  close() {
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Writes the recorded content of a service to a file. */
function serviceFile(folder, { service }) {
  const file = path.join(folder, "service.json");
  fs.writeFileSync(file, arrived(JSON.stringify(service)));
  return file;
}

/** Runs the first `up` on a recording and a second one after it; returns their steps, messages and requests. */
async function firstUp(stack, emulator, recording) {
  await stack.init();
  await stack.load(recording);
  const before = emulator.deployments();
  const first = await stack.up(recording.program, "--parallel", "16");
  const requests = requestsTo(emulator, before);
  const ids = stack.ids();
  emulator.requests.length = 0;
  const second = await stack.up(recording.program, "--parallel", "16");
  const deployments = emulator.deployments().map(({ id, name, revisions }) => ({
    name,
    inState: Object.entries(ids).flatMap(([resource, each]) => (each === id ? [resource] : [])),
    revisions: revisions.map(
      ({ status, source_revision_config: { image_uri: image, repo_ref: ref } }) =>
        `${status} ${image ?? ref}`,
    ),
  }));
  return {
    messages: [...first.messages, ...second.messages],
    did: {
      code: first.code,
      steps: first.steps,
      ...requests,
      deployments: deployments.sort(byText),
      second: { code: second.code, steps: second.steps, requests: emulator.requests.length },
    },
  };
}

/** Writes with their bodies, and the number of reads of each path; names replace ids, and the order is alphabetical. */
function requestsTo(emulator, before) {
  const names = new Map([...before, ...emulator.deployments()].map(({ id, name }) => [id, name]));
  const named = (place) => place.replace(/[0-9a-f-]{36}/g, (id) => names.get(id) ?? "ID");
  const writes = [];
  const reads = {};
  for (const { method, path: place, body } of emulator.requests) {
    if (method !== "GET") writes.push({ request: `${method} ${named(place)}`, body: sorted(body) });
    else reads[named(place)] = (reads[named(place)] ?? 0) + 1;
  }
  return { writes: writes.sort(byText), reads: sorted(reads) };
}

/** Lists of secrets have no order. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted).sort(byText);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, sorted(each)])
      .sort(byText),
  );
}

function byText(one, other) {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The text with each of its times moved `ms` later. */
function shifted(text, ms) {
  return text
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time) =>
      new Date(Date.parse(time) + ms).toISOString(),
    )
    .replace(/(?<![\w."-])1[6-9]\d{11}(?![\w"-])/g, (time) => String(Number(time) + ms));
}

/** The files of a recording with each time moved, because the journal's times are compared with the service's. */
const LATER_MS = Date.now() - AGO_MS - RECORDED_AT;

/** The text as if it had been recorded two hours ago. */
const arrived = (text) => shifted(text, LATER_MS);

const hashOf = (...parts) => createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);
const inDynamicForm = (urn) =>
  urn.replace("::deployment-control:index:", "::pulumi-nodejs:dynamic/deployment-control:");

module.exports = { RecordedStack, PLACES, RECORDED_AT, firstUp, hashOf, serviceFile, shifted };
