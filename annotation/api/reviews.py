"""The endpoint of review: answers to decide about, and the decisions."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.response import Response

from accounts.api_schema import query_parameters
from annotation.actions.review_answer import review_answer
from annotation.api.shapes import AnswerShape, NewReview, ReviewShape
from annotation.api.validation import validated
from annotation.campaigns.requested import campaign_of
from annotation.models import Answer, Review
from annotation.review import SHOWS, AnswerFilter, answers_for
from foundation.errors import UserError

FILTERS = [
    OpenApiParameter("show", str, enum=SHOWS, default="waiting", description="which answers"),
    OpenApiParameter("person", int, description="only those of this person's key"),
    OpenApiParameter("verdict", str, enum=Review.Verdict.values, description="only those last decided so"),
]


class Reviews(generics.ListAPIView):
    """Answers to decide about, and the decisions."""

    queryset = Answer.objects.none()
    serializer_class = AnswerShape

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return Answer.objects.none()
        return answers_for(
            campaign_of(self.request, self.kwargs["campaign"]), AnswerFilter.read(self.request.query_params)
        )

    @query_parameters(*FILTERS, responses=AnswerShape(many=True))
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """The answers that wait for a decision, or those that are asked for."""
        applied = AnswerFilter.read(request.query_params).parameters()
        for name in (parameter.name for parameter in FILTERS):
            if (value := request.query_params.get(name)) and value != applied.get(name):
                raise UserError("Nothing is shown by the {name} {value!r}.", name=name, value=value[:60], where=name)
        return super().get(request, *args, **kwargs)

    @extend_schema(request=NewReview, responses=ReviewShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Decide about an answer of the campaign."""
        given = validated(NewReview, request)
        answer = Answer.objects.filter(pk=given.pop("answer"), campaign=campaign_of(request, campaign)).first()
        if answer is None:
            raise UserError("There is no such answer in this campaign.", where="answer")
        return Response(ReviewShape(review_answer(answer=answer, by=request.user, **given)).data)
