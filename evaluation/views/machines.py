"""The page of language models that rate in a campaign, beside people."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.permissions import Can
from accounts.telling import telling
from annotation.campaigns.requested import campaign_of
from corpora.views.trash import tell_removed
from evaluation.actions.add_machine_rater import add_machine_rater
from evaluation.actions.remove_machine_rater import remove_machine_rater
from evaluation.actions.start_machine_rater import start_machine_rater
from evaluation.forms import MachineForm
from evaluation.llm_judge.requested import machine_of
from jobs.models import UNFINISHED


@require_http_methods(["GET", "HEAD", "POST"])
def campaign_machines(request: Any, study: str, campaign: str) -> HttpResponse:
    """The machines of the campaign, and the form of a new one."""
    here = campaign_of(request, campaign)
    form = MachineForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        with telling(form):
            add_machine_rater(campaign=here, by=request.user, **form.cleaned_data)
            return redirect("campaign_machines", study=study, campaign=campaign)
    context = {
        "campaign": here, "form": form, "machines": here.machines.select_related("job", "campaign"),
        "unfinished": UNFINISHED, "may_run": request.study.can(request.user, Can.RUN_METRICS),
    }  # fmt: skip
    return render(request, "evaluation/judges/machines.html", context, status=422 if form.is_bound else 200)


@require_POST
def machine_start(request: Any, study: str, campaign: str, machine: int) -> HttpResponse:
    """Let it go on."""
    with telling(request):
        start_machine_rater(machine=machine_of(request, campaign, machine), by=request.user)
    return redirect("campaign_machines", study=study, campaign=campaign)


@require_POST
def machine_remove(request: Any, study: str, campaign: str, machine: int) -> HttpResponse:
    """Remove it with its answers."""
    with telling(request):
        tell_removed(request, remove_machine_rater(machine=machine_of(request, campaign, machine), by=request.user))
    return redirect("campaign_machines", study=study, campaign=campaign)
