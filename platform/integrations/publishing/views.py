"""The page of what a study publishes at services outside, and pulls from them. Authorization sets `request.study`."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.telling import form_page, telling
from foundation.errors import UserError
from integrations.publishing.actions.start_publication import start_publication
from integrations.publishing.actions.start_pull import start_pull
from integrations.publishing.forms import PublicationForm, PullForm
from integrations.publishing.models import Publication
from integrations.publishing.permitted import refuse_publication

SHOWN = 50


@require_http_methods(["GET", "HEAD", "POST"])
def study_publish(request: Any, study: str) -> HttpResponse:
    """The publications; a form pushes one, another pulls a data set or a model, and a job does it."""
    pulls = request.method == "POST" and "pull-target" in request.POST
    chosen = {name: request.GET[name] for name in ("content", "checkpoint") if name in request.GET}
    push = PublicationForm(None if pulls else request.POST or None, study=request.study, initial=chosen)
    pull = PullForm(request.POST if pulls else None)
    form = pull if pulls else push
    if form.is_bound and form.is_valid():
        with telling(form):
            start: Any = start_pull if pulls else start_publication
            made = start(study=request.study, by=request.user, **form.cleaned_data)
            return redirect("job", study=study, job=made.job_id)
    rows = request.study.publications.select_related("job", "release", "checkpoint")[:SHOWN]
    return form_page(
        request, "integrations/publish.html", form, push=push, pull=pull, why=_why_not(request.study),
        publications=[{"one": row, "next": _next(row)} for row in rows],
    )  # fmt: skip


def _why_not(study: Any) -> str:
    """Why nothing of the study may be pushed; "" where it may."""
    try:
        refuse_publication(study, str(Publication.Service.HUGGING_FACE.label))
    except UserError as error:
        return error.sentence
    return ""


def _next(publication: Publication) -> str:
    """The address on which a pulled data set or model goes on."""
    study, result = publication.study.slug, publication.result
    if "checkpoint" in result:
        return reverse("checkpoint", kwargs={"study": study, "checkpoint": result["checkpoint"]})
    if "gold_import" in result:
        return reverse("gold_import", kwargs={"study": study, "number": result["gold_import"]})
    return reverse("table", kwargs={"study": study, "upload": result["table"]}) if "table" in result else ""
