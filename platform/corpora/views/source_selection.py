"""The pages where sentences of documents become sources, and where the splits are shared out."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.telling import form_page, go_on, telling
from corpora.actions.assign_splits import assign_splits
from corpora.actions.select_sources import select_sources
from corpora.actions.start_selection import start_selection
from corpora.background_jobs import needs_job
from corpora.documents import bars, split_counts
from corpora.forms.documents import SelectForm, SplitForm
from corpora.knowledge.formality import scorer
from corpora.selection_rules import SELECTIONS
from corpora.source_selection import LABELS, Choice, choose_sentences
from corpora.splits import left_out_message
from corpora.views.texts import texts_url


@require_http_methods(["GET", "HEAD", "POST"])
def sources_select(request: Any, study: str) -> HttpResponse:
    """Rule, documents and sample; the sentences are counted before anything is written."""
    asked = request.POST if request.method == "POST" else request.GET
    rule = asked.get("rule", "") if asked.get("rule", "") in SELECTIONS else "everything"
    usual = SELECTIONS[rule].check_settings({})
    form = SelectForm(request.POST if request.method == "POST" else None, study=request.study, rule=rule,
                      settings=dict(usual))  # fmt: skip
    choice = None
    if form.is_valid():
        with telling(form):
            if needs_job(form.chosen_direction(), form.wish()):
                return _queued(request, form)
            if "write" in request.POST:
                return _written(request, form)
            choice = choose_sentences(form.chosen_direction(), form.wish(), split=form.cleaned_data["split"])
    context = {
        "unscored": SELECTIONS[rule].needs_formality and scorer() is None,
        "rule": rule, "choice": choice, "bars": _bars(choice) if choice else [],
        "rules": [(name, SELECTIONS[name]) for name in SELECTIONS], "has_documents": request.study.documents.exists(),
    }  # fmt: skip
    return form_page(request, "corpora/sources_select.html", form, **context)


def _queued(request: Any, form: SelectForm) -> HttpResponse:
    """There are too many sentences for this request: the job's page follows them."""
    run = start_selection(
        direction=form.chosen_direction(), wish=form.wish(), split=form.cleaned_data["split"],
        preview="write" not in request.POST, by=request.user,
    )  # fmt: skip
    return redirect("job", study=request.study.slug, job=run.job_id)


def _written(request: Any, form: SelectForm) -> HttpResponse:
    direction = form.chosen_direction()
    choice = select_sources(
        direction=direction, wish=form.wish(), split=form.cleaned_data["split"], by=request.user
    )  # fmt: skip
    said = _("%(taken)s sentences are sources now; %(left)s were left out.")
    counts = {"taken": f"{len(choice.taken):,}", "left": f"{choice.left.total():,}"}
    return go_on(request, said % counts, texts_url(direction))


def _bars(choice: Choice) -> list[Any]:
    return bars([(_("Selected"), len(choice.taken)), *((_(LABELS[why]), n) for why, n in choice.left.most_common())])


@require_http_methods(["GET", "HEAD", "POST"])
def study_splits(request: Any, study: str) -> HttpResponse:
    """Where documents and sentences are, and the form that shares them out anew."""
    form = SplitForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        given = form.cleaned_data
        with telling(form, "train"):
            counts = assign_splits(
                study=request.study, rule=given["rule"], seed=given["seed"], by=request.user,
                proportions={name: given[name] for name in ("train", "tune", "test")},
            )  # fmt: skip
            messages.success(request, _("The texts are split."))
            if counts["held_out"]:
                messages.warning(
                    request,
                    _("Trainings leave out some texts: %(said)s") % {"said": left_out_message(counts["held_out"])},
                )
            return redirect("study_splits", study=study)
    charts = split_counts(request.study)
    *split, none = (bar.count for bar in charts["documents"])
    return form_page(request, "corpora/splits.html", form, charts=charts, without=none if any(split) else 0)
