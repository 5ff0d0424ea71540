"""The endpoints of answers: decisions about them, and all of them as a file."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, query_parameters, with_body
from accounts.option_fields import body_of
from annotation.actions.export_answers import ExportFields
from annotation.actions.review_answer import ReviewFields, review_answer
from annotation.answer_export import EXPORT_FORMATS
from annotation.blinding import Kind, handle_of, shown_reviews
from annotation.campaigns.requested import campaign_of
from annotation.models import Answer, Review
from annotation.presenters.answers import answers_as_file
from annotation.review import SHOWS, AnswerFilter, answers_for
from annotation.task_types import TASK_TYPES
from corpora.api.base import Listing
from foundation.errors import UserError
from foundation.options import list_options

LARGEST = 2**63 - 1


class AnswerShape(StrictModelSerializer):
    item = serializers.IntegerField(source="item.number", read_only=True)
    person = serializers.UUIDField(source="person.pseudonym", read_only=True)
    content = serializers.SerializerMethodField(help_text="As it was handed in, in the order of the item's places.")
    reviews = serializers.SerializerMethodField(help_text="What reviewers decided about it, the oldest first.")

    @extend_schema_field(serializers.ListField(child=serializers.DictField()))
    def get_reviews(self, answer: Answer) -> list[dict[str, Any]]:
        return ReviewShape(answer.reviews.all(), many=True).data

    @extend_schema_field(serializers.DictField())
    def get_content(self, answer: Answer) -> dict[str, Any]:
        if answer.outcome != Answer.Outcome.ANSWERED:
            return answer.content
        return TASK_TYPES[answer.campaign.task_type].arranged(answer.content, answer.order)

    class Meta:
        model = Answer
        fields = [
            "id", "item", "person", "outcome", "late", "pilot", "revision", "content", "guideline_version", "seconds",
            "submitted_at", "reviews",
        ]  # fmt: skip
        read_only_fields = fields


NewReview = body_of(ReviewFields, "NewReview", answer=serializers.IntegerField(min_value=1, max_value=LARGEST))


class ReviewShape(StrictModelSerializer):
    class Meta:
        model = Review
        fields = ["id", "answer", "verdict", "reason", "comment", "reply", "made_at"]
        read_only_fields = fields


class OwnReviewShape(ReviewShape):
    """A decision about an answer of your own; the address of a reply names the `id`."""

    id = serializers.SerializerMethodField()
    answer = serializers.SerializerMethodField(help_text="The `id` of the revision that it is about.")

    def get_id(self, review: Review) -> str:
        return handle_of(Kind.REVIEW, review.pk, review.answer.person_id)

    def get_answer(self, review: Review) -> str:
        return handle_of(Kind.ANSWER, review.answer_id, review.answer.person_id)


class OwnAnswerShape(AnswerShape):
    """An answer of your own, as `name_for_author` names it; the address of a change names the `id`."""

    id = serializers.CharField(source="handle", read_only=True)
    item = serializers.IntegerField(source="number", read_only=True, help_text="The item's number as you saw it.")

    @extend_schema_field(serializers.ListField(child=serializers.DictField()))
    def get_reviews(self, answer: Answer) -> list[dict[str, Any]]:
        return OwnReviewShape(shown_reviews(answer.campaign, answer.reviews.all()), many=True).data


FILTERS = [
    OpenApiParameter("show", str, enum=SHOWS, default="waiting", description="which answers"),
    OpenApiParameter("person", int, description="only those of this person's key"),
    OpenApiParameter("verdict", str, enum=Review.Verdict.values, description="only those last decided so"),
]


class Reviews(Listing):
    """Answers to decide about, and the decisions."""

    queryset = Answer.objects.none()
    serializer_class = AnswerShape

    def rows(self) -> Any:
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

    @with_body(NewReview, responses=ReviewShape)
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Decide about an answer of the campaign."""
        answer = Answer.objects.filter(pk=given.pop("answer"), campaign=campaign_of(request, campaign)).first()
        if answer is None:
            raise UserError("There is no such answer in this campaign.", where="answer")
        return Response(ReviewShape(review_answer(answer=answer, by=request.user, **given)).data)


PARAMETERS = [
    OpenApiParameter(one.name, str, enum=one.choices, default=one.default, description=one.label)
    if one.choices
    else OpenApiParameter(one.name, str, enum=["yes", "no"], default="no", description=one.label)
    for one in list_options(ExportFields)
]
RESPONSES: dict[Any, Any] = {
        **{(200, form.media_type): OpenApiTypes.BINARY for form in EXPORT_FORMATS.values()},
    400: OpenApiResponse(OpenApiTypes.OBJECT, "An option is wrong."),
}  # fmt: skip


class StudyAnswers(APIView):
    """Download what was answered in a study."""

    @query_parameters(*PARAMETERS, responses=RESPONSES)
    def get(self, request: Any, study: str) -> Any:
        """Stream the answers of all campaigns, in the order of campaigns and items."""
        return answers_as_file(request.study, request.query_params.dict(), request.user)


class CampaignAnswers(APIView):
    """Download what was answered in a campaign."""

    @query_parameters(*PARAMETERS, responses=RESPONSES)
    def get(self, request: Any, study: str, campaign: str) -> Any:
        """Stream the answers in the order of the items."""
        campaign_object = campaign_of(request, campaign)
        return answers_as_file(request.study, request.query_params.dict(), request.user, campaign_object)
