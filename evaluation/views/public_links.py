"""Links to show a page of a study: made and revoked in the study, and the page that anybody with one reads."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from allauth.core.internal import ratelimit
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.authentication import note_use
from accounts.telling import telling
from annotation.models import Release
from annotation.presenters.markdown import html_of
from evaluation.actions.make_public_link import make_public_link
from evaluation.actions.revoke_public_link import revoke_public_link
from evaluation.forms import PublicLinkForm
from evaluation.models import PublicLink, Report
from evaluation.public_links import public_link_of, why_no_texts
from evaluation.table_parts.contents import Table, in_order
from evaluation.views.claims import in_short, trusted
from evaluation.views.tables_and_figures import Shown, shown

TABLES = {
    PublicLink.Page.LEADERBOARD: ("leaderboard",),
    PublicLink.Page.TRUST: ("trust_by_criterion", "foils", "contrast"),
}
FIGURES = {
    PublicLink.Page.LEADERBOARD: ("leaderboard_figure",),
    PublicLink.Page.TRUST: ("trust_figure", "foils_figure"),
    PublicLink.Page.REPORT: ("leaderboard_figure", "trust_figure", "foils_figure"),
}
"""The charts of a page: of numbers of systems and metrics alone."""
WORDS = frozenset({
    "BERTScore", "Coefficient", "Counted", "Criterion", "Domain", "Fooled by", "Level", "Metric", "Model", "People",
    "System", "Texts",
})  # fmt: skip
"""The heads of columns of words that a whole report shows: names, and no text of the study.

A table with any other column of words, such as examples or the table of raters, is left out.
"""


def public_context(link: PublicLink) -> dict[str, Any]:
    """The context of the template of the link's page."""
    context: dict[str, Any] = {"link": link, "title": link.study.title, "kind": link.get_page_display()}
    if link.release is not None:
        return context | _release(link, link.release)
    report = Report.objects.filter(study=link.study).first()
    if report is None:
        return context
    return context | {
        "report": report,
        "split": report.content.get("split", ""),
        "units": report.content.get("units", 0),
        "unit": link.study.unit,
        "tables": list(_tables(report, link.page)),
        "figures": _figures(report, link.page),
        "claims": _claims(report) if link.page == PublicLink.Page.TRUST else [],
        **_short(report, link.page),
    }


def _short(report: Report, page: str) -> dict[str, Any]:
    if page != PublicLink.Page.REPORT:
        return {}
    systems, criteria = in_short(report.content)
    return {"whole": True, "short_systems": systems, "short": criteria}


def _tables(report: Report, page: str) -> Iterator[Shown]:
    """The stored tables of the page, whose numbers lead nowhere: the rows behind them are texts."""
    whole = page == PublicLink.Page.REPORT
    stored = report.tables_and_figures
    names = [one["name"] for one in in_order(stored)] if whole else TABLES[PublicLink.Page(page)]
    for name in names:
        table = shown(report, name)
        if table is not None and table.table is not None and (not whole or _is_of_numbers(table.table)):
            yield replace(table, content=_without_ways(table.table))


def _figures(report: Report, page: str) -> list[Shown]:
    """The stored charts of the page, which holds their data: no other address is asked."""
    every = (shown(report, name) for name in FIGURES[PublicLink.Page(page)])
    return [one for one in every if one is not None and one.figure is not None]


def _is_of_numbers(table: Table) -> bool:
    """Whether it holds numbers and names alone."""
    return all(column.numbers or column.head in WORDS for column in table.columns)


def _without_ways(table: Table) -> Table:
    return replace(table, rows=[[replace(cell, rows={}) for cell in row] for row in table.rows])


def _claims(report: Report) -> list[str]:
    trust = report.content.get("trust") or {"criteria": {}}
    return [trusted(name, one, "sentence") for name, one in trust["criteria"].items() if one["sentence"]]


def _release(link: PublicLink, release: Release) -> dict[str, Any]:
    """The numbers of a release; its datasheet and guidelines where the link shows texts and the study still permits."""
    context: dict[str, Any] = {
        "release": release,
        "files": [
            {"name": file.name, "size": file.size, "rows": file.rows, "sha256": file.sha256}
            for file in release.files.all()
        ],
    }
    if link.with_texts and not why_no_texts(link.study):
        context["datasheet"] = html_of(release.datasheet)
        context["guidelines"] = [{**one, "html": html_of(one["text"])} for one in release.guidelines]
    return context


@require_http_methods(["GET", "HEAD", "POST"])
def study_public_links(request: Any, study: str) -> HttpResponse:
    """The links of the study; the address of a new one is in the answer to its making and nowhere else."""
    data = request.POST if request.method == "POST" else None
    form = PublicLinkForm(data, study=request.study, initial={"page": request.GET.get("page", PublicLink.Page.REPORT)})
    made, address = None, ""
    if form.is_bound and form.is_valid():
        with telling(form):
            made, secret = make_public_link(study=request.study, by=request.user, **form.link())
            address = request.build_absolute_uri(reverse("public_page", args=[secret]))
            form = PublicLinkForm(study=request.study)
    context = {
        "form": form, "made": made, "address": address,
        "links": request.study.public_links.select_related("made_by", "release"),
    }  # fmt: skip
    return render(request, "evaluation/public_links/links.html", context, status=422 if form.is_bound else 200)


@require_POST
def public_link_revoke(request: Any, study: str, link: int) -> HttpResponse:
    revoke_public_link(link=get_object_or_404(request.study.public_links, pk=link), by=request.user)
    messages.success(request, _("The link no longer works."))
    return redirect("study_public_links", study=study)


@require_safe
def public_page(request: Any, secret: str) -> HttpResponse:
    """The page of a link, for anybody who has it; one that is no longer open says so."""
    if not ratelimit.consume(request, app="allauth.account", action="public_page", limit_get=True):
        return render(request, "429.html", status=429)
    link = public_link_of(secret)
    if link is not None and link.is_open:
        note_use(link)
        answer = render(request, "evaluation/public_links/page.html", public_context(link))
    else:
        status = 410 if link else 404
        answer = render(request, "evaluation/public_links/closed.html", {"link": link}, status=status)
    answer["X-Robots-Tag"] = "noindex, nofollow"
    return answer
