"""The shapes of campaigns: what they are, what is asked for a new one or a changed one, and their guidelines."""

from dataclasses import asdict

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api_schema.strict_serializers import StrictModelSerializer, StrictSerializer
from accounts.option_fields.serializers import fields_of
from annotation.campaigns.fields import WHEN_MADE, WHILE_EMPTY, CampaignFields
from annotation.models import Campaign, Guideline
from annotation.progress.counts import progress_of
from foundation.options import list_options


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


NewCampaign = type("NewCampaign", (StrictSerializer,), fields_of(CampaignFields))
ONLY = "Only what is named is changed; what the items are made with only while the campaign has none."
ChangedCampaign = type(
    "ChangedCampaign", (StrictSerializer,), {"__doc__": ONLY, **fields_of(CampaignFields, ("always", WHILE_EMPTY))}
)


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
