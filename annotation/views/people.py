"""The people of a campaign: the work of each, the acts that it allows, and how far they agree."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import Person
from accounts.permissions import Can, may
from accounts.telling import go_on, telling
from annotation.actions.start_agreement import start_agreement
from annotation.agreement import Agreement, Value
from annotation.campaigns.requested import campaign_of, worker_of
from annotation.presenters.people import act_on, agreement_of, named, overview, pseudonyms_of
from annotation.progress.pace import answers_by_day
from annotation.review import unreviewed_answers
from evaluation.metrics import METRICS
from foundation.downloads import as_attachment
from foundation.key_labels import label_of_key


@require_http_methods(["GET", "HEAD", "POST"])
def worker(request: Any, study: str, campaign: str, worker: int) -> HttpResponse:
    campaign_object = campaign_of(request, campaign)
    who = worker_of(campaign_object, worker)
    if request.method == "POST":
        with telling(request, "reason"):
            said = {key: request.POST.get(key, "") for key in ("act", "reason")}
            count = act_on(campaign_object, who, request.user, **said)
            return go_on(request, _act_message(said["act"], count), "campaign_worker", study, campaign, worker)
    context = {
        **overview(campaign_object, who),
        "campaign": campaign_object,
        "who": who,
        "role": _role(request.study, who),
        "days": answers_by_day(campaign_object, person=who),
        "waiting": unreviewed_answers(campaign=campaign_object, person=who).count(),
        "may_decide": may(request.user, Can.EDIT_STUDY, request.study),
        "reason": request.POST.get("reason", ""),  # of a pause that was refused
    }
    return render(request, "annotation/worker.html", context, status=422 if request.method == "POST" else 200)


def _act_message(act: str, count: int) -> str:
    if act == "reject":
        said = ngettext("%d answer was rejected; its item goes to somebody else.",
                        "%d answers were rejected; their items go to others.", count)  # fmt: skip
        return said.replace("%d", str(count))  # some languages say one and two without a digit
    messages_by_act = {
        "pause": _("They are paused and get no more work here."),
        "resume": _("They may continue."),
        "keep": _("Their work is kept unchanged."),
    }
    return messages_by_act[act]


def _role(study: Any, who: Person) -> str:
    """Their role in the study, in words."""
    return _(label_of_key(study.role_of(who) or "")) if study.role_of(who) else ""


SHADES = 8


@require_http_methods(["GET", "HEAD", "POST"])
def agreement(request: Any, study: str, campaign: str) -> HttpResponse:
    campaign_object = campaign_of(request, campaign)
    if request.method == "POST":
        with telling(request):
            return redirect("job", study, start_agreement(campaign=campaign_object, by=request.user).job_id)
    measured, run = agreement_of(campaign_object)
    context = {
        "campaign": campaign_object,
        "made": measured,
        "run": run,
        "tables": _tables(measured) if measured else [],
        "reference": measured.people[0] if measured and measured.people else None,
        "ranges": [(label, measured.against_reference().get(name)) for name, label in measured.measures]
        if measured
        else [],
        "with_model": not METRICS["bertscore"].unavailable(),
        "may_measure": may(request.user, Can.RUN_METRICS, request.study),
    }
    return render(request, "annotation/agreement.html", context, status=422 if request.method == "POST" else 200)


@require_safe
def agreement_file(request: Any, study: str, campaign: str, form: str) -> HttpResponse:
    """The numbers as CSV or JSON; people by their pseudonyms."""
    campaign_object = campaign_of(request, campaign)
    measured, _run = agreement_of(campaign_object)
    if measured is None or form not in ("csv", "json"):
        raise Http404("There is no such file.")
    headers = as_attachment(f"agreement-{campaign_object.slug}.{form}")
    if form == "json":
        return JsonResponse(named(measured, campaign_object), headers=headers)
    return HttpResponse(
        _csv(measured, pseudonyms_of(campaign_object)), content_type="text/csv; charset=utf-8", headers=headers
    )


def _csv(measured: Agreement, names: dict[int, Any]) -> str:
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(["reference", "annotator", "measure", "mean", "lowest", "highest", "items"])
    for pair in measured.pairs:
        for name, value in pair.values.items():
            writer.writerow([names.get(pair.a), names.get(pair.b), name, value.mean, value.low, value.high, value.n])
    for alpha in measured.alphas:
        writer.writerow(["", "", f"alpha {alpha.name} ({alpha.level})", alpha.value, "", "", alpha.units])
    return text.getvalue()


def _tables(measured: Agreement) -> list[dict[str, Any]]:
    """A table for each measure: a row and a column a person, with a shade from the lowest value to the highest."""
    return [{"name": name, "label": label, "rows": list(_rows(measured, name))} for name, label in measured.measures]


def _rows(measured: Agreement, name: str) -> Iterator[dict[str, Any]]:
    values = {(pair.a, pair.b): pair.values[name] for pair in measured.pairs if name in pair.values}
    values |= {(b, a): value for (a, b), value in list(values.items())}
    means = [value.mean for value in values.values()]
    for pk, person, _count in measured.people:
        cells = [(values.get((pk, other)), label) for other, label, _ in measured.people]
        yield {
            "person": person,
            "pk": pk,
            "cells": [{"value": value, "of": label, "shade": _shade(value, means)} for value, label in cells],
        }


def _shade(value: Value | None, means: list[float]) -> int:
    """From 0 for the lowest of them to SHADES - 1 for the highest; a middle one where all are the same."""
    low, high = min(means, default=0.0), max(means, default=0.0)
    if value is None:
        return 0
    return round((SHADES - 1) * (value.mean - low) / (high - low)) if high > low else SHADES // 2
