"""The figures of size: 64 people who think for a second, on a large campaign and on a small one in turns.

Three people do each item of either, so the small one has 3,000 places. In all its turns together the 64 take at most
2,200 of them (a second's thought each), so it does not run out; that is looked at afterwards.
"""

from django.urls import reverse

from accounts.models import Person
from annotation.models import Assignment, Campaign
from foundation.errors import UserError
from tools.bench.annotation_figures import THINKING, WARM_UP
from tools.bench.annotation_load import Load, run_once, together
from tools.bench.annotator_process import Task
from tools.bench.bench_study import add_outputs, make_annotators, make_campaign, make_study, session_of
from tools.bench.measurement_sizes import Sizes
from tools.bench.web_server import HOST, server_processes

SMALL = 1_000  # items
TURNS = 2


def make_campaigns(sizes: Sizes, by: Person) -> dict[str, Campaign]:
    """The small and the large campaign, by what they are called in the table."""
    made = {}
    for slug, items in (("small", SMALL), ("large", sizes.large)):
        study = make_study(slug, items, by)
        add_outputs(study, by)
        made[f"{THINKING} who think, the {slug} one of {items:,} items"] = make_campaign(study, "rate", by)
    return made


def growing(campaigns: dict[str, Campaign], sizes: Sizes, port: int, web: int) -> dict[str, Load]:
    """Each campaign's load over all its turns."""
    servers = server_processes(web)
    tasks = {name: _task(campaign, sizes, port) for name, campaign in campaigns.items()}
    runs = [(name, run_once(task, servers)) for _ in range(TURNS) for name, task in tasks.items()]
    for campaign in campaigns.values():
        if not Assignment.objects.filter(campaign=campaign, state=Assignment.State.FREE).exists():
            raise UserError("The campaign ran out of places, so what it took says nothing.")
    return {name: together([run for whose, run in runs if whose == name]) for name in tasks}


def _task(campaign: Campaign, sizes: Sizes, port: int) -> Task:
    sessions = [session_of(annotator) for annotator in make_annotators(campaign, THINKING)]
    path = reverse("campaign_work", args=[campaign.study.slug, campaign.slug])
    return Task("browser", HOST, port, path, sessions, 1.0, WARM_UP, sizes.seconds)


def compared(loads: dict[str, Load]) -> list[list[str]]:
    """How the p95 of the large campaign stands to that of the small one."""
    small, large = loads.values()
    rows = {"asking": (small.asking[1], large.asking[1]), "submitting": (small.submitting[1], large.submitting[1])}
    return [[f"p95 of {act}, large beside small (aim: at most 1.5)", f"{b / a:.2f}"] for act, (a, b) in rows.items()]
