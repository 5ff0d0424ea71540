"""The rows behind a number of the report."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from evaluation.drilldown import NumberRows, rows_behind
from evaluation.views.localized_numbers import localized
from foundation.errors import UserError
from jobs.stored_sentences import in_readers_language

A_PAGE = 25
A_FEW = 3


@require_safe
def study_rows(request: Any, study: str) -> HttpResponse:
    """All rows by pages, the lowest or the highest first; htmx gets the first few."""
    if not request.GET:
        return render(request, "evaluation/rows.html")
    try:
        behind = rows_behind(request.study, request.GET.dict())
    except UserError as error:
        return render(request, "evaluation/rows.html", {"error": str(error)}, status=422)
    context = {"behind": behind, "adds_up": _adds_up(behind)}
    if request.htmx:
        few = {"rows": behind.rows[:A_FEW], "few": True, "all_of_them": request.get_full_path()}
        return render(request, "evaluation/_rows.html", context | few)
    highest = request.GET.get("order") == "highest"
    page = Paginator(behind.rows[::-1] if highest else behind.rows, A_PAGE).get_page(request.GET.get("page"))
    return render(
        request, "evaluation/rows.html", context | {"page": page, "rows": page.object_list, "highest": highest}
    )


def _adds_up(behind: NumberRows) -> str:
    """The sentence on how the number results from the rows."""
    given = {"n": behind.many, "rows": len(behind.rows), "mean": _short(behind.mean)}
    if behind.value is None and behind.undefined:
        return _("Undefined, because: %(why)s") % {"why": in_readers_language(behind.undefined)}
    if behind.value is None:
        return _("The report has no such number.")
    rows = len(behind.rows)
    if not behind.many:
        return ngettext(
            "This number is the score of the one text.",
            "This number is the score of all %(rows)s texts together; single scores are not kept.", rows,
        ) % given  # fmt: skip
    if behind.judged and behind.many == rows:
        return ngettext(
            "This number is the judgement of one output.",
            "This number is the mean of the judgements of %(rows)s outputs.", rows,
        ) % given  # fmt: skip
    if behind.judged:
        return ngettext(
            "This number is the mean of %(n)s judgements of one output.",
            "This number is the mean of %(n)s judgements of %(rows)s outputs; each judgement counts once.", rows,
        ) % given  # fmt: skip
    if behind.is_mean:
        return ngettext(
            "This number is the score of one output.",
            "This number is the mean of the scores of %(n)s outputs.", behind.many,
        ) % given  # fmt: skip
    return (
        _(
            "This number is computed over all %(rows)s outputs together and is not a mean. The %(n)s scores of "
            "single outputs have the mean %(mean)s."
        )
        % given
    )


def _short(value: float | None) -> str:
    return "" if value is None else localized(f"{value:.2f}")
