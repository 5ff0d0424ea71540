"""The annotator's page: one item, the acts that it allows, and its requests in the background.

Every act answers with the next item in the same round trip. htmx swaps the fragment in; without JavaScript the same
forms lead back to the page."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import orjson
from django.contrib import messages
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.lease_ahead import give_back_ahead, lease_ahead
from annotation.actions.read_guideline import read_guideline
from annotation.actions.report_problem import report_problem
from annotation.actions.save_draft import save_draft
from annotation.actions.skip_item import skip_item
from annotation.actions.submit_answer import AlreadySubmitted, Submission
from annotation.actions.submit_or_revise import submit_or_revise
from annotation.actions.undo_last_act import undo_last_act
from annotation.blinding import Kind, browser_handle, handle_of, named_row
from annotation.engine.annotator_context import AnnotatorContext
from annotation.engine.assignment_queue import Claim
from annotation.engine.drafts import NewerDraft, is_begun
from annotation.engine.leases_ahead import LONGEST_MINUTES, bound_of
from annotation.models import Answer, Assignment, Campaign, Guideline
from annotation.presenters.work import Filled, draft_feedback, idle_message, target_style, two_versions, usual_fragment
from annotation.progress.own_progress import (
    OwnProgress,
    as_numbers,
    is_to_be_counted,
    own_progress,
    progress_at_hand,
)
from annotation.views.changing import newer_draft, show_change, show_handed_in, typed_of
from annotation.views.held_item import (
    BEFORE,
    read_assignment,
    read_held,
    read_page,
    read_replaces,
    read_shape,
    read_whole,
    scripts_of,
)
from foundation.errors import UserError
from foundation.word_diff import Piece, line_diff

MOST = 3  # forms offered for one abbreviation
NEWEST = 2_000  # answers that are looked through
# The newest revision of each answer. A mark's places count characters, as `substr` does.
CHOSEN = """
WITH own AS (
    SELECT a.content, a.submitted_at, i.content ->> 'source' AS source
    FROM annotation_answer a
    JOIN annotation_campaign c ON c.id = a.campaign_id
    JOIN annotation_item i ON i.id = a.item_id
    WHERE a.person_id = %(person)s AND c.study_id = %(study)s AND c.task_type = 'rephrase_simplify'
      AND a.outcome = 'answered' AND NOT EXISTS (
          SELECT 1 FROM annotation_answer newer WHERE newer.item_id = a.item_id AND newer.person_id = a.person_id
          AND newer.pilot = a.pilot AND newer.revision > a.revision)
    ORDER BY a.submitted_at DESC LIMIT %(newest)s
), chosen AS (
    SELECT substr(own.source, (span ->> 'start')::int + 1, (span ->> 'end')::int - (span ->> 'start')::int) AS term,
           span ->> 'full' AS full_form, own.submitted_at
    FROM own, jsonb_array_elements(own.content -> 'spans') span
)
SELECT term, full_form FROM chosen WHERE strpos(%(source)s, term) > 0
GROUP BY term, full_form ORDER BY count(*) DESC, max(submitted_at) DESC, full_form
"""


def chosen_full_forms(assignment: Assignment, person: Any) -> dict[str, list[str]]:
    """The forms that `person` chose in this study for each abbreviation of the item's source, the usual first.

    Empty where the campaign does not remember them (`remember_forms`). One statement.
    """
    campaign, content = assignment.campaign, assignment.item.content
    source = content.get("source")
    if not source or not campaign.settings.get("remember_forms", campaign.task_type == "rephrase_simplify"):
        return {}
    asked = {"person": person.pk, "study": campaign.study_id, "source": source, "newest": NEWEST}
    forms: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        for term, full_form in cursor.execute(CHOSEN, asked).fetchall():
            offered = forms.setdefault(term, [])
            if len(offered) < MOST:
                offered.append(full_form)
    return forms


@require_safe
def campaign_work(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    """The item in the person's hands, or the next one."""
    return _show(request, _claim(request, campaign))


def _why_late(submission: Submission) -> str:
    if submission.next.context.state == Campaign.State.CLOSED:
        return _("The campaign was closed before your answer came. A reviewer gets your work.")
    return _("The time for an item ran out. A reviewer gets your work.")


@require_POST
def submit(request: Any, study: str, campaign: str) -> HttpResponse:
    def act(**lease_fields: Any) -> Claim:
        said = {"replaces": read_replaces(request.POST), "form": request.POST}
        submission = submit_or_revise(**lease_fields, **read_page(request.POST), **said)
        request.feedback = submission.feedback
        if submission.late:
            messages.warning(request, _why_late(submission))
        return submission.next

    return _act(request, campaign, act)


@require_POST
def read(request: Any, study: str, campaign: str) -> HttpResponse:
    """They have read the guideline in the version that the form names."""
    campaign_object = get_object_or_404(request.study.campaigns, slug=campaign)
    version = request.POST.get("version", "")
    if version.isascii() and version.isdigit() and len(version) < 6:
        read_guideline(campaign=campaign_object, person=request.user, version=int(version))
    return redirect("campaign_work", study=study, campaign=campaign)


@require_POST
def skip(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    said: dict[str, Any] = {"comment": request.POST.get("comment", ""), "form": request.POST}
    return _act(request, campaign, lambda **lease_fields: skip_item(**lease_fields, **said), "skipped")


@require_POST
def report(request: HttpRequest, study: str, campaign: str) -> HttpResponse:
    said: dict[str, Any] = {
        "kind": request.POST.get("kind", ""),
        "comment": request.POST.get("comment", ""),
        "form": request.POST,
    }
    return _act(request, campaign, lambda **lease_fields: report_problem(**lease_fields, **said), "reported")


@require_POST
def undo(request: Any, study: str, campaign: str) -> HttpResponse:
    """Take back their last act here: the item that they passed by, or their answer, to be changed."""
    before = None
    if named := request.POST.get("before"):
        before = Answer.objects.filter(pk=named_row(Kind.ANSWER, named, request.user.pk)).first()
    try:
        taken = undo_last_act(study=request.study, campaign=campaign, person=request.user, before=before)
    except UserError as error:
        return _refuse(request, campaign, error)
    except Campaign.DoesNotExist:
        raise Http404 from None
    if taken.answer is not None:
        return show_change(request, taken.answer)
    messages.success(request, _("The item is yours again."))
    return _next(request, campaign, taken.claim)


@require_POST
def look(request: Any, study: str, campaign: str) -> HttpResponse:
    """The state of the item of a page that was away: nothing (204) where it was not handed in since."""
    assignment = (
        get_object_or_404(request.study.campaigns, slug=campaign)
        .assignments.filter(pk=read_assignment(request))
        .first()
    )
    if assignment is None or assignment.annotator_id != request.user.pk or assignment.state != Assignment.State.DONE:
        return HttpResponse(status=204)
    own = Answer.objects.filter(item=assignment.item_id, person=request.user, pilot=assignment.pilot, late=False)
    answer = own.select_related("campaign__study", "item", "assignment", "person").latest("revision")
    return show_handed_in(request, answer, typed_of(request, answer))


@require_POST
def draft(request: Any, study: str, campaign: str) -> HttpResponse:
    """Save what is typed so far; 409 with both versions where another page saved a newer one."""
    assignment = Assignment.objects.select_related("campaign", "item").filter(pk=read_assignment(request)).first()
    try:
        lease_fields, page = read_held(request), read_page(request.POST)
        del lease_fields["key"]
        version = save_draft(
            study=request.study,
            campaign=campaign,
            person=request.user,
            version=read_whole(request.POST.get("version", "")),
            form=request.POST,
            **lease_fields,
            **page,
        )
        assert assignment is not None, "where there is none, nothing was saved"
        return JsonResponse({"version": version, **draft_feedback(assignment, request.POST)})
    except NewerDraft as error:
        return newer_draft(request, assignment, error)
    except UserError as error:
        return JsonResponse({"detail": str(error)}, status=422)


@require_safe
def forms(request: Any, study: str, campaign: str) -> JsonResponse:
    """The full forms that the person chose before for abbreviations of the item in their hands."""
    here = get_object_or_404(request.study.campaigns, slug=campaign)
    named = named_row(Kind.ASSIGNMENT, request.GET.get("slot", ""), request.user.pk)
    own = Assignment.objects.select_related("campaign", "item").filter(annotator=request.user, campaign=here)
    held = own.filter(pk=named).first()
    return JsonResponse(chosen_full_forms(held, request.user) if held else {})


def show_next(request: Any, campaign: str) -> HttpResponse:
    """The item in their hands, or the next one, whatever was done before."""
    return _show(request, _claim(request, campaign))


def _has_acted(context: AnnotatorContext) -> bool:
    """Whether they answered, passed by or reported anything, so that there is something to take back."""
    return bool(context.done) or Answer.objects.filter(campaign=context.campaign, person=context.person).exists()


def fields(
    claim: Claim, base: str, *, filled: Any = None, error: UserError | None = None, report: Any = None, did: str = ""
) -> dict[str, Any]:
    """The values for the templates of an item; none tells a system, a role or an expected answer."""
    context, work = claim.context, claim.work
    page = {"base": base, "campaign_name": context.name, "done": context.done, "size": context.size, "error": error}
    page |= {"did": did, "may_undo": context.is_work, "has_ahead": bound_of(context) > 0}
    if work is None:
        return {**page, "reason": idle_message(claim), "may_undo": context.is_work and _has_acted(context)}
    filled = work.draft if filled is None else filled
    kind, item = context.task_type, work.content
    return {
        **page,
        "report": report,
        "begun": is_begun(kind, filled, item, context.settings, work.order),
        "versions": _versions(claim, filled, error) if isinstance(error, NewerDraft) else None,
        "work": work,
        "slot": handle_of(Kind.ASSIGNMENT, work.assignment, context.person.pk),
        "number": claim.number,
        "key": uuid4(),
        "guideline_version": context.guideline_version,
        "target": target_style(
            kind, context.settings, work.target_style or context.target_style, context.style_descriptions
        ),
        "quick": kind.quick,
        "submits_at_once": context.submits_at_once,
        "template": kind.template,
        "verb": kind.verb,
        "scripts": scripts_of(kind, context.settings),
        "item": kind.present(item, context.settings, work.order, filled),
        "pilot": context.pilot,
    }


def typed(claim: Claim, form: Any) -> dict[str, Any]:
    """The values of the fields so far, as a draft is stored."""
    kind = claim.context.task_type
    return kind.restored(kind.partial(form, claim.item.content, claim.context.settings), claim.item.order)


def guideline_of(campaign: int, version: int) -> Guideline | None:
    """The guideline in this version, with its campaign, which has the examples."""
    guidelines = Guideline.objects.select_related("campaign").filter(campaign=campaign, version=version)
    return guidelines.only("version", "text", "campaign__examples").first()


def _changes(context: AnnotatorContext, guideline: Guideline) -> list[Piece]:
    """The difference by words from the version that the person has read; nothing where they have read none."""
    read = guideline_of(context.campaign, context.guideline_read) if context.guideline_read else None
    return line_diff(read.text, guideline.text) if read and read.text else []


def _has_newest_guideline(request: Any, context: AnnotatorContext) -> bool:
    """Whether the page that sent this shows the newest version beside the item."""
    return request.POST.get("guideline") in (None, str(context.guideline_version))


def has_guideline(guideline: Guideline | None) -> bool:
    return bool(guideline and (guideline.text or guideline.campaign.examples))


def _versions(claim: Claim, filled: Any, error: NewerDraft) -> dict[str, Any]:
    context, work = claim.context, claim.work
    assert work is not None
    both = two_versions(context.task_type, work.content, context.settings, work.order, filled, error.stored)
    return {**both, "version": error.version}


def _act(request: Any, campaign: str, act: Callable[..., Claim], did: str = "") -> HttpResponse:
    """Do it and go on with the next item; an error stands beside the item, with all that was filled in."""
    try:
        claim = act(study=request.study, campaign=campaign, person=request.user, **read_held(request))
    except AlreadySubmitted as error:
        return show_handed_in(request, error.answer, typed_of(request, error.answer))
    except UserError as error:
        return _refuse(request, campaign, error)
    except Campaign.DoesNotExist:
        raise Http404 from None
    return _next(request, campaign, claim, did=did)


def _next(request: Any, campaign: str, claim: Claim | None, **options: Any) -> HttpResponse:
    if claim is None or not (request.htmx or getattr(request, "feedback", None)):
        return redirect("campaign_work", study=request.study.slug, campaign=campaign)
    return _show(request, claim, **options)


def _refuse(request: Any, campaign: str, error: UserError) -> HttpResponse:
    claim = _claim(request, campaign)
    filled = None
    if claim.work and claim.work.assignment == read_assignment(request):
        filled = typed(claim, request.POST)
    elif isinstance(error, NewerDraft):
        return _show(request, claim)
    status = 409 if isinstance(error, NewerDraft) else 422
    return _show(request, claim, filled=filled, error=error, report=_report(request.POST), status=status)


def _report(form: Any) -> dict[str, str] | None:
    """The values filled in of a report; None without any."""
    said = {name: form.get(name, "") for name in ("kind", "comment")}
    return said if any(said.values()) else None


def _claim(request: Any, campaign: str) -> Claim:
    try:
        return claim_assignment(study=request.study, campaign=campaign, person=request.user)
    except Campaign.DoesNotExist:
        raise Http404 from None


def _progress(request: Any, context: AnnotatorContext) -> OwnProgress:
    """Their progress; the items left are not counted again with each answer, since the page counts down."""
    at_hand = progress_at_hand(context)
    if not (request.htmx and request.resolver_match.view_name == "campaign_submit"):
        return own_progress(context.campaign, request.user)
    known = request.POST.get("left", "")
    return own_progress(context.campaign, request.user) if is_to_be_counted(at_hand, known) else at_hand


def _is_of_before(request: Any) -> bool:
    """Whether a page of the release before sent this: its scripts do not know the present page."""
    return request.method == "POST" and "lease" in request.POST and read_shape(request.POST) == BEFORE


def _framed(request: Any, usual: Filled, status: int) -> HttpResponse:
    """The item as HTML; to a page that keeps frames, with those alone that it has not had yet."""
    known = request.headers.get("X-Frames")
    if known is None:
        return HttpResponse(usual.html, status=status)
    return HttpResponse(orjson.dumps(usual.told(known.split())), status=status, content_type="application/json")


def _show(request: Any, claim: Claim, *, status: int = 200, **options: Any) -> HttpResponse:
    base = reverse("campaign_work", args=[request.study.slug, request.resolver_match.kwargs["campaign"]])
    context = {**fields(claim, base, **options), "feedback": getattr(request, "feedback", None)}
    context |= {"progress": _progress(request, claim.context), "goal_url": base + "goal/"}
    if request.htmx:
        usual = usual_fragment(request, context)
        if usual is None:
            response = render(request, "annotation/work/fragment.html", context, status=status)
        else:
            response = _framed(request, usual, status)
        if status == 200 and claim.work and not _has_newest_guideline(request, claim.context):
            response["HX-Refresh"] = "true"  # what was refused stays, with all that was typed, until it is taken
        if status == 200 and _is_of_before(request) and not context["feedback"]:
            response["HX-Refresh"] = "true"  # the typed text is stored: the page may be of this version now
        return response
    guideline = guideline_of(claim.context.campaign, claim.context.guideline_version)
    address = [request.study.slug, request.resolver_match.kwargs["campaign"]]
    context |= {"guideline": guideline, "answers_url": reverse("campaign_answers", args=address)}
    unread = claim.context.guideline_read < claim.context.guideline_version
    context["must_read"] = bool(claim.work and guideline and guideline.text) and unread
    if context["must_read"] and guideline is not None:
        context["changes"] = _changes(claim.context, guideline)
    context["has_guideline"] = has_guideline(guideline) and not context["must_read"]
    return render(request, "annotation/work/page.html", context, status=status)


@require_POST
def ahead(request: Any, study: str, campaign: str) -> HttpResponse:
    """The items that the person has ahead, as the page shows them one after the other; `renew`: seconds until asked."""
    try:
        context, works = lease_ahead(study=request.study, campaign=campaign, person=request.user)
    except Campaign.DoesNotExist:
        raise Http404 from None
    base = reverse("campaign_work", args=[study, campaign])
    items = []
    if not _has_newest_guideline(request, context):
        works = []  # the answer to the item on the page leads to what changed, and to the next item after it
    for place, work in enumerate(works, 1):
        claim = Claim(replace(context, done=context.done + place), work)
        page = {**fields(claim, base), "no_messages": True}
        html = render_to_string("annotation/work/fragment.html", page, request)
        items.append({"slot": handle_of(Kind.ASSIGNMENT, work.assignment, request.user.pk), "html": html})
    return JsonResponse({"items": items, "renew": 60 * min(LONGEST_MINUTES, context.lease_minutes) / 3})


@require_POST
def give_back(request: Any, study: str, campaign: str) -> HttpResponse:
    """The page is left, and never showed the items of these handles."""
    only = [named_row(Kind.ASSIGNMENT, handle, request.user.pk) for handle in request.POST.getlist("slot")]
    try:
        give_back_ahead(study=request.study, campaign=campaign, person=request.user, only=only)
    except Campaign.DoesNotExist:
        raise Http404 from None
    return HttpResponse(status=204)


@require_POST
def send(request: Any, study: str, campaign: str) -> HttpResponse:
    """Take an answer that waited in the browser, without showing what comes next; 422 where it is not taken.

    `progress` are the numbers of their line, which no item brings here.
    """
    get_object_or_404(request.study.campaigns, slug=campaign)
    if request.POST.get("person") != browser_handle(request.user.pk):  # somebody else signed in in another tab
        return HttpResponse(status=409)
    page = {"study": request.study, "campaign": campaign, "person": request.user}
    try:
        given = {**page, **read_held(request), **read_page(request.POST)}
        submission = submit_or_revise(**given, replaces=read_replaces(request.POST), form=request.POST)
    except UserError as error:
        return JsonResponse({"detail": str(error)}, status=422)
    progress = as_numbers(progress_at_hand(submission.next.context))
    return JsonResponse({"late": _why_late(submission) if submission.late else "", "progress": progress})
