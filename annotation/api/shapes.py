"""The shapes of the API: what requests hold, and what answers to them hold."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api_schema import StrictModelSerializer, StrictSerializer
from accounts.option_fields import body_of, fields_of, serializer_field
from annotation.actions.report_problem import KINDS
from annotation.actions.review_answer import ReviewFields
from annotation.actions.set_campaign_state import StateFields
from annotation.blinding import NAMED, Kind, handle_of, shown_reviews
from annotation.campaigns.fields import LARGEST_INTEGER, WHEN_MADE, WHILE_EMPTY, CampaignFields
from annotation.engine.assignment_queue import Reason
from annotation.models import Answer, Campaign, Guideline, Review
from annotation.progress.counts import progress_of
from annotation.task_types import TASK_TYPES
from foundation.options import list_options, option_named

# The shapes of answers and of what reviewers decide about them.

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


# The shapes of campaigns: what they are, what is asked for a new one or a changed one, and their guidelines.


class CampaignShape(StrictModelSerializer):
    direction = serializers.CharField(source="direction.name", default=None, read_only=True, allow_null=True)
    after = serializers.CharField(source="after.slug", default=None, read_only=True, allow_null=True)
    settings = serializers.DictField(read_only=True)
    crew = serializers.DictField(read_only=True)
    checks = serializers.DictField(read_only=True)
    pay = serializers.DictField(read_only=True)
    examples = serializers.ListField(child=serializers.DictField(child=serializers.CharField()), read_only=True)

    class Meta:
        model = Campaign
        fields = [
            "slug", *(one.name for one in list_options(CampaignFields) if one.changes != WHEN_MADE), "size", "state",
            "guideline_version", "made_at",
        ]  # fmt: skip
        read_only_fields = fields


class ProgressShape(StrictSerializer):
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    leased = serializers.IntegerField()
    held = serializers.IntegerField()
    free = serializers.IntegerField()


class CampaignInFull(CampaignShape):
    progress = serializers.SerializerMethodField()

    class Meta(CampaignShape.Meta):
        fields = [*CampaignShape.Meta.fields, "progress"]
        read_only_fields = fields

    @extend_schema_field(ProgressShape)
    def get_progress(self, campaign: Campaign) -> dict[str, int]:
        return asdict(progress_of(campaign))


NewCampaign = body_of(CampaignFields, "NewCampaign")
ONLY = "Only what is named is changed; what the items are made with only while the campaign has none."
ChangedCampaign = type(
    "ChangedCampaign", (StrictSerializer,), {"__doc__": ONLY, **fields_of(CampaignFields, ("always", WHILE_EMPTY))}
)


NewState = body_of(StateFields, "NewState")


class NewGuideline(StrictSerializer):
    text = serializer_field(option_named(CampaignFields, "guideline"), defaults=False, required=True)


class ReadGuideline(StrictSerializer):
    version = serializers.IntegerField(min_value=1, max_value=32767)


class GuidelineShape(StrictModelSerializer):
    class Meta:
        model = Guideline
        fields = ["version", "text", "made_at"]
        read_only_fields = fields


# The shapes of work: the item in somebody's hands, answers, drafts, skips and reports.


class WorkShape(StrictSerializer):
    slot = serializers.CharField(help_text="Names the item in your hands; of no use to anybody else.")
    lease = serializers.UUIDField()
    expires_at = serializers.DateTimeField()
    number = serializers.IntegerField()
    task_type = serializers.CharField()
    item = serializers.DictField(help_text="What is shown; its form depends on the task type.")
    draft_version = serializers.IntegerField()


class ClaimShape(StrictSerializer):
    work = WorkShape(allow_null=True)
    reason = serializers.ChoiceField(choices=[reason.value for reason in Reason], allow_null=True)
    detail = serializers.CharField(allow_blank=True)
    done = serializers.IntegerField()
    size = serializers.IntegerField()


class Held(StrictSerializer):
    slot = serializers.RegexField(NAMED, help_text="As the item named it.")
    lease = serializers.UUIDField()


class Keyed(Held):
    key = serializers.UUIDField(help_text="Yours to draw: the same key again is the same act.")
    seconds = serializers.FloatField(default=None, allow_null=True, help_text="Active seconds on the item.")


class Seeing(StrictSerializer):
    """What a program knows of the drafts of this item; by nothing of it no draft of another page stands in the way."""

    seen = serializers.IntegerField(
        default=None, allow_null=True, min_value=0, max_value=LARGEST_INTEGER,
        help_text="The newest version of the draft that you know of: where another page saved a newer one, 409.",
    )  # fmt: skip
    writer = serializers.CharField(
        default="", allow_blank=True, max_length=40, help_text="A name for yourself: your own drafts never conflict."
    )


class NewAnswer(Seeing, Keyed):
    content = serializers.DictField(
        help_text="{'text': ...}; {'ratings': [...]} or {'ranks': [...]} in the order of the item's places; or "
        "{'best': 1, 'worst': 3}, places."
    )


class NewRevision(Seeing):
    revision = serializers.IntegerField(
        default=None, allow_null=True, min_value=1, max_value=32767,
        help_text="The revision that you change: where there is a newer one, 409.",
    )  # fmt: skip
    key = serializers.UUIDField()
    seconds = serializers.FloatField(default=None, allow_null=True)
    content = serializers.DictField()


class Acknowledgement(StrictSerializer):
    answer = serializers.CharField(help_text="The `id` of the answer.")
    revision = serializers.IntegerField()
    late = serializers.BooleanField()
    next = ClaimShape()
    feedback = serializers.DictField(allow_null=True, help_text="In a training: what was expected, beside your answer.")


class TypedShape(Seeing):
    version = serializers.IntegerField(min_value=1, max_value=LARGEST_INTEGER)
    form = serializers.DictField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False),
        help_text="The fields of the page's form: 'text', or those that the item names.",
    )


class NewDraft(TypedShape, Held):
    """A draft of the item in your hands."""


class DraftShape(StrictSerializer):
    version = serializers.IntegerField()


class NewerDraftShape(DraftShape):
    detail = serializers.CharField()
    content = serializers.DictField()


class HandedInShape(StrictSerializer):
    """What you handed in to this item stands as it is."""

    detail = serializers.CharField()
    answer = serializers.CharField(help_text="The `id` of the answer.")
    revision = serializers.IntegerField()
    content = serializers.DictField()


class NewSkip(Keyed):
    comment = serializers.CharField(default="", allow_blank=True, max_length=2000)
    form = serializers.DictField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False), default=None, allow_null=True,
        help_text="What was typed, as for a draft: it waits for the case that you take this back.",
    )  # fmt: skip


class NewReport(NewSkip):
    kind = serializers.ChoiceField(choices=KINDS)
