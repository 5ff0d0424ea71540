"""The pages of gold: its export, releases, imports, and the raw answers. Authorization sets `request.study`."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Can, may
from accounts.telling import form_page, telling
from annotation.actions.start_gold_import import bring_gold_in, start_gold_import
from annotation.actions.start_release import start_release
from annotation.answer_export import EXPORT_FORMATS
from annotation.campaigns.requested import campaign_of, release_or_404
from annotation.forms.gold import GoldImportForm, RawAnswersForm, ReleaseForm
from annotation.gold.release.downloads import release_download
from annotation.gold.release.missing_rows import missing_words
from annotation.gold.release.settings import gold_formats
from annotation.gold.rewrites import REWRITE_FORMATS, rewrite_counts
from annotation.models import Campaign, GoldImport
from annotation.presenters.answers import answers_as_file, file_of
from annotation.presenters.markdown import html_of
from annotation.progress.counts import answered_by_campaign
from annotation.task_types import TASK_TYPES
from corpora.splits import left_out_message
from foundation.errors import UserError


@require_safe
def study_gold(request: HttpRequest, study: str) -> HttpResponse:
    return _gold_page(request)


@require_safe
def gold_file(request: Any, study: str, form: str) -> HttpResponse | StreamingHttpResponse:
    """The gold rewrites as a file."""
    if form not in REWRITE_FORMATS:
        raise Http404
    try:
        return file_of(request.study, form)
    except UserError as error:
        return _gold_page(request, error=str(error), status=422)


def _gold_page(request: Any, error: str = "", status: int = 200) -> HttpResponse:
    campaigns = request.study.campaigns.filter(task_type="rewrite")
    context = {
        "study": request.study,
        "counts": rewrite_counts(request.study),
        "campaigns": campaigns,
        "exports": REWRITE_FORMATS,
        "releases": request.study.releases.defer("digests", "datasheet", "guidelines", "key").order_by("-number"),
        "running": request.study.release_runs.filter(job__state__in=["queued", "running"]).first(),
        "imports": request.study.gold_imports.select_related("job")[:20],
        "may_edit": may(request.user, Can.EDIT_STUDY, request.study),
        "may_release": may(request.user, Can.RELEASE, request.study),
        "error": error,
    }
    return render(request, "annotation/gold.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def release_new(request: Any, study: str) -> HttpResponse:
    """Ask for a release; a job makes it."""
    form = ReleaseForm(request.POST if request.method == "POST" else None, study=request.study)
    if form.is_bound and form.is_valid():
        with telling(form):
            run = start_release(study=request.study, by=request.user, **form.asked())
            return redirect("job", study=study, job=run.job_id)
    return form_page(request, "annotation/release_new.html", form)


@require_safe
def release(request: Any, study: str, number: int) -> HttpResponse:
    """A release: its files with their checksums, its datasheet, its guidelines."""
    shown_release = release_or_404(request, number)
    context = {
        "release": shown_release,
        "missing": missing_words(shown_release.counts.get("missing", {})),
        "datasheet": html_of(shown_release.datasheet),
        "guidelines": [{**guideline, "html": html_of(guideline["text"])} for guideline in shown_release.guidelines],
    }
    return render(request, "annotation/release.html", context)


@require_safe
def release_file(request: Any, study: str, number: int, name: str) -> StreamingHttpResponse:
    """A file of a release, checked as it leaves."""
    shown_release = release_or_404(request, number)
    return release_download(shown_release, get_object_or_404(shown_release.files, name=name))


@require_http_methods(["GET", "HEAD", "POST"])
def gold_import_new(request: Any, study: str) -> HttpResponse:
    """Choose the file; a job looks at it and counts, and nothing is written yet."""
    bound = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = GoldImportForm(*bound)
    if form.is_bound and form.is_valid():
        with telling(form):
            gold_import = start_gold_import(study=request.study, by=request.user, **form.asked())
            return redirect("gold_import", study=study, number=gold_import.pk)
    return form_page(request, "annotation/gold_import_new.html", form, forms=gold_formats().values())


@require_safe
def gold_import(request: Any, study: str, number: int) -> HttpResponse:
    return _import_page(request, _import_or_404(request, number))


@require_POST
def gold_import_bring(request: Any, study: str, number: int) -> HttpResponse:
    gold_import = _import_or_404(request, number)
    with telling() as told:
        bring_gold_in(gold_import=gold_import, by=request.user)
        return redirect("gold_import", study=study, number=number)
    return _import_page(request, gold_import, str(told.error), 422)


def _import_or_404(request: Any, number: int) -> GoldImport:
    return get_object_or_404(request.study.gold_imports.select_related("job"), pk=number)


def _import_page(request: Any, gold_import: GoldImport, error: str = "", status: int = 200) -> HttpResponse:
    counts = gold_import.brought or gold_import.found
    context = {
        "gold_import": gold_import, "job": gold_import.job, "counts": counts, "error": error,
        "sources": _rows(counts["sources"]) if counts else [],
        "left": left_out_message(counts["left"]) if counts else "",
        "forms": [_(gold_formats()[name].title) for name in counts["forms"]] if counts else [],
        "waits": gold_import.job.state in ("queued", "running"), "may_bring": bool(counts) and not gold_import.writes,
    }  # fmt: skip
    return render(request, "annotation/gold_import.html", context, status=status)


def _rows(sources: dict[str, dict[str, int]]) -> list[dict[str, Any]]:
    return [{"direction": name, **{of: splits.get(of, 0) for of in ("train", "tune", "test")}}
            for name, splits in sources.items()]  # fmt: skip


@require_safe
def study_answers(request: Any, study: str) -> HttpResponse:
    return _answers_page(request)


@require_safe
def study_answers_file(request: Any, study: str) -> HttpResponse | StreamingHttpResponse:
    """The answers of all campaigns as a file."""
    return _file_or_page(request)


@require_safe
def campaign_answers_file(request: Any, study: str, campaign: str) -> HttpResponse | StreamingHttpResponse:
    """The answers of one campaign as a file."""
    return _file_or_page(request, campaign_of(request, campaign))


def _file_or_page(request: Any, campaign: Campaign | None = None) -> HttpResponse | StreamingHttpResponse:
    try:
        return answers_as_file(request.study, request.GET.dict(), request.user, campaign)
    except UserError as error:
        return _answers_page(request, error, campaign)


def _answers_page(request: Any, error: UserError | None = None, campaign: Campaign | None = None) -> HttpResponse:
    form = RawAnswersForm(request.GET if error else None)
    context = {
        "campaigns": [
            {"one": campaign, "kind": TASK_TYPES[campaign.task_type]}
            for campaign in answered_by_campaign(request.study)
        ],
        "campaign": campaign,
        "form": form,
        "forms": EXPORT_FORMATS,
        "error": error,
    }
    return render(request, "annotation/raw_answers.html", context, status=422 if error else 200)
