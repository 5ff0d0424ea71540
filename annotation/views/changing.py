"""The page, or its part, on which somebody changes an answer that they handed in."""

from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse

from annotation.actions.revise_answer import revise_answer
from annotation.actions.submit_answer import AlreadySubmitted
from annotation.blinding import Kind, handle_of, name_for_author, shown_reviews
from annotation.engine.drafts import NewerDraft, is_begun
from annotation.engine.leases import as_digits
from annotation.models import Answer, Campaign, Draft
from annotation.presenters.answers import presented_answer
from annotation.presenters.work import target_of, target_style, two_versions
from annotation.review import reviews_of
from annotation.task_types import TASK_TYPES
from annotation.views.held_item import (
    read_key,
    read_page,
    read_replaces,
    read_seconds,
    read_shape,
    read_whole,
    scripts_of,
)
from foundation.errors import UserError

PANEL = "annotation/work/_two_versions.html"


def is_part(request: Any) -> bool:
    """Whether an answer is changed as a part of the work page, and not on a page of its own."""
    return bool(request.htmx) and urlsplit(request.htmx.current_url_abs_path or "").path != request.path


def change(request: Any, newest: Answer) -> HttpResponse | None:
    """Store the change that the form holds: None where it is stored, else the page that says why it is not."""
    try:
        read_shape(request.POST)
        given = {**read_page(request.POST), "key": read_key(request.POST), "seconds": read_seconds(request.POST)}
        revision = request.POST.get("revision", "")
        given["revision"] = read_whole(revision) if revision else None
        given["replaces"] = read_replaces(request.POST)
        revise_answer(answer=newest, person=request.user, form=request.POST, **given)
    except AlreadySubmitted as problem:
        return show_handed_in(request, problem.answer, typed_of(request, newest))
    except UserError as problem:
        return show_change(request, newest, typed_of(request, newest), error=problem)
    return None


def show_change(request: Any, answer: Answer, filled: Any = None, **more: Any) -> HttpResponse:
    """The item as it was presented, filled with the draft of a change, else with the answer as it stands.

    `error` says what is wrong; of a newer draft both versions are shown. `standing`: another answer was handed in.
    """
    campaign, content = answer.campaign, answer.item.content
    kind, error = TASK_TYPES[campaign.task_type], more.get("error")
    draft = Draft.objects.filter(assignment=answer.assignment_id, person=request.user).first()
    waits = filled is None and "fresh" not in request.GET and draft is not None
    if filled is None:
        filled = draft.content if waits and draft else answer.content
    where = [campaign.study.slug, campaign.slug]
    handle = handle_of(Kind.ANSWER, answer.pk, answer.person_id)
    context = {
        "campaign": campaign,
        "answer": name_for_author([answer])[0],
        "handle": handle,
        "said": shown_reviews(campaign, reviews_of([answer])[answer.pk]),
        "item": kind.present(content, campaign.settings, answer.order, filled),
        "template": kind.template,
        "verb": kind.verb,
        "quick": kind.quick,
        "target": target_style(kind, campaign.settings, target_of(answer.item), campaign.study.style_descriptions),
        "scripts": scripts_of(kind, campaign.settings),
        "key": uuid4(),
        "draft_version": draft.version if draft else 0,
        "draft_seconds": as_digits(draft.seconds) if draft else "",
        "waits": waits,
        "begun": filled != answer.content,
        "part": is_part(request),
        "base": reverse("campaign_work", args=where),
        "url": reverse("campaign_revise", args=[*where, handle]),
        "versions": panel(kind, answer, filled, error) if isinstance(error, NewerDraft) else None,
        **more,
    }
    name = "annotation/work/change.html" if request.htmx else "annotation/revise.html"
    status = 409 if isinstance(error, NewerDraft) or "standing" in more else 422 if error else 200
    return render(request, name, context, status=status)


def show_handed_in(request: Any, answer: Answer, typed: Any) -> HttpResponse:
    """The message that this was handed in, with the answer that stands; and the form, where it holds other text."""
    campaign = answer.campaign
    kind, content = TASK_TYPES[campaign.task_type], answer.item.content
    begun = is_begun(kind, typed, content, campaign.settings, answer.order)
    may_change = campaign.purpose == Campaign.Purpose.WORK and campaign.state != Campaign.State.CLOSED
    other = begun and typed != answer.content
    if other and may_change:
        return show_change(request, answer, typed, standing=presented_answer(answer))
    where = [campaign.study.slug, campaign.slug]
    context = {
        "campaign": campaign,
        "shown": presented_answer(answer),
        "lost": two_versions(kind, content, campaign.settings, answer.order, typed, answer.content) if other else None,
        "answer": name_for_author([answer])[0],
        "base": reverse("campaign_work", args=where),
        "url": reverse("campaign_revise", args=[*where, answer.handle]) if may_change else None,
    }
    name = "annotation/work/handed_in.html" if request.htmx else "annotation/handed_in.html"
    return render(request, name, context, status=409 if other else 200)


def typed_of(request: Any, answer: Answer) -> Any:
    """The form's values for this item, as a draft is stored."""
    campaign = answer.campaign
    kind = TASK_TYPES[campaign.task_type]
    return kind.restored(kind.partial(request.POST, answer.item.content, campaign.settings), answer.order)


def panel(kind: Any, answer: Any, here: Any, error: NewerDraft) -> dict[str, Any]:
    """Both versions of a draft, as their part of the page shows them; `answer` is an answer or an assignment."""
    settings, content = answer.campaign.settings, answer.item.content
    return {**two_versions(kind, content, settings, answer.order, here, error.stored), "version": error.version}


def newer_draft(request: Any, assignment_or_answer: Any, error: NewerDraft) -> JsonResponse:
    """The response to a draft that came late, with the part of the page that asks which of the two stays."""
    kind = TASK_TYPES[assignment_or_answer.campaign.task_type]
    here = kind.restored(
        kind.partial(request.POST, assignment_or_answer.item.content, assignment_or_answer.campaign.settings),
        assignment_or_answer.order,
    )
    html = render_to_string(PANEL, {"versions": panel(kind, assignment_or_answer, here, error)}, request)
    return JsonResponse({"detail": str(error), "version": error.version, "panel": html}, status=409)
