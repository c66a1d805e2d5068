/** A real stack: the Pulumi CLI, its engine and the provider process, against an embedded service over HTTP. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import path from "node:path";
import * as automation from "@pulumi/pulumi/automation";
import { nameIn } from "../../../provider/schema/naming";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator/index";
import { started as service } from "../embeddedService";
import { PLUGINS } from "./form";

export { service };

/** The folder of the stacks. It is in the repository, so that the provider process finds the built package. */
const WORK = path.join(__dirname, "..", "..", "..", ".cache", "engine");

export type Program = () => unknown;

/** A command and its effects. */
export interface Run {
  /** The error's message; undefined if the command succeeded. */
  readonly error: string | undefined;
  /** All text that the command printed. */
  readonly text: string;
  /** The diagnostics, without colors and without the engine's prefixes. */
  readonly diagnostics: readonly {
    readonly severity: string;
    readonly message: string;
    readonly urn: string;
    /** Whether the CLI shows the message only until the next message. */
    readonly ephemeral: boolean;
  }[];
  /** The operations on each changed resource, by its name, such as `{chat: "update"}`. */
  readonly steps: Readonly<Record<string, string>>;
  readonly events: readonly automation.EngineEvent[];
  /** The requests that the service received during the command. */
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[];
  readonly outputs: Readonly<Record<string, unknown>>;
}

export class TestStack {
  private constructor(
    readonly emulator: Emulator,
    readonly stack: automation.Stack,
    readonly folder: string,
    readonly environment: Record<string, string>,
  ) {}

  static async on(emulator: Emulator, options: StackOptions): Promise<TestStack> {
    mkdirSync(WORK, { recursive: true });
    const folder = mkdtempSync(path.join(WORK, "stack-"));
    const home = path.join(folder, "home");
    mkdirSync(path.join(folder, "state"), { recursive: true });
    const environment = {
      PULUMI_BACKEND_URL: `file://${path.join(folder, "state").replaceAll("\\", "/")}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_HOME: home,
      DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
      ...options.environment,
    };
    const workspace: automation.LocalWorkspaceOptions = {
      workDir: folder,
      pulumiHome: home,
      envVars: environment,
      projectSettings: { name: "engine", runtime: "nodejs", ...PLUGINS },
    };
    const sharesBackend = options.environment?.PULUMI_BACKEND_URL !== undefined;
    const stack = await newStack(options.name ?? "test", workspace, sharesBackend);
    const testStack = new TestStack(emulator, stack, folder, environment);
    // Otherwise, the Automation API would start the CLI three more times after each command to read the state file.
    stack.outputs = async () => testStack.#outputs();
    stack.info = async () => undefined;
    return testStack;
  }

  up(program: Program, options: Partial<automation.UpOptions> = {}): Promise<Run> {
    return this.#run((common) => this.stack.up({ ...common, ...options, program: wrapped(program) }));
  }

  preview(program: Program, options: Partial<automation.PreviewOptions> = {}): Promise<Run> {
    return this.#run((common) => this.stack.preview({ ...common, ...options, program: wrapped(program) }));
  }

  refresh(): Promise<Run> {
    return this.#run((common) => this.stack.refresh(common));
  }

  /** Refreshes the stack and runs the program, so that the refresh uses new arguments. */
  async refreshWith(program: Program): Promise<Run> {
    const { workspace } = this.stack;
    const usual = workspace.program;
    workspace.program = wrapped(program);
    const run = await this.#run((common) => this.stack.refresh({ ...common, runProgram: true }));
    workspace.program = usual;
    return run;
  }

  destroy(): Promise<Run> {
    return this.#run((common) => this.stack.destroy(common));
  }

  /** The resource with that name in the state. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the state.
  async recorded(name: string): Promise<any> {
    return this.resources().find(({ urn }) => urn.endsWith(`::${name}`));
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the state.
  resources(): readonly any[] {
    const state = (this.environment.PULUMI_BACKEND_URL as string).replace("file://", "");
    const file = path.join(state, ".pulumi", "stacks", "engine", `${this.stack.name}.json`);
    return JSON.parse(readFileSync(file, "utf8")).checkpoint.latest?.resources ?? [];
  }

  #outputs(): automation.OutputMap {
    const stack = this.resources().find(({ type }) => type === "pulumi:pulumi:Stack");
    const outputs = Object.entries(stack?.outputs ?? {});
    return Object.fromEntries(outputs.map(([name, value]) => [name, { value, secret: false }]));
  }

  /** The contents of all files that the backend has written: state, history and backups. */
  filesOfState(): string {
    const files = (folder: string): string[] =>
      readdirSync(folder).flatMap((name) => {
        const file = path.join(folder, name);
        return statSync(file).isDirectory() ? files(file) : [readFileSync(file, "utf8")];
      });
    return files(path.join(this.folder, "state")).join("\n");
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  async #run(
    command: (options: {
      color: "never";
      onOutput: (text: string) => void;
      onError: (text: string) => void;
      onEvent: (event: automation.EngineEvent) => void;
    }) => Promise<object>,
  ): Promise<Run> {
    let text = "";
    const write = (words: string) => {
      text += words;
    };
    const events: automation.EngineEvent[] = [];
    const before = this.emulator.requests.length;
    let error: string | undefined;
    let outputs: automation.OutputMap = {};
    try {
      const commandResult = await command({
        color: "never",
        onOutput: write,
        onError: write,
        onEvent: (event) => events.push(event),
      });
      if ("outputs" in commandResult) outputs = commandResult.outputs as automation.OutputMap;
    } catch (failure) {
      error = (failure as Error).message;
    }
    return {
      error,
      text,
      events,
      diagnostics: diagnosticsIn(events),
      steps: stepsIn(events),
      requests: this.emulator.requests.slice(before),
      outputs: Object.fromEntries(Object.entries(outputs).map(([name, output]) => [name, output.value])),
    };
  }
}

const NEW_STACKS = path.join(WORK, `new-${process.pid}`);
/** The stacks of a suite share this command. Otherwise, each stack would run `pulumi version` again. */
let pulumiCommand: Promise<automation.PulumiCommand> | undefined;
afterAll(() => rmSync(NEW_STACKS, { recursive: true, force: true, maxRetries: 10 }));

/**
 * Creates an empty stack in the folder that the options name. The CLI creates the first stack with a name. Later stacks
 * with that name copy the files, which saves a CLI run. `sharesBackend`: whether an earlier stack uses the backend.
 */
async function newStack(
  name: string,
  options: automation.LocalWorkspaceOptions,
  sharesBackend: boolean,
): Promise<automation.Stack> {
  pulumiCommand ??= automation.PulumiCommand.get();
  const workspace = await automation.LocalWorkspace.create({
    ...options,
    pulumiCommand: await pulumiCommand,
    program: async () => undefined,
  });
  if (sharesBackend) return automation.Stack.create(name, workspace);
  const [folder, copy] = [workspace.workDir, path.join(NEW_STACKS, name)];
  if (!existsSync(copy)) {
    const stack = await automation.Stack.create(name, workspace);
    for (const part of ["state", `Pulumi.${name}.yaml`])
      cpSync(path.join(folder, part), path.join(copy, part), { recursive: true });
    return stack;
  }
  cpSync(copy, folder, { recursive: true });
  workspace.selectStack = async () => undefined;
  return automation.Stack.select(name, workspace);
}

function wrapped(program: Program): automation.PulumiFn {
  return async () => ((await program()) ?? {}) as Record<string, unknown>;
}

function diagnosticsIn(events: readonly automation.EngineEvent[]): Run["diagnostics"] {
  return events.flatMap(({ diagnosticEvent: event }) => {
    if (event === undefined) return [];
    const message = event.message.replace(/<\{%[^%]*%\}>/g, "").trim();
    return [{ severity: event.severity, message, urn: event.urn ?? "", ephemeral: event.ephemeral === true }];
  });
}

function stepsIn(events: readonly automation.EngineEvent[]): Record<string, string> {
  const steps: Record<string, string> = {};
  for (const { resourcePreEvent } of events) {
    if (resourcePreEvent === undefined) continue;
    const { op, type, urn } = resourcePreEvent.metadata;
    if (op === "same" || type === "pulumi:pulumi:Stack" || type.startsWith("pulumi:providers")) continue;
    const name = nameIn(urn);
    steps[name] = name in steps ? `${steps[name]} ${op}` : op;
  }
  return steps;
}

interface StackOptions {
  readonly name?: string;
  readonly environment?: Record<string, string>;
}

const stacks: TestStack[] = [];
// `embeddedService.ts` closes the services and checks their requests.
afterEach(() => {
  for (const stack of stacks.splice(0)) stack.close();
});

export async function stackOn(emulator: Emulator, options: StackOptions = {}): Promise<TestStack> {
  const stack = await TestStack.on(emulator, options);
  stacks.push(stack);
  return stack;
}

/** Starts a service with these options, and creates a stack for one test with the service's profile and key. */
export async function testStack({ profile, apiKey, ...options }: EmulatorOptions = {}) {
  const emulator = await service({ profile, apiKey, ...options });
  const environment = {
    ...(profile && { DEPLOYMENT_CONTROL_PROFILE: profile }),
    ...(apiKey && { DEPLOYMENT_CONTROL_API_KEY: apiKey }),
  };
  return { emulator, stack: await stackOn(emulator, { environment }) };
}
