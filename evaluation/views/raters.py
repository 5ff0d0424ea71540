"""Raters: how far each two agree, the texts on which they differ, and who is left out of a human study's results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import Person
from accounts.telling import telling
from evaluation.actions.exclude_rater import exclude_rater
from evaluation.actions.include_rater import include_rater
from evaluation.drilldown import judged_by_two
from evaluation.human_studies.main_comparison import exclusion_effect
from evaluation.human_studies.requested import human_study_of
from evaluation.human_studies.workers import workers_of
from evaluation.models import HumanStudy
from evaluation.table_parts.contents import Cell
from evaluation.views.localized_numbers import number_cell
from evaluation.views.report_state import freshness, report_of
from foundation.errors import UserError

# The agreement of each two raters, and the texts on which they differ.

# The stored agreement of each two raters as a page shows it: a matrix whose shades follow the values.

SHADES = ((0.8, 5), (0.6, 4), (0.4, 3), (0.2, 2), (0.0, 1))  # from such a value on; below zero it is 0


@dataclass(frozen=True)
class RaterMap:
    """The raters in their order, and for each a row: the others, their agreement with them and its shade, 0 to 5.

    The cell is None for themselves; the shade without a number. `n` is the number of texts that both judged, and a
    cell's rows are those texts.
    """

    criterion: str
    raters: list[int]
    rows: list[tuple[int, list[tuple[int, Cell | None, int | None]]]]
    left_out: int
    reasons: list[str]


def rater_map(stored: dict[str, Any]) -> RaterMap:
    """The map of one criterion."""
    criterion, order = stored["criterion"], stored["raters"]
    pairs = {frozenset((pair["a"], pair["b"])): pair for pair in stored["pairs"]}
    rows = [(one, [_with_other(criterion, one, other, pairs) for other in order]) for one in order]
    reasons = list(dict.fromkeys(pair["undefined"] for pair in stored["pairs"] if pair["undefined"]))
    return RaterMap(criterion, order, rows, stored["judged"] - len(order), reasons)


def _with_other(
    criterion: str, one: int, other: int, pairs: Mapping[frozenset[int], dict[str, Any]]
) -> tuple[int, Cell | None, int | None]:
    pair = pairs.get(frozenset((one, other)))
    if pair is None:
        return other, None, None
    texts = {"criterion": criterion, "a": str(one), "b": str(other)} if pair["items"] else {}
    return other, number_cell(pair, parts={"n": pair["items"]}, rows=texts), _shade(pair["value"])


def _shade(value: float | None) -> int | None:
    if value is None:
        return None
    return next((shade for least, shade in SHADES if value >= least), 0)


A_PAGE = 25


@require_safe
def study_raters(request: Any, study: str) -> HttpResponse:
    """The map of one criterion, `?criterion=`, as it was stored with the report."""
    report = report_of(request)
    stored = report.content.get("rater_pairs", []) if report else []
    criteria = [one["criterion"] for one in stored]
    asked = request.GET.get("criterion", "")
    chosen = next((one for one in stored if one["criterion"] == asked), stored[0] if stored else None)
    context = {
        **freshness(request, report), "criteria": criteria, "map": rater_map(chosen) if chosen else None,
    }  # fmt: skip
    return render(request, "evaluation/raters/map.html", context)


@require_safe
def study_rater_pair(request: Any, study: str) -> HttpResponse:
    """The texts that `?a=` and `?b=` both judged on `?criterion=`, those on which they differ most first."""
    if not request.GET:
        return redirect("study_raters", study=study)  # where a pair is chosen
    asked = request.GET.dict()
    context: dict[str, Any] = {"asked": asked}
    try:
        rows = judged_by_two(request.study, asked)
    except UserError as error:
        return render(request, "evaluation/raters/pair.html", {**context, "error": str(error)}, status=422)
    page = Paginator(rows, A_PAGE).get_page(asked.get("page"))
    same = sum(row.apart == 0 for row in rows)
    return render(request, "evaluation/raters/pair.html", {**context, "page": page, "count": len(rows), "same": same})


# The page on which somebody who judged is left out of a human study's results, or taken back.


@require_http_methods(["GET", "HEAD", "POST"])
def human_rater(request: Any, study: str, human: str, rater: UUID) -> HttpResponse:
    """Show the changes if this person is left out, or taken back in, then make them."""
    human_study, person, told = human_study_of(request, human), str(rater), telling()
    back = any(exclusion["person"] == person for exclusion in human_study.excluded)
    if request.method == "POST":
        with told:
            if back:
                include_rater(human_study=human_study, person=person, by=request.user)
            else:
                exclude_rater(
                    human_study=human_study, person=person, reason=request.POST.get("reason", ""), by=request.user
                )
            return redirect("human_study", study, human)
    return _confirm(request, human_study, person, back, told.error.sentence if told.error else None)


def _confirm(request: Any, human_study: HumanStudy, person: str, back: bool, why: str | None) -> HttpResponse:
    workers = workers_of(human_study) if human_study.frozen else {}
    who = Person.objects.filter(pseudonym=person).first()
    if who is None or person not in workers:
        messages.error(request, why or _("No rater of this human study has this pseudonym."))
        return redirect("human_study", human_study.study.slug, human_study.slug)
    context = {
        "human": human_study, "label": str(who), "back": back, "why": why, "reason": request.POST.get("reason", ""),
        "answers": workers[person].answers, "effect": exclusion_effect(human_study, person, workers, back=back),
    }  # fmt: skip
    return render(request, "evaluation/human_studies/rater.html", context, status=422 if why else 200)
