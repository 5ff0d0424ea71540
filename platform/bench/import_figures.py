"""The figure of bringing texts in: a study's sentences with a system's outputs, and a campaign on them."""

import time
from typing import NamedTuple

from accounts.models import Person
from annotation.models import Campaign
from bench.bench_study import add_outputs, make_campaign, make_study
from bench.measurement_sizes import Sizes


class Imported(NamedTuple):
    """What was made, and the seconds that it took."""

    campaign: Campaign
    texts: float
    items: float


def importing(sizes: Sizes, by: Person) -> Imported:
    """The sentences and outputs, then items with three assignments each."""
    began = time.perf_counter()
    study = make_study("rating", sizes.items, by)
    add_outputs(study, by)
    stored = time.perf_counter()
    campaign = make_campaign(study, "rate", by)
    return Imported(campaign, stored - began, time.perf_counter() - stored)
