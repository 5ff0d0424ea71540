"""The figures of people at work: as many as push, and as many as think."""

from django.conf import settings
from django.urls import reverse

from annotation.models import Campaign
from config.bench.annotators import Task
from config.bench.load import Load, run_load
from config.bench.server import HOST, server_processes, web_server
from config.bench.sizes import Sizes
from config.bench.world import make_annotators

PUSHING, THINKING = 8, 64
WARM_UP = 2.0  # seconds


def annotating(campaign: Campaign, sizes: Sizes) -> dict[str, Load]:
    """8 annotators as fast as they can, then 64 who think for a second, on one web server."""
    path = reverse("campaign_work", args=[campaign.study.slug, campaign.slug])
    sessions = make_annotators(campaign.study, PUSHING + THINKING)
    with web_server(settings.DATA) as (port, web):
        servers = server_processes(web)

        def load(sessions: list[str], think: float) -> Load:
            return run_load(Task(HOST, port, path, sessions, think, WARM_UP, sizes.seconds), servers)

        return {"pushing": load(sessions[:PUSHING], 0.0), "thinking": load(sessions[PUSHING:], 1.0)}
