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

# You may change these settings without editing this file, for instance `pulumi config set python:minScale 2`.
settings = pulumi.Config("python")
min_scale = settings.get_int("minScale") or 1
image_tag = settings.get("imageTag") or "1.0.0"

# `pulumi config set --secret python:modelKey …`. A value from there stays encrypted in the state.
model_key = settings.get_secret("modelKey") or pulumi.Output.secret("set python:modelKey")

# The cluster that runs the deployments. An operator has installed it; the declaration takes it over.
cluster = Listener(
    "cluster",
    compute_type=ListenerComputeType.K8S,
    compute_id="quickstart-cluster",
)

chat = Deployment(
    "chat",
    name="python-chat",
    source=DeploymentSource.EXTERNAL_DOCKER,
    # A change in here is made in place: the running revision stays.
    source_config=DeploymentSourceConfigArgs(
        listener_id=cluster.id,
        resource_spec=DeploymentResourceSpecArgs(min_scale=min_scale, max_scale=4),
    ),
    # A change in here creates a new revision, and the plan says so.
    source_revision_config=DeploymentSourceRevisionConfigArgs(
        image_uri=f"registry.example.com/chat:{image_tag}",
    ),
    # A change in here may create one: the service decides.
    secrets={"MODEL_API_KEY": model_key},
)

# Stands for anything that must follow each new revision, and nothing else: a smoke test, a cache to empty, an announcement.
# `revision_key` is known while the plan is made, so the plan shows this changing exactly when `chat` gets a new revision.
pulumi.Stash("announced", input=chat.revision_key)

pulumi.export("chatRevision", chat.latest_revision_id)
