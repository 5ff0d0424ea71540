"""The figure of bringing texts in: a study's sentences with a system's outputs, and a campaign on them."""

from accounts.models import Person
from annotation.models import Campaign
from corpora.models import Study
from tools.bench.bench_study import add_outputs, make_campaign, make_study
from tools.bench.clock import Took, timed
from tools.bench.measurement_sizes import Sizes
from tools.bench.web_server import embedded_processes


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
