"""The endpoints of annotators' work: the next item, drafts, skips and problem reports."""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import without_body
from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.report_problem import report_problem
from annotation.actions.save_draft import NewerDraft, save_draft
from annotation.actions.skip_item import skip_item
from annotation.actions.submit_answer import HandedIn
from annotation.api.shapes import (
    ClaimShape,
    DraftShape,
    NewDraft,
    NewerDraftShape,
    NewReport,
    NewSkip,
)
from annotation.api.validation import validated
from annotation.blinding import Kind, handle_of, named_row
from annotation.engine.assignment_queue import Claim
from annotation.models import Campaign
from annotation.presenters.idle_reasons import idle_message
from annotation.task_types import TASK_TYPES


class Work(APIView):
    """What annotators do; a token needs the scope `annotate`."""

    scope = "annotate"

    def held(self, request: Any, campaign: str, shape: type[Any]) -> dict[str, Any]:
        given = validated(shape, request)
        given["assignment"] = named_row(Kind.ASSIGNMENT, given.pop("slot"), request.user.pk)
        return {"study": request.study, "campaign": campaign, "person": request.user, **given}

    def handle_exception(self, error: Exception) -> Response:
        return super().handle_exception(Http404() if isinstance(error, Campaign.DoesNotExist) else error)


class Next(Work):
    @without_body(responses=ClaimShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """The item in your hands, its lease renewed, else the next one; or the reason why there is none."""
        return Response(claimed(claim_assignment(study=request.study, campaign=campaign, person=request.user)))


class Drafts(Work):
    @extend_schema(request=NewDraft, responses={200: DraftShape, 409: NewerDraftShape})
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Keep what is typed so far; 409 with the newer draft where an older version comes."""
        given = self.held(request, campaign, NewDraft)
        return in_conflict(lambda: {"version": save_draft(**given)}, request)


class Skip(Work):
    @extend_schema(request=NewSkip, responses=ClaimShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Pass the item by and get the next one."""
        return Response(claimed(skip_item(**self.held(request, campaign, NewSkip))))


class Report(Work):
    @extend_schema(request=NewReport, responses=ClaimShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Report a problem with the item and get the next one."""
        return Response(claimed(report_problem(**self.held(request, campaign, NewReport))))


def in_conflict(act: Callable[[], Any], request: Any) -> Response:
    """What the act answers; 409 with what stands in its way, where that is other work of the same person."""
    try:
        return Response(act())
    except NewerDraft as error:
        return Response({"detail": str(error), "version": error.version, "content": error.content}, status=409)
    except HandedIn as error:
        answer = error.answer
        kind, named = TASK_TYPES[answer.campaign.task_type], handle_of(Kind.ANSWER, answer.pk, request.user.pk)
        said = {"answer": named, "revision": answer.revision, "content": kind.arranged(answer.content, answer.order)}
        return Response({"detail": str(error), **said}, status=409)


def claimed(claim: Claim) -> dict[str, Any]:
    """A claim as JSON: the item as it is presented, or the reason why there is none."""
    context, work = claim.context, claim.work
    said: dict[str, Any] = {"work": None, "reason": None, "detail": "", "done": context.done, "size": context.size}
    if work is None:
        more = idle_message(claim)
        return {**said, "reason": claim.reason, "detail": " ".join([more["text"], *more["sentences"]])}
    said["work"] = {
        "slot": handle_of(Kind.ASSIGNMENT, work.assignment, context.person.pk),
        "lease": work.lease,
        "expires_at": work.expires_at,
        "number": claim.number,
        "task_type": context.task_type_name,
        "item": context.task_type.present(work.content, context.settings, work.order, work.draft),
        "draft_version": work.draft_version,
    }
    return said
