"""Two systems compared output by output."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.option_fields import offer
from corpora.models import Study
from evaluation.models import ReportChoice
from evaluation.report_fields import SPLITS
from evaluation.system_comparison import (
    OUTCOMES,
    Comparison,
    Given,
    HeadToHead,
    as_given,
    chosen_units,
    compare_systems,
    number_or_none,
)
from foundation.errors import UserError
from foundation.word_diff import Piece
from modelserving.presenters.labels import marked_changes

# Two systems beside each other as a page shows them: pairs of outputs with their differences marked, and scores.

EACH_OTHER, SOURCE = AGAINST = ("other", "source")


@dataclass(frozen=True)
class ShownPair:
    number: int
    source: str
    references: Sequence[str]
    outputs: tuple[list[Piece], list[Piece]]
    same: bool
    given: Sequence[Given]


@dataclass(frozen=True)
class Outcome:
    """How many sentences have an outcome, its part of them in percent, and the query of the page that lists them.

    `text` is shown, and `label` said by a screen reader.
    """

    name: str
    text: str
    label: str
    share: float
    start: float
    asks: str


@dataclass(frozen=True)
class SummaryRow:
    row: HeadToHead
    numbers: tuple[float | None, float | None]
    outcomes: Sequence[Outcome]


def shown_pairs(comparison: Comparison, units: Sequence[int], against: str) -> Iterator[ShownPair]:
    """The pairs of some units; `against` says whether changes are marked against the other output or the source."""
    for unit in units:
        pair = comparison.pair(unit)
        yield ShownPair(
            pair.number, pair.source, pair.references, _marked(pair.source, pair.outputs, against),
            bool(comparison.same[unit]), [as_given(comparison, measure, unit) for measure in comparison.measures
                                          if measure.of_sentences],
        )  # fmt: skip


def summary_rows(comparison: Comparison, kept: Mapping[str, str]) -> list[SummaryRow]:
    """The head-to-head with its links; `kept` are the parameters of the page that a link keeps."""
    return [
        SummaryRow(
            row,
            (number_or_none(row.measure.numbers[0]), number_or_none(row.measure.numbers[1])),
            _outcomes(row, comparison.names, kept),
        )
        for row in comparison.summary()
    ]


def _outcomes(row: HeadToHead, names: tuple[str, str], kept: Mapping[str, str]) -> list[Outcome]:
    if row.counts is None:
        return []
    total, start, found = max(sum(row.counts), 1), 0.0, []
    for name, count in zip(OUTCOMES, row.counts, strict=True):
        share = round(100 * count / total, 2)
        asks = urlencode({**kept, "by": row.measure.key, "outcome": name})
        given = {"measure": row.measure.label, "n": count, "name": names[name == "second"]}
        if name == "tie":
            text, label = _("%(n)d equal") % given, _("%(measure)s: %(n)d equal") % given
        else:
            text, label = str(count), _("%(measure)s: %(n)d won by %(name)s") % given
        found.append(Outcome(name, text, label, share, start, asks))
        start = round(start + share, 2)
    return found


def _marked(source: str, outputs: tuple[str, str], against: str) -> tuple[list[Piece], list[Piece]]:
    first, second = outputs
    if against == SOURCE:
        return marked_changes(source, first), marked_changes(source, second)
    return _own(second, first), _own(first, second)


def _own(other: str, text: str) -> list[Piece]:
    """A text with the parts marked that the other lacks; parts that only the other has are marked there."""
    return [piece for piece in marked_changes(other, text) if piece.kind != "gone"]


FALLBACK = {"of": "difference", "order": "highest", "against": "other"}


class CompareForm(forms.Form):
    """Two systems, whose sentences are meant, how they are sorted, and against what differences are marked."""

    first = forms.ChoiceField(label=_("System"))
    second = forms.ChoiceField(label=_("and the system"))
    split = forms.ChoiceField(label=_("Sentences"), required=False)
    direction = forms.ChoiceField(label=_("Direction"), required=False)
    search = forms.CharField(label=_("Search"), required=False, max_length=200)
    by = forms.ChoiceField(label=_("Sort by"), required=False)
    of = forms.ChoiceField(label=_("of it"), required=False)
    order = forms.ChoiceField(
        label=_("Order"), required=False, choices=[("highest", _("Highest first")), ("lowest", _("Lowest first"))]
    )
    outcome = forms.CharField(required=False, widget=forms.HiddenInput)
    differing = forms.BooleanField(label=_("Only outputs that differ"), required=False)
    against = forms.ChoiceField(
        label=_("Mark differences"), required=False,
        choices=[("other", _("from each other")), ("source", _("from the source"))],
    )  # fmt: skip

    def __init__(self, data: Any, *, study: Study, names: tuple[str, str], measures: Any = ()) -> None:
        super().__init__({**FALLBACK, "first": names[0], "second": names[1], **data})
        systems = [(name, name) for name in study.systems.values_list("name", flat=True)]
        directions = [(str(place), direction.name) for place, direction in enumerate(study.directions.all())]
        for name in ("first", "second"):
            offer(self, name, systems)
        offer(self, "split", [("", _("as in the report")), *SPLITS[1:]])
        offer(self, "direction", [("", _("all")), *directions])
        if len(directions) < 2:
            del self.fields["direction"]
        offer(self, "by", [("", _("order of the study")), *[(one.key, one.label) for one in measures]])
        offer(self, "of", [
            ("difference", _("the difference")), ("first", names[0]), ("second", names[1]),
        ])  # fmt: skip


A_PAGE = 20
KEPT = ("first", "second", "split", "direction", "against")
FILTERS = ("search", "outcome", "differing")


@require_safe
def study_compare(request: Any, study: str) -> HttpResponse:
    """The head-to-head and the pairs of outputs by pages; what is chosen stands in the address."""
    names = _names(request)
    if names is None:
        return render(request, "evaluation/compare.html", {"too_few": True})
    asked = {**request.GET.dict(), "first": names[0], "second": names[1]}
    try:
        comparison = compare_systems(request.study, *names, asked.get("split", ""), asked.get("direction", ""))
        page = Paginator(chosen_units(comparison, asked), A_PAGE).get_page(asked.get("page"))
    except UserError as error:
        form = CompareForm(asked, study=request.study, names=names)
        return render(request, "evaluation/compare.html", {"error": str(error), "form": form}, status=422)
    context = {**_context(request, comparison, asked, page), "names": names}
    return render(request, "evaluation/compare.html", context)


def _context(request: Any, comparison: Comparison, asked: dict[str, str], page: Any) -> dict[str, Any]:
    against = asked.get("against", "")
    against = against if against in AGAINST else AGAINST[0]
    kept = {key: asked[key] for key in KEPT if asked.get(key)}
    measures = [measure for measure in comparison.measures if measure.of_sentences]
    return {
        "form": CompareForm(asked, study=request.study, names=comparison.names, measures=measures),
        "comparison": comparison,
        "summary": summary_rows(comparison, kept),
        "by": next((measure.label for measure in measures if measure.key == asked.get("by")), ""),
        "outcome": asked.get("outcome", ""),
        "filtered": any(asked.get(key) for key in FILTERS),
        "against": against,
        "page": page,
        "pairs": list(shown_pairs(comparison, page.object_list, against)),
    }


def _names(request: Any) -> tuple[str, str] | None:
    """The two systems that are asked for; else the baseline and the first other one. None where there are not two."""
    names = list(request.study.systems.values_list("name", flat=True))
    if len(names) < 2:
        return None
    choice = ReportChoice.objects.select_related("baseline").filter(study=request.study).first()
    usual = choice.baseline.name if choice and choice.baseline else names[0]
    first = request.GET.get("first") or (usual if usual != request.GET.get("second") else names[0])
    return first, request.GET.get("second") or next((name for name in names if name != first), "")
