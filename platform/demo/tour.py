"""The tour of the demo: pages of its larger study in the order of its story, those that the person may open."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.permissions import Can
from accounts.permissions.routes import ROUTES, ByMethod
from corpora.members import only_annotates
from corpora.models import Study

SLUG = "plain-letters"
LENGTH = 5
# The last ones replace those that a person may not open.
STOPS = (
    ("study_report", gettext_noop("Which system is best?"), gettext_noop(
        "Twelve raters judged six systems. The careful writer is best on every criterion, with intervals and tests.")),
    ("study_trust", gettext_noop("Which metric to trust?"), gettext_noop(
        "BLEU likes the fluent guesser most, which says the opposite where it matters. People were not fooled.")),
    ("training", gettext_noop("A model in training"), gettext_noop(
        "A small network learns from this study's own pairs: its curves, its samples, and what it cost.")),
    ("try_it", gettext_noop("Try it"), gettext_noop(
        "Type a sentence as a doctor writes it. The phrases of this study answer at once.")),
    ("study_gold", gettext_noop("A corpus with a release"), gettext_noop(
        "People wrote, a reviewer accepted, and the release froze it: with a datasheet, checksums and splits.")),
    ("study_reviews", gettext_noop("Review what people wrote"), gettext_noop(
        "Six rewrites wait for a decision: accept, mend or reject them, with a reason that their writer reads.")),
    ("study_compare", gettext_noop("Two systems side by side"), gettext_noop(
        "Sentence by sentence: where they differ, and whom people preferred.")),
    ("study_human", gettext_noop("A plan that is frozen"), gettext_noop(
        "Sample, cost and power were known before it opened. Since then a hash says that nothing was changed.")),
)  # fmt: skip


@dataclass(frozen=True)
class Stop:
    number: int
    title: str
    text: str
    url: str


@dataclass(frozen=True)
class TourBar:
    """Where on the tour a page is: its stop, and the stops before and after it."""

    here: Stop
    before: Stop | None
    after: Stop | None
    length: int


def tour_of(person: Any) -> list[Stop]:
    """The stops for a person; none where there is no demo, or who only annotates. One query, or two."""
    if not (settings.EMBEDDED and settings.DEMO) or only_annotates(person):
        return []
    active = Study.objects.of(person).with_role_of(person).active()
    study = active.filter(slug__regex=rf"^{SLUG}(-[0-9]+)?$").order_by("-pk").first()
    if study is None:
        return []
    training = study.trainings.order_by("-pk").values_list("pk", flat=True).first()
    stops: list[Stop] = []
    for route, title, text in STOPS:
        if len(stops) < LENGTH and _opens(route, person, study) and (route != "training" or training):
            arguments = [study.slug, training] if route == "training" else [study.slug]
            address = f"{reverse(route, args=arguments)}?tour={len(stops) + 1}"
            stops.append(Stop(len(stops) + 1, _(title), _(text), address))
    return stops


def _opens(route: str, person: Any, study: Study) -> bool:
    row = ROUTES[route]
    need = row.read if isinstance(row, ByMethod) else row
    return isinstance(need, Can) and study.can(person, need)


def tour_bar(request: HttpRequest) -> TourBar | None:
    """The bar of a page whose address says that it is a stop of the tour."""
    asked = request.GET.get("tour", "")
    stops = tour_of(request.user) if asked.isascii() and asked.isdecimal() else []
    if not stops or not 0 < int(asked[:3]) <= len(stops):
        return None
    at = int(asked) - 1
    return TourBar(stops[at], stops[at - 1] if at else None, stops[at + 1] if at + 1 < len(stops) else None, len(stops))
