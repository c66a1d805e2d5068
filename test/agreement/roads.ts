/**
 * Generates unusual updates: updates after another tool's release or after a kill; adoptions that the preview cannot
 * see; moves between providers, forms or connections; and restores.
 */
import * as fc from "fast-check";
import type { Properties } from "../../provider/schema/value";
import type { ReportVerdict } from "../../sdk/report/model";
import { isPlugin } from "../support/engine/form";
import { type Declared, type Options, type Slot, withOptions } from "./slots";
import { type ProfileName, withValue } from "./values";

/** An unusual update of a slot, and the events before it. `$ID` stands for the id of the slot's deployment. */
export interface Road {
  readonly kind: Kind;
  /** The arguments of a deployment that another tool made before the first `pulumi up`. */
  readonly existing?: Properties;
  /** The slot in the first `pulumi up`. */
  readonly first: Slot;
  readonly cut?: Cut;
  readonly release?: Release;
  /** The slot in the update that is judged. */
  readonly next: Slot;
  /** The correct verdicts; if undefined, every verdict that comes true is correct. */
  readonly verdicts?: readonly ReportVerdict[];
  /** The images, refs or tarballs that may run after the update. If undefined, the program's value must run. */
  readonly serves?: readonly string[];
  /** Whether the revision is bad, so that `pulumi up` must fail. */
  readonly fails?: boolean;
}

/**
 * An earlier update that was left unfinished. `killed`: `pulumi up` was killed after the service had received the
 * request with this method. `unanswered`: the revision did not answer its verification. `stuck`: the revision took
 * longer than the wait, and now ends with the status `ends`.
 */
interface Cut {
  readonly how: "killed" | "unanswered" | "stuck";
  readonly slot: Slot;
  readonly method?: "PATCH" | "POST";
  readonly ends?: "DEPLOY_FAILED" | "DEPLOYED";
}

/** A value that the service shows. `branch`: if the value is a commit, the branch that the service also shows. */
interface Serving {
  readonly value: string;
  readonly branch?: string;
}

/** `isForm`: nothing is released; the service shows the program's own value in another form. */
interface Release extends Serving {
  readonly isForm: boolean;
  readonly when: "before" | "meanwhile";
}

/** Generates the settings that all slots of a stack share. */
export const groundOf = (profile: ProfileName) =>
  fc.record({
    profile: fc.constant(profile),
    /** Whether a refresh precedes the plan. */
    isRefreshed: fc.constantFrom(true, false, false, false),
    /** Whether the connection `one` is removed from the configuration. */
    dropsOld: fc.boolean(),
    /** How `pulumi up` is killed: `kill -9` of the CLI, `kill -9` of both the CLI and the provider, or Ctrl-C twice. */
    kill: fc.constantFrom("CLI", "both", "Ctrl-C"),
    /** Whether the killed run never got the answers to its writes. */
    isHeld: fc.boolean(),
    afterKill: fc.constantFrom("nothing", "recover", "recover without the journal"),
  });
export type Ground = ReturnType<typeof groundOf> extends fc.Arbitrary<infer G> ? G : never;

const ROADS = { release, adoption, move, killed, connection, restore };
export type Kind = keyof typeof ROADS;
const ORDER: readonly Kind[] = [
  ...(["release", "adoption", "killed", "move", "restore", "connection"] as const),
  ...(["release", "killed", "adoption", "release", "move", "release"] as const),
];

export function roadOf(index: number, ground: Ground): fc.Arbitrary<Road> {
  const kind = ORDER[index % ORDER.length] as Kind;
  // After a refresh, the state has the revision's outcome, so there is no wait to resume.
  return ROADS[kind === "restore" && ground.isRefreshed ? "release" : kind](index, ground);
}

// -- The sources.

/** A value of the program, other forms in which the service may show it, and releases by another tool. */
interface Spelling {
  readonly declared: string;
  readonly forms: readonly Serving[];
  readonly releases: readonly Serving[];
}

const [A, B] = ["a", "b"].map((digit) => `sha256:${digit.repeat(64)}`);
const [ONE = "", TWO = "", THREE = ""] = ["1", "2", "3"].map((digit) => digit.repeat(40));
const CHAT = "registry.example/chat";
const spelling = (declared: string, forms: readonly string[], ...releases: readonly string[]): Spelling => ({
  declared,
  forms: forms.map((value) => ({ value })),
  releases: releases.map((value) => ({ value })),
});

const IMAGES = [
  spelling(
    `${CHAT}:1`,
    [`${CHAT}:1@${A}`, `${CHAT}@${A}`],
    `${CHAT}:9`,
    `${CHAT}:9@${B}`,
    "other.example/bot",
  ),
  spelling(`${CHAT}:1@${A}`, [`${CHAT}@${A}`], `${CHAT}:9`, `${CHAT}@${B}`, `${CHAT}:1@${B}`),
] as const;
const REFS = [
  {
    declared: "main",
    forms: [{ value: ONE, branch: "main" }, { value: ONE }],
    releases: [{ value: "release" }, { value: TWO, branch: "release" }],
  },
  spelling(THREE, [], "release", TWO),
] as const;

const WIRES = {
  imageUri: "image_uri",
  repoRef: "repo_ref",
  sourceTarballPath: "source_tarball_path",
} as const;
type Source = "external_docker" | "internal_docker" | "internal_source" | "repohost";
interface SourceCase {
  /** The field that says what runs. */
  readonly field: keyof typeof WIRES;
  readonly spellings: readonly [Spelling, ...Spelling[]];
  readonly config: Properties;
  readonly more?: Properties;
}
const built = { installCommand: "first" };
const repository = {
  integrationId: "6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d10",
  repoUrl: "https://repohost.example/a",
};
const more = { graphConfigPath: "graph.json" };
const SOURCES: { readonly [source in Source]: SourceCase } = {
  external_docker: {
    field: "imageUri",
    spellings: IMAGES,
    config: { resourceSpec: { minScale: 1 }, customUrl: "https://first.example" },
  },
  internal_docker: { field: "imageUri", spellings: IMAGES, config: {} },
  internal_source: {
    field: "sourceTarballPath",
    spellings: [spelling("uploads/1.tgz", [], "uploads/9.tgz")],
    config: built,
    more,
  },
  repohost: { field: "repoRef", spellings: REFS, config: { ...repository, ...built }, more },
};

const sources = fc.constantFrom(...(Object.keys(SOURCES) as Source[]));
const word = fc.stringMatching(/^[a-z][a-z0-9]{3,7}$/);
/** The argument that says what runs, and its name on the wire. */
const fieldOf = ({ source }: Properties) => SOURCES[source as Source].field;
export const wireOf = (args: Properties): string => WIRES[fieldOf(args)];

function deployment(
  index: number,
  source: Source,
  declared = SOURCES[source].spellings[0].declared,
): Declared {
  const { field, config, more } = SOURCES[source];
  const args = {
    name: `agents-${index}-main`,
    source,
    sourceConfig: config,
    sourceRevisionConfig: { [field]: declared, ...more },
    secrets: { KEY: "canary-first-value", TOKEN: "canary-second-value" },
    environment: { LEVEL: "info" },
    rollout: { timeoutSeconds: 60 },
  };
  return { kind: "Deployment", name: `main-${index}`, args, options: {} };
}

const withArgs = (declared: Declared, args: Properties): Declared => ({
  ...declared,
  args: { ...declared.args, ...args },
});

// -- Changes of the program.

/** The arguments that a change may set; `own`: the argument that says what runs. */
const TOUCHES = {
  own: "sourceRevisionConfig",
  secret: "secrets.KEY",
  environment: "environment.LEVEL",
  trigger: "revisionTriggers.again",
  scale: "sourceConfig.resourceSpec.minScale",
  build: "sourceConfig.installCommand",
  address: "sourceConfig.customUrl",
  wait: "rollout.timeoutSeconds",
} as const;
type Touch = keyof typeof TOUCHES;
const ALL = Object.keys(TOUCHES) as Touch[];
const SENT = ALL.filter((touch) => touch !== "wait");
const FEW: readonly Touch[] = ["own", "secret", "environment"];
const ONLY: { readonly [touch in Touch]?: readonly Source[] } = {
  scale: ["external_docker"],
  build: ["repohost", "internal_source"],
  address: ["external_docker"],
};

/** Whether the change is sent with the call that makes a revision. */
const isRevising = (profile: ProfileName, touch: Touch): boolean =>
  profile === "langsmith" ? !["address", "wait"].includes(touch) : touch === "trigger";

function touchesOf(source: Source, among: readonly Touch[] = ALL, minLength = 1): fc.Arbitrary<Touch[]> {
  const possible = among.filter((touch) => ONLY[touch]?.includes(source) ?? true);
  return fc.subarray(possible, { minLength, maxLength: 2 });
}

function touched(declared: Declared, touches: readonly Touch[], drawn: string): Declared {
  const field = fieldOf(declared.args);
  const values: { readonly [touch in Touch]?: unknown } = {
    own: field === "imageUri" ? `${CHAT}:${drawn}` : drawn,
    secret: `canary-${drawn}`,
    scale: 2,
    address: `https://${drawn}.example`,
    wait: 600,
  };
  const args = touches.reduce((each, touch) => {
    const path = touch === "own" ? `${TOUCHES.own}.${field}` : TOUCHES[touch];
    return withValue(each, path.split("."), values[touch] ?? drawn);
  }, declared.args);
  return { ...declared, args };
}

const forbidden = (freq: number): fc.Arbitrary<Properties> =>
  fc.option(fc.constant({}), { freq, nil: { newRevisions: "forbid" } });

// -- The kinds of unusual updates.

/** Another tool makes a release, or the service shows the program's value in another form. Then the program changes. */
function release(index: number, { profile, isRefreshed }: Ground): fc.Arbitrary<Road> {
  const cases = sources.chain((source) =>
    fc.constantFrom(...SOURCES[source].spellings).map((spelling) => ({ source, ...spelling })),
  );
  return cases.chain(({ source, declared, forms, releases }) =>
    fc
      .record({
        serving: fc.constantFrom(
          ...forms.map((each) => ({ ...each, isForm: true })),
          ...releases.map((each) => ({ ...each, isForm: false })),
        ),
        when: fc.constantFrom("before", "meanwhile"),
        touches: touchesOf(source),
        drawn: word,
        ignored: fc.constantFrom(undefined, "", `.${SOURCES[source].field}`),
      })
      .map(({ serving, when, touches, drawn, ignored }): Road => {
        const options: Options =
          ignored === undefined ? {} : { ignoreChanges: [`sourceRevisionConfig${ignored}`] };
        const main = withOptions(deployment(index, source, declared), options);
        const { value, branch = value, isForm } = serving;
        const effective = touches.filter((touch) => touch !== "own" || ignored === undefined);
        const isSent = effective.some((touch) => isRevising(profile, touch));
        // A refresh copies the service's values into the state. The plan then shows these values as changes. The update
        // reverts these changes, unless the program has `ignoreChanges`.
        const isRead = isRefreshed && when === "before";
        const others = isRead && ignored === undefined ? [declared] : [...new Set([value, branch])];
        const spelled = isSent && !(isRead && ignored !== undefined) ? [declared] : [declared, value];
        return {
          kind: "release",
          first: { main },
          release: { ...serving, when },
          next: { main: touched(main, touches, drawn) },
          ...(!effective.includes("own") && { serves: isForm ? spelled : others }),
        };
      }),
  );
}

/** The preview does not know the name or the id of the deployment to adopt. */
function adoption(index: number): fc.Arbitrary<Road> {
  return fc
    .record({
      source: sources,
      by: fc.constantFrom("name", "id", "a free name"),
      touches: touchesOf("repohost", FEW, 0),
      drawn: word,
      more: forbidden(3),
    })
    .map(({ source, by, touches, drawn, more }): Road => {
      const declared = deployment(index, source);
      const { secrets: _secrets, environment: _environment, ...args } = declared.args;
      const adopting =
        by === "id" ? { adopt: { $unknown: "$ID" } } : { adopt: true, name: { $unknown: args.name } };
      return {
        kind: "adoption",
        ...(by === "a free name" ? {} : { existing: { ...args, secrets: {} } }),
        first: {},
        next: { main: withArgs(touched({ ...declared, args }, touches, drawn), { ...adopting, ...more }) },
        verdicts: ["may-create-revision"],
      };
    });
}

/** A new resource, perhaps in a different provider process, adopts the deployment of a removed resource. */
function move(index: number, { profile }: Ground): fc.Arbitrary<Road> {
  const places = ["dynamic", "plugin", "explicit"] as const;
  const at = (place: (typeof places)[number], declared: Declared): Declared => ({
    ...withOptions(declared, place === "explicit" ? { provider: "provider" } : {}),
    form: place === "dynamic" ? "dynamic" : "plugin",
  });
  return fc
    .record({
      source: sources,
      from: fc.constantFrom(...(isPlugin ? places.slice(1) : places.slice(0, 1))),
      to: fc.constantFrom(...places),
      touches: touchesOf("repohost", FEW, 0),
      drawn: word,
      keepsProvider: fc.boolean(),
    })
    .map(({ source, from, to, touches, drawn, keepsProvider }): Road => {
      const onDestroy = profile === "langsmith" ? "delete" : "retain";
      const main = withArgs(deployment(index, source), { onDestroy });
      const next = { ...withArgs(touched(main, touches, drawn), { adopt: "$ID" }), name: `next-${index}` };
      const provider: Declared = { kind: "Provider", name: `provider-${index}`, args: {}, options: {} };
      const staysDeclared = to === "explicit" || (from === "explicit" && keepsProvider);
      return {
        kind: "move",
        first: { ...(from === "explicit" && { provider }), main: at(from, main) },
        next: { ...(staysDeclared && { provider }), next: at(to, next) },
      };
    });
}

/**
 * A run is killed after the service has received an update that makes a revision. The next program reverts this update,
 * sometimes with a further change.
 */
function killed(index: number, { profile }: Ground): fc.Arbitrary<Road> {
  return sources.chain((source) =>
    fc
      .record({
        touch: fc.constantFrom<Touch>(...FEW, "trigger"),
        touches: touchesOf(source, SENT, 0),
        drawn: word,
        others: fc.option(touchesOf(source, SENT), { freq: 3, nil: [] }),
        more: forbidden(6),
      })
      .map(({ touch, touches, drawn, others, more }): Road => {
        const main = deployment(index, source);
        const slot = { main: touched(main, [touch, ...touches], drawn) };
        return {
          kind: "killed",
          first: { main },
          cut: { how: "killed", slot, method: profile === "langsmith" ? "POST" : "PATCH" },
          next: { main: withArgs(touched(main, others, `${drawn}3`), more) },
        };
      }),
  );
}

/** The deployment's connection changes. The new name stands for the same service or for a different service. */
function connection(index: number, { dropsOld }: Ground): fc.Arbitrary<Road> {
  return fc
    .record({
      source: sources,
      from: fc.constantFrom(...(dropsOld ? ["one"] : ["one", undefined])),
      to: fc.constantFrom(...(dropsOld ? ["uno"] : ["uno", "far"])),
      touches: touchesOf("repohost", FEW, 0),
      drawn: word,
    })
    .map(({ source, from, to, touches, drawn }): Road => {
      const declared = deployment(index, source);
      const main = from === undefined ? declared : withArgs(declared, { connection: from });
      return {
        kind: "connection",
        first: { main },
        next: { main: withArgs(touched(declared, touches, drawn), { connection: to }) },
        verdicts:
          to === "far" ? ["replace"] : ["unchanged", "in-place", "new-revision", "may-create-revision"],
      };
    });
}

/** A revision may fail, at once or after a resumed wait. `newRevisions` may forbid the restore of the good revision. */
function restore(index: number): fc.Arbitrary<Road> {
  return fc
    .record({
      how: fc.constantFrom("at once", "unanswered", "stuck"),
      mood: fc.constantFrom("wrong", "wrong", "right"),
      more: forbidden(2),
    })
    .map(({ how, mood, more }): Road => {
      const [good, image] = ["right-1", `${mood}-2`].map((tag) => `${CHAT}:${tag}`) as [string, string];
      const main = deployment(index, "external_docker", good);
      const verify = {
        deploymentUrl: "$RUNTIME/runtime/$ID",
        assistantId: "echo",
        messages: [{ role: "user", content: "hello" }],
        expect: { contains: "hello" },
      };
      const bad = withArgs(main, {
        sourceRevisionConfig: { imageUri: image },
        rollout: { ...(how === "stuck" ? { timeoutSeconds: 1 } : { verify }), onFailure: "restore" },
      });
      const fails = mood === "wrong";
      const ends = fails ? "DEPLOY_FAILED" : "DEPLOYED";
      const isForbidden = "newRevisions" in more;
      return {
        kind: "restore",
        first: { main },
        ...(how !== "at once" && { cut: { how, slot: { main: bad }, ...(how === "stuck" && { ends }) } }),
        next: { main: withArgs(bad, more) },
        ...(how !== "at once" && isForbidden && { verdicts: ["in-place", "unchanged"] }),
        // A resumed wait may restore the good revision, but only if the plan announced the restore.
        serves: fails && !isForbidden ? (how === "at once" ? [good] : [good, image]) : [image],
        fails,
      };
    });
}

/** The deployment that the slot's program declares. */
export const deploymentIn = (slot: Slot): Declared => (slot.next ?? slot.main) as Declared;
