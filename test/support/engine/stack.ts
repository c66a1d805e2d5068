/** A real stack: the Pulumi CLI, its engine and the provider process, against an embedded service over HTTP. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import * as automation from "@pulumi/pulumi/automation";
import { nameIn } from "../../../provider/fields/naming";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator/index";
import { started as service } from "../embeddedService";
import { PLUGINS } from "./form";

export { service };

/** Stacks work below the project, so that the provider process finds the built package. */
const WORK = path.join(__dirname, "..", "..", "..", ".cache", "engine");

export type Program = () => unknown;

/** One command and its effects. */
export interface Run {
  /** Undefined if it succeeded. */
  readonly error: string | undefined;
  /** Everything that a person would have read. */
  readonly text: string;
  /** The diagnostics, without colors and the engine's prefixes, each once. */
  readonly diagnostics: readonly {
    readonly severity: string;
    readonly message: string;
    readonly urn: string;
    /** Whether it is shown only until the next one. */
    readonly ephemeral: boolean;
  }[];
  /** Operation by resource name, such as `{chat: "update"}`; unchanged resources are left out. */
  readonly steps: Readonly<Record<string, string>>;
  readonly events: readonly automation.EngineEvent[];
  /** The requests to the service meanwhile. */
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
    const stack = await automation.LocalWorkspace.createStack(
      { stackName: options.name ?? "test", projectName: "engine", program: async () => undefined },
      {
        workDir: folder,
        pulumiHome: home,
        envVars: environment,
        projectSettings: { name: "engine", runtime: "nodejs", ...PLUGINS },
      },
    );
    const testStack = new TestStack(emulator, stack, folder, environment);
    // After each command, the library would start the CLI three more times to read the state's file.
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

  refresh(options: Partial<automation.RefreshOptions> = {}): Promise<Run> {
    return this.#run((common) => this.stack.refresh({ ...common, ...options }));
  }

  /** A refresh that runs the program too, so that new arguments are seen. */
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

  /** The recorded resource of that name. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the state freely.
  async recorded(name: string): Promise<any> {
    return this.resources().find(({ urn }) => urn.endsWith(`::${name}`));
  }

  /** All recorded resources. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the state freely.
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

  /** Every file that the backend has written: state, history and backups. */
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
      const result = await command({
        color: "never",
        onOutput: write,
        onError: write,
        onEvent: (event) => events.push(event),
      });
      if ("outputs" in result) outputs = result.outputs as automation.OutputMap;
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
// The code that starts services closes them, and checks their requests.
afterEach(() => {
  for (const stack of stacks.splice(0)) stack.close();
});

/** A stack for one test. */
export async function stackOn(emulator: Emulator, options: StackOptions = {}): Promise<TestStack> {
  const stack = await TestStack.on(emulator, options);
  stacks.push(stack);
  return stack;
}

/** A stack for one test on a separate service with these options; the stack has the service's profile and key. */
export async function testStack({ profile, apiKey, ...options }: EmulatorOptions = {}) {
  const emulator = await service({ profile, apiKey, ...options });
  const environment = {
    ...(profile && { DEPLOYMENT_CONTROL_PROFILE: profile }),
    ...(apiKey && { DEPLOYMENT_CONTROL_API_KEY: apiKey }),
  };
  return { emulator, stack: await stackOn(emulator, { environment }) };
}
