"""The shapes of answers and of what reviewers decide about them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api_schema.strict_serializers import StrictModelSerializer, StrictSerializer
from annotation.blinding.handles import Kind, handle_of
from annotation.blinding.own_answers import shown_reviews
from annotation.models import Answer, Review
from annotation.task_types import TASK_TYPES

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


class NewReview(StrictSerializer):
    answer = serializers.IntegerField(min_value=1, max_value=LARGEST)
    verdict = serializers.ChoiceField(choices=Review.Verdict.choices)
    comment = serializers.CharField(default="", allow_blank=True, max_length=2000)
    reason = serializers.CharField(default="", allow_blank=True, max_length=200)
    content = serializers.DictField(default=None, allow_null=True, help_text="For 'fixed': the answer as it should be.")


class NewReply(StrictSerializer):
    text = serializers.CharField(max_length=2000)


class ReviewShape(StrictModelSerializer):
    class Meta:
        model = Review
        fields = ["id", "answer", "verdict", "reason", "comment", "reply", "made_at"]
        read_only_fields = fields


class OwnReviewShape(ReviewShape):
    """A decision about an answer of your own; the `id` is what the address of a reply names."""

    id = serializers.SerializerMethodField()
    answer = serializers.SerializerMethodField(help_text="The `id` of the revision that it is about.")

    def get_id(self, review: Review) -> str:
        return handle_of(Kind.REVIEW, review.pk, review.answer.person_id)

    def get_answer(self, review: Review) -> str:
        return handle_of(Kind.ANSWER, review.answer_id, review.answer.person_id)


class OwnAnswerShape(AnswerShape):
    """An answer of your own, as `name_for_author` names it; the `id` is what the address of a change names."""

    id = serializers.CharField(source="handle", read_only=True)
    item = serializers.IntegerField(source="number", read_only=True, help_text="The item's number as you saw it.")

    @extend_schema_field(serializers.ListField(child=serializers.DictField()))
    def get_reviews(self, answer: Answer) -> list[dict[str, Any]]:
        return OwnReviewShape(shown_reviews(answer.campaign, answer.reviews.all()), many=True).data
