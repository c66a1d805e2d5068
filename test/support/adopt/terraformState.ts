/** The output of `terraform show -json` for deployments of the service's own Terraform provider. */

interface TerraformDeployment {
  readonly id: string;
  readonly values?: object;
  readonly sensitive_values?: object | true;
  readonly type?: string;
}

/** Terraform's state of the deployments. The keys of the argument are the deployments' names in Terraform. */
export const terraformState = (deployments: Readonly<Record<string, TerraformDeployment>>): string =>
  JSON.stringify({
    format_version: "1.0",
    values: {
      root_module: {
        resources: Object.entries(deployments).map(([name, { id, values, ...marks }]) => ({
          address: `langsmith_deployment.${name}`,
          mode: "managed",
          type: "langsmith_deployment",
          name,
          // Terraform records a write-only argument as null.
          values: { id, secrets: null, secrets_hash: "canary-of-a-hash", ...values },
          sensitive_values: { secrets: true, secrets_hash: true },
          ...marks,
        })),
      },
    },
  });
