"""What a page behind a public link shows: numbers of the stored report, or a release; nobody's name, no way on."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from annotation.models import Release
from annotation.presenters.markdown import html_of
from evaluation.models import PublicLink, Report
from evaluation.presenters.report_claims import trusted
from evaluation.presenters.tables_and_figures import Shown, shown
from evaluation.public_links.study_texts import why_no_texts
from evaluation.table_parts.contents import Table

TABLES = {
    PublicLink.Page.LEADERBOARD: ("leaderboard",),
    PublicLink.Page.TRUST: ("trust_by_criterion", "foils"),
}


def public_context(link: PublicLink) -> dict[str, Any]:
    """What the template of the link's page reads."""
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
        "claims": _claims(report) if link.page == PublicLink.Page.TRUST else [],
    }


def _tables(report: Report, page: str) -> Iterator[Shown]:
    """The stored tables of the page, whose numbers lead nowhere: the rows behind them are texts."""
    for name in TABLES[PublicLink.Page(page)]:
        table = shown(report, name)
        if table is not None and table.table is not None:
            yield replace(table, made=_without_ways(table.table))


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
