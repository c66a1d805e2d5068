/** The operations of the engine in the Pulumi CLI 3.250.0, and what each operation means for a resource of a plan. */

/** `import`: the state takes the resource over. `leftover`: an earlier replacement's old resource is deleted. */
export type OperationMeaning =
  | "create"
  | "import"
  | "update"
  | "replace"
  | "delete"
  | "same"
  | "read"
  | "leftover";

export const OPERATIONS: { readonly [op: string]: OperationMeaning } = {
  same: "same",
  create: "create",
  update: "update",
  delete: "delete",
  replace: "replace",
  "create-replacement": "replace",
  "delete-replaced": "leftover",
  // The program only reads these resources, or stops reading them, and never manages them.
  read: "read",
  "read-replacement": "read",
  refresh: "read",
  discard: "read",
  "discard-replaced": "read",
  // An earlier `pulumi up` deleted the old resource, and then failed.
  "remove-pending-replace": "leftover",
  import: "import",
  "import-replacement": "replace",
  // The engine runs these steps before a resource's main step.
  diff: "same",
  "extend-parameterize": "same",
};
