/** A shell like that of a guide's reader, with the project's CLI, an empty folder and an empty home. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { steadied } from "./steadied";

const ROOT = path.join(__dirname, "..", "..", "..");
const CLI = path.join(ROOT, "dist", "sdk", "cli", "main.js");
const SHIMS = path.join(__dirname, "shims");

/** The packages that are installed in the project of a guide. */
const INSTALLED = ["@pulumi", "@types", "ts-node", "typescript"];
/** Matches a page's command that starts a service. */
const SERVICE = /^npx --no-install deployment-control emulator /;
const COMMANDS = ["deployment-control", "pulumi-resource-deployment-control"];

export class Session {
  readonly #top = mkdtempSync(path.join(os.tmpdir(), "deployment-control-guide-"));
  readonly #services = new Map<string, ChildProcess>();
  /** For each port on the page, the free port that replaces it. */
  readonly #ports = new Map<string, string>();
  readonly #ids = new Map<string, string>();

  constructor() {
    for (const folder of ["home", "shell", "checkout"]) mkdirSync(path.join(this.#top, folder));
    writeFileSync(this.#shell("env"), "");
    writeFileSync(this.#shell("cwd"), `${path.join(this.#top, "checkout")}\n`);
    this.#makeShims();
  }

  /** Copies a project from `examples/`, and makes the copy the current folder. */
  async startFrom(example: string): Promise<void> {
    const folder = path.join(this.#top, path.basename(example));
    cpSync(path.join(ROOT, "examples", example), folder, {
      recursive: true,
      filter: (file) => !file.includes("node_modules"),
    });
    writeFileSync(this.#shell("cwd"), `${folder}\n`);
    await this.run("npm install", 0);
  }

  /** The path of a file in the folder in which the last command ended. */
  placeOf(file: string): string {
    return path.join(readFileSync(this.#shell("cwd"), "utf8").trim(), file);
  }

  write(file: string, text: string): void {
    const place = this.placeOf(file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, this.#withFreePorts(text));
  }

  /** Replaces the parts of a command's output that differ from run to run. */
  steady(printed: string): string {
    return steadied(printed, { top: this.#top, root: ROOT, ids: this.#ids });
  }

  async run(commands: string, exitCode: number): Promise<string> {
    const lines = commands.split("\n");
    const isService = (line: string): boolean => SERVICE.test(line);
    for (const line of lines.filter(isService)) await this.#serve(line);
    const foregroundCommands = this.#withFreePorts(lines.filter((line) => !isService(line)).join("\n"));
    const { code, printed } = await this.#shellRun(foregroundCommands);
    if (code !== exitCode) throw new Error(`exit code ${code}, not ${exitCode}, of\n${commands}\n${printed}`);
    return this.#withShownPorts(printed);
  }

  async close(): Promise<void> {
    for (const child of this.#services.values()) await ended(child);
    rmSync(this.#top, { recursive: true, force: true, maxRetries: 5 });
  }

  #shell(file: string): string {
    return path.join(this.#top, "shell", file);
  }

  /** Runs commands in the folder, and with the environment variables, that the previous commands left. */
  #shellRun(commands: string): Promise<{ code: number; printed: string }> {
    const script = [
      `. "${this.#shell("env")}"; cd "$(cat "${this.#shell("cwd")}")"`,
      "set -e",
      `trap 'code=$?; pwd > "${this.#shell("cwd")}"; export -p > "${this.#shell("env")}"; exit $code' EXIT`,
      commands,
    ].join("\n");
    const child = spawn("bash", ["-c", `exec 2>&1\n${script}`], {
      env: this.#environment(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve({ code: code ?? 128, printed }));
    });
  }

  #environment(): NodeJS.ProcessEnv {
    const home = path.join(this.#top, "home");
    return {
      HOME: home,
      PATH: `${this.#shell("bin")}:${process.env.PATH}`,
      GUIDE_PULUMI_PATH: process.env.PATH,
      GUIDE_ROOT: ROOT,
      GUIDE_INSTALLED: [...INSTALLED, "pulumi-deployment-control"].join(" "),
      PULUMI_HOME: path.join(home, ".pulumi"),
      PULUMI_CONFIG_PASSPHRASE: "local",
      PULUMI_SKIP_UPDATE_CHECK: "1",
      // Pulumi works on one resource at a time, so the service makes the resources in the same order in every run.
      PULUMI_PARALLEL: "1",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      NO_COLOR: "1",
      COLUMNS: "100",
    };
  }

  #makeShims(): void {
    const bin = this.#shell("bin");
    mkdirSync(bin);
    for (const name of ["npm", "pulumi"]) {
      cpSync(path.join(SHIMS, name), path.join(bin, name));
      chmodSync(path.join(bin, name), 0o755);
    }
    for (const name of COMMANDS)
      symlinkSync(path.join(ROOT, "node_modules", ".bin", name), path.join(bin, name));
  }

  /** Starts a service in the background. Ends an earlier service on the same port first. */
  async #serve(line: string): Promise<void> {
    const args = ["emulator", ...line.replace(SERVICE, "").trim().split(/\s+/)];
    const at = args.indexOf("--port") + 1;
    const shown = args[at] as string;
    const port = this.#ports.get(shown) ?? String(await freePort());
    this.#ports.set(shown, port);
    args[at] = port;
    const previous = this.#services.get(port);
    if (previous !== undefined) await ended(previous);
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: this.placeOf("."),
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#services.set(port, child);
    const lines = createInterface({ input: child.stdout });
    await new Promise<void>((resolve, reject) => {
      lines.on("line", (text) => text.startsWith("listening on") && resolve());
      child.once("close", () => reject(new Error(`${line}: ended`)));
    });
  }

  #withFreePorts(text: string): string {
    return [...this.#ports].reduce(
      (all, [shown, port]) => all.replaceAll(`127.0.0.1:${shown}`, `127.0.0.1:${port}`),
      text,
    );
  }

  #withShownPorts(text: string): string {
    return [...this.#ports].reduce(
      (all, [shown, port]) => all.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${shown}`),
      text,
    );
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  await closed;
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
