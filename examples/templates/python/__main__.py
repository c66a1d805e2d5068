import pulumi
from pulumi_deployment_control import Deployment

chat = Deployment(
    "chat",
    name="chat",
    source="repohost",
    source_config={
        # The integration through which the service reads the repository.
        "integration_id": "00000000-0000-4000-8000-000000000000",
        "repo_url": "https://github.com/OWNER/REPOSITORY",
        "deployment_type": "dev",
    },
    # A change here creates a new revision, and the plan says so.
    source_revision_config={"repo_ref": "main", "graph_config_path": "langgraph.json"},
)

pulumi.export("revision", chat.latest_revision_id)
