import pulumi
from pulumi_deployment_control import (
    Deployment,
    DeploymentResourceSpecArgs,
    DeploymentSource,
    DeploymentSourceConfigArgs,
    DeploymentSourceRevisionConfigArgs,
    Listener,
    ListenerComputeType,
)

# To change one of these settings, run a command such as `pulumi config set python:minScale 2`.
settings = pulumi.Config("python")
min_scale = settings.get_int("minScale") or 1
image_tag = settings.get("imageTag") or "1.0.0"

# Set this with `pulumi config set --secret python:modelKey …`. Secret settings stay encrypted in the state.
model_key = settings.get_secret("modelKey") or pulumi.Output.secret("set python:modelKey")

# The cluster that runs the deployments. This declaration takes over the listener that an operator has installed.
cluster = Listener(
    "cluster",
    compute_type=ListenerComputeType.K8S,
    compute_id="quickstart-cluster",
)

chat = Deployment(
    "chat",
    name="python-chat",
    source=DeploymentSource.EXTERNAL_DOCKER,
    # A change in source_config is made in place: the running revision stays.
    source_config=DeploymentSourceConfigArgs(
        listener_id=cluster.id,
        resource_spec=DeploymentResourceSpecArgs(min_scale=min_scale, max_scale=4),
    ),
    # A change in source_revision_config creates a new revision, and the plan says so.
    source_revision_config=DeploymentSourceRevisionConfigArgs(
        image_uri=f"registry.example.com/chat:{image_tag}",
    ),
    # A change in secrets may create a new revision: the service decides.
    secrets={"MODEL_API_KEY": model_key},
)

# This resource stands for anything that must follow each new revision, such as a smoke test or a cache flush.
# The plan knows `revision_key`, so it shows a change of this resource exactly when `chat` gets a new revision.
pulumi.Stash("announced", input=chat.revision_key)

pulumi.export("chatRevision", chat.latest_revision_id)
