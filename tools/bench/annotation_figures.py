"""The figures of people at work: as many as push, as many as think, and programs on the API."""

from django.urls import reverse

from annotation.models import Campaign
from tools.bench.annotation_load import Load, run_load
from tools.bench.annotator_process import Task
from tools.bench.bench_study import make_annotators, session_of, token_of
from tools.bench.measurement_sizes import Sizes
from tools.bench.web_server import HOST, server_processes

PUSHING, THINKING = 8, 64
WARM_UP = 2.0  # seconds


def annotating(campaign: Campaign, sizes: Sizes, port: int, web: int) -> dict[str, Load]:
    """By what they are called in the table; on the web server at `port` whose first process is `web`."""
    people = make_annotators(campaign, PUSHING + THINKING)
    sessions = [session_of(person) for person in people]
    tokens = [token_of(person) for person in people[:PUSHING]]
    servers = server_processes(web)

    def load(way: str, route: str, secrets: list[str], think: float) -> Load:
        path = reverse(route, args=[campaign.study.slug, campaign.slug])
        return run_load(Task(way, HOST, port, path, secrets, think, WARM_UP, sizes.seconds), servers)

    return {
        f"{PUSHING} in browsers, as fast as they can": load("browser", "campaign_work", sessions[:PUSHING], 0.0),
        f"{THINKING} in browsers, a second's thought": load("browser", "campaign_work", sessions[PUSHING:], 1.0),
        f"{PUSHING} programs, asking and submitting apart": load("program", "api:campaign-detail", tokens, 0.0),
    }
