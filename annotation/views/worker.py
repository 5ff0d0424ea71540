"""A person's page in a campaign: what they did, what the checks found, and what may be done about it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.models import Person
from accounts.permissions import Can, may
from annotation.campaigns.requested import campaign_of, worker_of
from annotation.presenters.worker import act_on, overview
from annotation.progress.pace import answers_by_day
from annotation.review import unreviewed_answers
from foundation.errors import UserError
from foundation.key_labels import label_of_key


@require_http_methods(["GET", "HEAD", "POST"])
def worker(request: Any, study: str, campaign: str, worker: int) -> HttpResponse:
    campaign_object = campaign_of(request, campaign)
    who = worker_of(campaign_object, worker)
    if request.method == "POST":
        try:
            said = {key: request.POST.get(key, "") for key in ("act", "reason")}
            count = act_on(campaign_object, who, request.user, **said)
            messages.success(request, _act_message(request.POST["act"], count))
            return redirect("campaign_worker", study=study, campaign=campaign, worker=worker)
        except UserError as error:
            messages.error(request, error.sentence)
    context = {
        **overview(campaign_object, who),
        "campaign": campaign_object,
        "who": who,
        "role": _role(request.study, who),
        "days": answers_by_day(campaign_object, person=who),
        "waiting": unreviewed_answers(campaign=campaign_object, person=who).count(),
        "may_decide": may(request.user, Can.EDIT_STUDY, request.study),
    }
    return render(request, "annotation/worker.html", context, status=422 if request.method == "POST" else 200)


def _act_message(act: str, count: int) -> str:
    if act == "reject":
        said = ngettext("%d answer was rejected; its item goes to somebody else.",
                        "%d answers were rejected; their items go to others.", count)  # fmt: skip
        return said.replace("%d", str(count))  # some languages say one and two without a digit
    messages_by_act = {
        "pause": _("They are paused and get no more work here."),
        "resume": _("They may go on."),
        "keep": _("Their work is kept as it stands."),
    }
    return messages_by_act[act]


def _role(study: Any, who: Person) -> str:
    """Their role in the study, in words."""
    return _(label_of_key(study.role_of(who) or "")) if study.role_of(who) else ""
