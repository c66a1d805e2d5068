/** The output of `pulumi stack export` after a run was killed, as the engine writes it. */

import { mark } from "../../../provider/engine/marks";
import { type Properties, propertiesIn } from "../../../provider/schema/value";
import { URN } from "../providerRun";

interface PendingResource {
  readonly type: "creating" | "updating" | "deleting";
  readonly urn?: string;
  readonly inputs: Properties;
  /** The provider that the program declares; undefined for the stack's default provider. */
  readonly provider?: ExplicitProvider;
}

/** A provider resource that the program declares for the plugin. */
interface ExplicitProvider {
  readonly name: string;
  readonly settings: Properties;
}

interface RecordedResource {
  readonly urn?: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly delete?: boolean;
}

export interface Export {
  readonly settings: Properties;
  readonly pending: readonly PendingResource[];
  readonly resources?: readonly RecordedResource[];
  /** Whether the export hides secrets. */
  readonly sealed?: boolean;
  readonly created?: string;
}

export const urnOf = (name: string): string => URN.replace(/[^:]*$/, name);

const PROVIDER = { urn: "urn:pulumi:dev::app::pulumi:providers:pulumi-nodejs::default", id: "provider-id" };

const explicitUrn = ({ name }: ExplicitProvider): string =>
  `urn:pulumi:dev::app::pulumi:providers:deployment-control::${name}`;

export function pendingExport({
  settings,
  pending,
  resources = [],
  sealed = false,
  created,
}: Export): string {
  const secret = (value: unknown): Properties => {
    const { value: plain, ...signature } = mark(value);
    return { ...signature, [sealed ? "ciphertext" : "plaintext"]: sealed ? "v1:x" : JSON.stringify(plain) };
  };
  const marked = ({ secrets, ...publicValues }: Properties): Properties => {
    const entries = Object.entries(propertiesIn(secrets)).map(([name, value]) => [name, secret(value)]);
    return { ...publicValues, ...(secrets === undefined ? {} : { secrets: Object.fromEntries(entries) }) };
  };
  const provider = `${PROVIDER.urn}::${PROVIDER.id}`;
  const { apiKey, ...open } = settings;
  const named = Object.entries({ ...open, ...(apiKey === undefined ? {} : { apiKey: secret(apiKey) }) });
  const stack = { urn: "urn:pulumi:dev::app::pulumi:pulumi:Stack::app-dev", created };
  return JSON.stringify({
    version: 3,
    deployment: {
      resources: [
        stack,
        {
          ...PROVIDER,
          inputs: Object.fromEntries(named.map(([key, value]) => [`deployment-control:${key}`, value])),
        },
        ...pending.flatMap(({ provider: explicit }) =>
          explicit === undefined
            ? []
            : [{ urn: explicitUrn(explicit), id: PROVIDER.id, inputs: explicit.settings }],
        ),
        ...resources.map(({ urn = URN, inputs, outputs, ...rest }) => ({
          ...rest,
          urn,
          provider,
          inputs: marked(inputs),
          outputs: { ...marked(outputs), __schemaVersion: 1 },
        })),
      ],
      pending_operations: pending.map(({ type, urn = URN, inputs, provider: explicit }) => ({
        type,
        resource: {
          urn,
          provider: explicit === undefined ? provider : `${explicitUrn(explicit)}::${PROVIDER.id}`,
          inputs: marked(inputs),
        },
      })),
    },
  });
}
