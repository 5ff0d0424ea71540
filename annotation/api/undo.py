"""The endpoints that take something back, and that keep a change half made."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.response import Response

from accounts.api_schema import StrictSerializer
from annotation.actions.save_change import save_change
from annotation.actions.undo_last_act import undo_last_act
from annotation.api.shapes import ClaimShape, DraftShape, NewerDraftShape, OwnAnswerShape, TypedShape
from annotation.api.validation import validated
from annotation.api.work import Work, claimed, in_conflict
from annotation.blinding import FORM, Kind, name_for_author, named_row
from annotation.campaigns.requested import campaign_of
from annotation.models import Answer


class UndoShape(StrictSerializer):
    before = serializers.RegexField(
        FORM, default="", allow_blank=True, help_text="The `id` of an answer: what you did before that one."
    )


class UndoneShape(StrictSerializer):
    """Either the item is in your hands again (`next`), or it is an `answer`, which stands until you change it."""

    next = ClaimShape(allow_null=True)
    answer = OwnAnswerShape(allow_null=True)


class Undo(Work):
    @extend_schema(request=UndoShape, responses=UndoneShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Take back the last thing that you did in a campaign: a skip, a report, or an answer."""
        key = named_row(Kind.ANSWER, validated(UndoShape, request)["before"], request.user.pk)
        before = Answer.objects.filter(pk=key).first()
        taken = undo_last_act(study=request.study, campaign=campaign, person=request.user, before=before)
        answer = taken.answer and OwnAnswerShape(*name_for_author([taken.answer])).data
        return Response({"next": taken.claim and claimed(taken.claim), "answer": answer})


class ChangeDraft(Work):
    @extend_schema(request=TypedShape, responses={200: DraftShape, 409: NewerDraftShape})
    def post(self, request: Any, study: str, campaign: str, answer: str) -> Response:
        """Keep what is typed so far of a change of your own answer."""
        own = Answer.objects.filter(campaign=campaign_of(request, campaign), person=request.user)
        own_answer = get_object_or_404(own, pk=named_row(Kind.ANSWER, answer, request.user.pk))
        given = validated(TypedShape, request)
        return in_conflict(lambda: {"version": save_change(answer=own_answer, person=request.user, **given)}, request)
