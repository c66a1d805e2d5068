"""The same deployments, declared in Python with the package that Pulumi generates from the plugin's schema."""

import os

import pulumi
from pulumi_deployment_control import Deployment

for index in range(int(os.environ["BENCH_COUNT"])):
    Deployment(
        f"bench-{index}",
        name=f"bench-{index}",
        source="external_docker",
        source_config={
            "resource_spec": {
                "min_scale": 1 + int(os.environ.get("BENCH_ROUND", "0")),
                "max_scale": 4,
                "cpu": 1,
                "memory_mb": 2048,
                "labels": {"team": "bench", "index": str(index)},
            },
        },
        source_revision_config={"image_uri": f"registry.example/bench-{index}:1"},
        rollout={"wait": False},
        secrets={"KEY": pulumi.Output.secret("a-secret-of-the-benchmark")},
    )
