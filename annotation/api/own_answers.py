"""The endpoints of somebody's own answers: handing in, changing, and replying to a reviewer."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.generics import get_object_or_404
from rest_framework.response import Response

from accounts.api_schema import StrictSerializer
from accounts.option_fields import serializer_field
from annotation.actions.reply_to_review import REPLY, reply_to_review
from annotation.actions.revise_answer import revise_answer
from annotation.actions.submit_answer import Submission, submit_answer
from annotation.api.shapes import (
    Acknowledgement,
    HandedInShape,
    NewAnswer,
    NewRevision,
    OwnAnswerShape,
    OwnReviewShape,
)
from annotation.api.validation import validated
from annotation.api.work import Work, claimed, in_conflict
from annotation.blinding import Kind, handle_of, name_for_author, named_row, own_answers
from annotation.campaigns.requested import campaign_of
from annotation.models import Answer, Review


class Answers(generics.ListAPIView, Work):
    """Your own answers, each in its newest revision."""

    queryset = Answer.objects.none()
    serializer_class = OwnAnswerShape

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return Answer.objects.none()
        return own_answers(campaign_of(self.request, self.kwargs["campaign"]), self.request.user)

    def paginate_queryset(self, queryset: Any) -> Any:
        return name_for_author(super().paginate_queryset(queryset) or ())

    @extend_schema(request=NewAnswer, responses={200: Acknowledgement, 409: HandedInShape})
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Hand in an answer and get the next item. The same answer again is the same acknowledgement.

        409 where you handed in something else already, with that answer; or where another page saved a newer draft.
        """
        given = self.held(request, campaign, NewAnswer)
        return in_conflict(lambda: _acknowledged(submit_answer(**given), request), request)


class NewReply(StrictSerializer):
    text = serializer_field(REPLY)


class Revision(Work):
    @extend_schema(
        operation_id="studies_campaigns_answers_revise", request=NewRevision,
        responses={200: OwnAnswerShape, 409: HandedInShape},
    )  # fmt: skip
    def post(self, request: Any, study: str, campaign: str, answer: str) -> Response:
        """Change an answer of your own: a further revision is appended."""
        own = Answer.objects.filter(campaign=campaign_of(request, campaign), person=request.user)
        own_answer = get_object_or_404(own, pk=named_row(Kind.ANSWER, answer, request.user.pk))
        given = validated(NewRevision, request)

        def act() -> Any:
            revised = revise_answer(answer=own_answer, person=request.user, **given)
            return OwnAnswerShape(*name_for_author([revised])).data

        return in_conflict(act, request)


class Reply(Work):
    @extend_schema(request=NewReply, responses=OwnReviewShape)
    def post(self, request: Any, study: str, campaign: str, review: str) -> Response:
        """Say something to a reviewer's decision about an answer of your own; a second reply takes its place."""
        own = {"answer__campaign": campaign_of(request, campaign), "answer__person": request.user}
        own_review = get_object_or_404(Review, pk=named_row(Kind.REVIEW, review, request.user.pk), **own)
        said = reply_to_review(review=own_review, by=request.user, text=validated(NewReply, request)["text"])
        return Response(OwnReviewShape(said).data)


def _acknowledged(submission: Submission, request: Any) -> dict[str, Any]:
    answer = handle_of(Kind.ANSWER, submission.answer, request.user.pk)
    said = {"answer": answer, "revision": submission.revision, "late": submission.late, "feedback": submission.feedback}
    return {**said, "next": claimed(submission.next)}
