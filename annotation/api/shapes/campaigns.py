"""The shapes of campaigns: what they are, what is asked for a new one or a changed one, and their guidelines."""

from dataclasses import asdict

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api_schema.strict_serializers import StrictModelSerializer, StrictSerializer
from annotation.models import Campaign, Guideline
from annotation.models.campaign import every_role
from annotation.progress.counts import progress_of
from annotation.task_types import TASK_TYPES
from corpora.models import Sentence

LARGEST_INTEGER = 2**31 - 1


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
            "slug", "name", "task_type", "direction", "settings", "overlap", "lease_minutes", "roles", "purpose",
            "after", "takes", "splits", "needs_review", "crew", "checks", "reasons", "control_every", "prefetch", "pay",
            "examples", "submits_at_once", "seed", "size", "state", "guideline_version", "made_at",
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


class Staffing(StrictSerializer):
    """What a campaign asks of people and of their answers; all of it may be changed later."""

    lease_minutes = serializers.IntegerField(default=60, min_value=1, max_value=7 * 24 * 60)
    roles = serializers.ListField(child=serializers.ChoiceField(choices=every_role()), default=every_role)
    needs_review = serializers.BooleanField(default=False, help_text="Only what a reviewer accepted counts.")
    crew = serializers.DictField(default=dict, help_text="The eligibility rules by name, as in a study file.")
    checks = serializers.DictField(default=dict, help_text="The quality checks by name.")
    reasons = serializers.ListField(child=serializers.CharField(max_length=200), default=list)
    control_every = serializers.IntegerField(default=0, min_value=0, max_value=1000)
    examples = serializers.ListField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)), default=list,
        help_text="[{'about': 'meaning', 'good': '...', 'bad': '...', 'why': '...'}], beside the guideline.",
    )  # fmt: skip
    submits_at_once = serializers.BooleanField(default=False, help_text="The last answer hands an item in.")
    prefetch = serializers.IntegerField(default=0, min_value=0, max_value=20, help_text="Items leased ahead.")
    pay = serializers.DictField(default=dict, help_text="{'currency': 'EUR', 'item': 0.2, 'hour': 12, 'minutes': 5}")


class NewCampaign(Staffing):
    name = serializers.CharField(max_length=200)
    task_type = serializers.ChoiceField(choices=TASK_TYPES.names())
    direction = serializers.CharField(default=None, allow_null=True, help_text="'source-target'; all where left out.")
    settings = serializers.DictField(default=dict, help_text="The task type's, as in a study file.")
    systems = serializers.ListField(
        child=serializers.CharField(), default=None, allow_null=True, help_text="Their names; all where left out."
    )
    overlap = serializers.IntegerField(default=1, min_value=1, max_value=100)
    purpose = serializers.ChoiceField(choices=Campaign.Purpose.choices, default=Campaign.Purpose.WORK)
    after = serializers.CharField(default=None, allow_null=True, help_text="The campaign whose answers it works on.")
    takes = serializers.ChoiceField(choices=Campaign.Takes.choices, default=Campaign.Takes.ACCEPTED)
    splits = serializers.ListField(child=serializers.ChoiceField(choices=Sentence.Split.choices), default=list)
    planned = serializers.BooleanField(default=False, help_text="Its items are created when it starts.")
    seed = serializers.IntegerField(default=1, min_value=-LARGEST_INTEGER, max_value=LARGEST_INTEGER)
    guideline = serializers.CharField(default="", allow_blank=True)


class ChangedCampaign(Staffing):
    """Only what is named is changed; the fields of the second part only while the campaign has no items."""

    name = serializers.CharField(max_length=200)
    settings = serializers.DictField()
    direction = serializers.CharField(allow_null=True)
    overlap = serializers.IntegerField(min_value=1, max_value=100)
    purpose = serializers.ChoiceField(choices=Campaign.Purpose.choices)
    after = serializers.CharField(allow_null=True)
    takes = serializers.ChoiceField(choices=Campaign.Takes.choices)
    splits = serializers.ListField(child=serializers.ChoiceField(choices=Sentence.Split.choices))
    seed = serializers.IntegerField(min_value=-LARGEST_INTEGER, max_value=LARGEST_INTEGER)


class NewState(StrictSerializer):
    state = serializers.ChoiceField(choices=Campaign.State.choices)
    pilot_items = serializers.IntegerField(default=10, min_value=1, max_value=1000)


class NewGuideline(StrictSerializer):
    text = serializers.CharField(allow_blank=True)


class ReadGuideline(StrictSerializer):
    version = serializers.IntegerField(min_value=1, max_value=32767)


class GuidelineShape(StrictModelSerializer):
    class Meta:
        model = Guideline
        fields = ["version", "text", "made_at"]
        read_only_fields = fields
