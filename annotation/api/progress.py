"""The endpoints of a campaign's items: making them, how far they are, and what is expected of them."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.generics import get_object_or_404
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, StrictSerializer, without_body
from accounts.option_fields import body_of, serializer_field
from annotation.actions.build_campaign import build_campaign
from annotation.actions.grow_campaign import GrowthFields, grow_campaign
from annotation.actions.set_expected import EXPLANATION, set_expected
from annotation.api.shapes import CampaignShape, ProgressShape
from annotation.api.validation import validated
from annotation.campaigns.expected_answers import expected_count, lacking
from annotation.campaigns.requested import campaign_of
from annotation.models import Campaign, Item
from annotation.progress.counts import answers_by_version, progress_by_person, progress_of
from annotation.progress.pace import answers_by_day, paces


class PaceShape(StrictSerializer):
    handed_in = serializers.IntegerField(help_text="In the last 24 hours.")
    an_hour = serializers.FloatField()
    hours_left = serializers.FloatField(allow_null=True, help_text="At this pace; null where nothing came in.")


class DayShape(StrictSerializer):
    day = serializers.DateField()
    count = serializers.IntegerField()


class WorkerShape(StrictSerializer):
    person = serializers.UUIDField(source="person__pseudonym")
    answered = serializers.IntegerField()
    skipped = serializers.IntegerField()
    reported = serializers.IntegerField()
    late = serializers.IntegerField()
    recent = serializers.IntegerField(help_text="Answered in the last 24 hours.")
    accepted = serializers.IntegerField(source="membership.accepted", default=0)
    rejected = serializers.IntegerField(source="membership.rejected", default=0)
    state = serializers.CharField(source="membership.state", default="working")
    seconds = serializers.FloatField(allow_null=True)
    last = serializers.DateTimeField()


class ProgressInFull(StrictSerializer):
    progress = ProgressShape()
    pace = PaceShape()
    days = DayShape(many=True)
    people = WorkerShape(many=True)
    answers_by_guideline = serializers.DictField(child=serializers.IntegerField())
    expected_kept = serializers.IntegerField()
    expected_lacking = serializers.IntegerField()


class ExpectedShape(StrictModelSerializer):
    expected = serializers.DictField(allow_null=True, read_only=True)
    content = serializers.DictField(read_only=True)

    class Meta:
        model = Item
        fields = ["number", "content", "control", "expected", "explanation"]
        read_only_fields = fields


NewGrowth = body_of(
    GrowthFields, "NewGrowth", "For `texts` null is all that there are, for `overlap` as many as it is."
)


class GrownShape(StrictSerializer):
    items = serializers.IntegerField(help_text="New items.")
    assignments = serializers.IntegerField(help_text="New places for one person at an item.")


class NewExpected(StrictSerializer):
    content = serializers.DictField(help_text="An answer to the item, its candidates in the order they are stored.")
    explanation = serializer_field(EXPLANATION)


class Build(APIView):
    @without_body(responses=CampaignShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Make the items of a planned campaign now."""
        campaign_object = campaign_of(request, campaign)
        build_campaign(campaign=campaign_object, by=request.user)
        return Response(CampaignShape(campaign_object).data)


class Grow(APIView):
    @extend_schema(request=NewGrowth, responses=GrownShape)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Add further texts to a campaign that runs, or more people an item; who was done gets work again."""
        given = validated(NewGrowth, request)
        grown = grow_campaign(campaign=campaign_of(request, campaign), **given, by=request.user)
        return Response(GrownShape(grown).data)


class CampaignProgress(APIView):
    @extend_schema(responses=ProgressInFull)
    def get(self, request: Any, study: str, campaign: str) -> Response:
        """How far the campaign has come, by whom, and how long it takes at today's pace."""
        return Response(ProgressInFull(_progress(campaign_of(request, campaign))).data)


class ExpectedAnswers(generics.ListAPIView):
    """The items with what is expected of them, for those who may change the study."""

    queryset = Item.objects.none()
    serializer_class = ExpectedShape

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return Item.objects.none()
        return campaign_of(self.request, self.kwargs["campaign"]).items.filter(withdrawn=False).order_by("number")


class ExpectedAnswer(APIView):
    @extend_schema(request=NewExpected, responses=ExpectedShape)
    def put(self, request: Any, study: str, campaign: str, number: int) -> Response:
        """Keep an answer as the one that is expected of the item."""
        item = get_object_or_404(campaign_of(request, campaign).items, number=number)
        set_expected(item=item, by=request.user, **validated(NewExpected, request))
        item.refresh_from_db()
        return Response(ExpectedShape(item).data)

    @without_body(responses={204: None})
    def delete(self, request: Any, study: str, campaign: str, number: int) -> Response:
        """Take the expected answer of the item away."""
        item = get_object_or_404(campaign_of(request, campaign).items, number=number)
        set_expected(item=item, content=None, by=request.user)
        return Response(status=204)


def _progress(campaign: Campaign) -> dict[str, Any]:
    progress = progress_of(campaign)
    return {
        "progress": progress,
        "pace": paces({campaign: progress.left})[campaign.pk],
        "days": answers_by_day(campaign),
        "people": progress_by_person(campaign),
        "answers_by_guideline": {str(key): count for key, count in answers_by_version(campaign).items()},
        "expected_kept": expected_count(campaign),
        "expected_lacking": lacking(campaign),
    }
