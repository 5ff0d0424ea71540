"""The page where likely identifiers are decided on, one by one or many of a kind."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts.telling import telling
from corpora.actions.decide_flags import decide_flags
from corpora.documents import bars, held_by_kind, held_of, pieces
from corpora.knowledge.identifiers import KINDS
from foundation.errors import UserError

A_PAGE = 20


@require_safe
def study_flags(request: Any, study: str) -> HttpResponse:
    """The held sentences in order, all or those with one kind of flag."""
    kind = _kind(request.GET)
    page = Paginator(held_of(request.study, kind=kind), A_PAGE).get_page(request.GET.get("page"))
    for sentence in page:
        sentence.pieces = pieces(sentence.text, sentence.flags)
    context = {
        "page": page, "kind": kind, "bars": bars(held_by_kind(request.study)),
        "decisions": [("clear", _("Clear")), ("mask", _("Mask")), ("drop", _("Drop"))],
        "alone": held_of(request.study, kind=kind, only=True).count() if kind else 0,
    }  # fmt: skip
    return render(request, "corpora/flags.html", context)


@require_POST
def flags_decide(request: Any, study: str) -> HttpResponse:
    """Decide on one sentence, or on all whose flags are of one kind alone."""
    kind, one = _kind(request.POST), request.POST.get("sentence", "")
    rows = held_of(request.study, kind=kind, only=True) if not one else held_of(request.study)
    with telling(request):
        if not one and not kind:
            raise UserError(_("Choose a sentence or a kind of flag."))
        rows = rows.filter(pk=int(one)) if one.isdecimal() and len(one) < 19 else rows
        count = decide_flags(
            study=request.study,
            sentences=rows if one.isdecimal() or not one else rows.none(),
            decision=request.POST.get("decision", ""), by=request.user,
        )  # fmt: skip
        said = ngettext("%(n)s sentence is decided.", "%(n)s sentences are decided.", count)
        messages.success(request, said % {"n": f"{count:,}"})
    shown_kind = _kind({"kind": request.POST.get("shown", "")})
    return redirect(reverse("study_flags", args=[study], query={"kind": shown_kind} if shown_kind else None))


def _kind(given: Any) -> str:
    kind = given.get("kind", "")
    return kind if kind in KINDS else ""
