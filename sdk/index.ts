/** What a Pulumi program imports. */
export { Deployment, type DeploymentArgs } from "./deployment";
export { Listener, type ListenerArgs } from "./listener";
