"""The annotator's page: one item, and what may be done with it.

Every act answers with the next item in the same round trip. htmx swaps the fragment in; without JavaScript the same
forms lead back to the page.
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.claim_slot import claim_slot
from annotation.actions.read_guideline import read_guideline
from annotation.actions.report_problem import report_problem
from annotation.actions.save_draft import NewerDraft, save_draft
from annotation.actions.skip_item import skip_item
from annotation.actions.submit_answer import submit_answer
from annotation.engine.queue import Claim
from annotation.handles import Kind, handle_of, key_of
from annotation.models import Campaign, Guideline
from annotation.remarks import remarks
from annotation.task_types import TaskType
from annotation.views.reasons import told
from foundation.errors import UserError

OUT_OF_DATE = "This page is out of date; reload it."


@require_safe
def campaign_work(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    """The item in the person's hands, or the next one."""
    return _show(request, _claim(request, campaign))


@require_POST
def submit(request: Any, study: str, campaign: str) -> HttpResponse:
    def act(**held: Any) -> Claim:
        made = submit_answer(**held, form=request.POST)
        request.feedback = made.feedback
        if made.late:
            messages.warning(request, _("Your time for this item had run out. Your work is kept for a reviewer."))
        return made.next

    return _act(request, campaign, act)


@require_POST
def read(request: Any, study: str, campaign: str) -> HttpResponse:
    """They have read the guideline in the version that the form names."""
    found = get_object_or_404(request.study.campaigns, slug=campaign)
    version = request.POST.get("version", "")
    if version.isascii() and version.isdigit() and len(version) < 6:
        read_guideline(campaign=found, person=request.user, version=int(version))
    return redirect("campaign_work", study=study, campaign=campaign)


@require_POST
def skip(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    return _act(request, campaign, lambda **held: skip_item(**held, comment=request.POST.get("comment", "")))


@require_POST
def report(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    said = {"kind": request.POST.get("kind", ""), "comment": request.POST.get("comment", "")}
    return _act(request, campaign, lambda **held: report_problem(**held, **said))


@require_POST
def draft(request: Any, study: str, campaign: str) -> HttpResponse:
    """Save what is typed so far; 409 with the newer version where there is one."""
    try:
        held = _held(request)
        version = save_draft(
            study=request.study,
            campaign=campaign,
            person=request.user,
            slot=held["slot"],
            lease=held["lease"],
            version=_whole(request.POST.get("version", "")),
            form=request.POST,
        )
        return JsonResponse({"version": version, **remarks(held["slot"], request.POST)})
    except NewerDraft as error:
        return JsonResponse({"detail": str(error), "version": error.version}, status=409)
    except UserError as error:
        return JsonResponse({"detail": str(error)}, status=422)


def fields(
    claim: Claim, base: str, *, filled: Any = None, error: UserError | None = None, report: Any = None
) -> dict[str, Any]:
    """What the templates of an item want; nothing that tells a system, a role or an expected answer."""
    desk, work = claim.desk, claim.work
    context = {"base": base, "campaign_name": desk.name, "done": desk.done, "size": desk.size, "error": error}
    if work is None:
        return {**context, "reason": told(claim)}
    filled = work.draft if filled is None else filled
    item = desk.task_type.present(work.content, desk.settings, work.order, filled)
    return {
        **context,
        "report": report,
        "begun": filled is not None and item != desk.task_type.present(work.content, desk.settings, work.order),
        "work": work,
        "slot": handle_of(Kind.SLOT, work.slot, desk.person.pk),
        "number": claim.number,
        "key": uuid4(),
        "guideline_version": desk.guideline_version,
        "template": desk.task_type.template,
        "verb": desk.task_type.verb,
        "scripts": scripts_of(desk.task_type, desk.settings),
        "item": item,
        "pilot": desk.pilot,
    }


def scripts_of(kind: TaskType, settings: Mapping[str, Any]) -> list[str]:
    """The page's own modules for this kind of work, as static files."""
    return [f"restyle/js/annotation/{name}" for name in kind.scripts(settings)]


def typed(claim: Claim, form: Any) -> dict[str, Any]:
    """What the fields hold so far, as a draft is stored."""
    kind = claim.desk.task_type
    return kind.restored(kind.partial(form, claim.work.content, claim.desk.settings), claim.work.order)


def _act(request: Any, campaign: str, act: Callable[..., Claim]) -> HttpResponse:
    """Do it and go on with the next item; an error stands beside the item, with all that was filled in."""
    try:
        claim = act(study=request.study, campaign=campaign, person=request.user, **_held(request))
    except UserError as error:
        return _refuse(request, campaign, error)
    except Campaign.DoesNotExist:
        raise Http404 from None
    if not request.htmx and not getattr(request, "feedback", None):
        return redirect("campaign_work", study=request.study.slug, campaign=campaign)
    return _show(request, claim)


def _refuse(request: Any, campaign: str, error: UserError) -> HttpResponse:
    claim = _claim(request, campaign)
    filled = None
    if claim.work and claim.work.slot == _slot(request):
        filled = typed(claim, request.POST)
    return _show(request, claim, filled=filled, error=error, report=_report(request.POST), status=422)


def _report(form: Any) -> dict[str, str] | None:
    """What was filled in of a report."""
    said = {name: form.get(name, "") for name in ("kind", "comment")}
    return said if any(said.values()) else None


def _claim(request: Any, campaign: str) -> Claim:
    try:
        return claim_slot(study=request.study, campaign=campaign, person=request.user)
    except Campaign.DoesNotExist:
        raise Http404 from None


def _show(request: Any, claim: Claim, *, status: int = 200, **options: Any) -> HttpResponse:
    base = reverse("campaign_work", args=[request.study.slug, request.resolver_match.kwargs["campaign"]])
    context = {**fields(claim, base, **options), "feedback": getattr(request, "feedback", None)}
    if request.htmx:
        response = render(request, "annotation/work/fragment.html", context, status=status)
        if claim.work and request.POST.get("guideline") not in (None, str(claim.desk.guideline_version)):
            response["HX-Refresh"] = "true"  # the guideline beside the item is an older version
        return response
    found = Guideline.objects.filter(campaign=claim.desk.campaign, version=claim.desk.guideline_version).first()
    address = [request.study.slug, request.resolver_match.kwargs["campaign"]]
    context |= {"guideline": found, "answers_url": reverse("campaign_answers", args=address)}
    context["must_read"] = bool(claim.work and found and found.text) and claim.desk.guideline_read < found.version
    return render(request, "annotation/work/page.html", context, status=status)


def _held(request: Any) -> dict[str, Any]:
    """What every form of the page says: the slot, its lease, the key of this act, and the active seconds."""
    try:
        return {
            "slot": _slot(request),
            "lease": UUID(request.POST["lease"]),
            "key": read_key(request.POST),
            "seconds": read_seconds(request.POST),
        }
    except (KeyError, ValueError):
        raise UserError(OUT_OF_DATE) from None


def _slot(request: Any) -> int:
    """The slot that the form names."""
    return key_of(Kind.SLOT, request.POST.get("slot", ""), request.user.pk)


def read_key(form: Any) -> UUID:
    """The idempotency key of a form."""
    try:
        return UUID(form.get("key", ""))
    except ValueError:
        raise UserError(OUT_OF_DATE) from None


def _whole(text: str) -> int:
    """A whole number that fits a key of the database."""
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    raise UserError(OUT_OF_DATE)


def read_seconds(form: Any) -> float | None:
    """The active seconds that the page counted, if it did."""
    try:
        return float(form.get("seconds", ""))
    except ValueError:
        return None
