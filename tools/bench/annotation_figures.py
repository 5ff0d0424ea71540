"""The figures of texts brought in and of people at work: pushing, thinking, on the API, on campaigns of two sizes."""

from django.urls import reverse

from accounts.models import Person
from annotation.models import Assignment, Campaign
from corpora.models import Study
from foundation.errors import UserError
from tools.bench.annotation_load import Load, run_load, run_once, together
from tools.bench.annotator_process import Task
from tools.bench.bench_study import add_outputs, make_annotators, make_campaign, make_study, session_of, token_of
from tools.bench.clock import Took, timed
from tools.bench.measurement_sizes import Sizes
from tools.bench.web_server import HOST, embedded_processes, server_processes


def importing(sizes: Sizes, by: Person) -> tuple[Campaign, dict[str, Took | None]]:
    """The sentences and outputs, then items with three assignments each: the campaign, and each figure by its words."""
    studies, campaigns, servers = list[Study](), list[Campaign](), embedded_processes().values()

    def texts() -> None:
        studies.append(make_study("rating", sizes.items, by))
        add_outputs(studies[0], by)

    stored = timed(texts, servers)
    made = timed(lambda: campaigns.append(make_campaign(studies[0], "rate", by)), servers)
    count = f"{sizes.items:,}"
    return campaigns[0], {
        f"import of {count} sentences and outputs": stored,
        f"campaign of {count} items, 3 people each": made,
    }


PUSHING, THINKING = 8, 64
WARM_UP = 2.0  # seconds


def annotating(campaign: Campaign, sizes: Sizes, port: int, web: int) -> dict[str, Load]:
    """The loads by their names in the table; on the web server at `port` whose first process is `web`."""
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


# The figures of size: 64 people who think for a second, on a large campaign and on a small one in turns.
#
# Three people do each item of either, so the small one has 3,000 places. In all its turns together the 64 take at most
# 2,200 of them (a second's thought each), so it does not run out; that is looked at afterwards.

SMALL = 1_000  # items
TURNS = 2


def make_campaigns(sizes: Sizes, by: Person) -> dict[str, Campaign]:
    """The small and the large campaign, by their names in the table."""
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
    """The p95 of the large campaign beside that of the small one."""
    small, large = loads.values()
    rows = {"asking": (small.asking[1], large.asking[1]), "submitting": (small.submitting[1], large.submitting[1])}
    return [[f"p95 of {act}, large beside small (aim: at most 1.5)", f"{b / a:.2f}"] for act, (a, b) in rows.items()]
