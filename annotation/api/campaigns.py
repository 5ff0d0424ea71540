"""The endpoints of campaigns: what they are, their guidelines and items, how far they are, and a preview."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import (
    StrictModelSerializer,
    StrictSerializer,
    query_parameters,
    with_body,
    without_body,
)
from accounts.option_fields import body_of, fields_of, serializer_field
from annotation.actions.adopt_screening import adopt_screening
from annotation.actions.build_campaign import build_campaign
from annotation.actions.create_campaign import create_campaign
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.grow_campaign import GrowthFields, grow_campaign
from annotation.actions.read_guideline import read_guideline
from annotation.actions.remove_campaign import remove_campaign
from annotation.actions.revise_guideline import revise_guideline
from annotation.actions.set_campaign_state import StateFields, set_campaign_state
from annotation.actions.set_expected import EXPLANATION, set_expected
from annotation.campaigns.expected_answers import expected_count, lacking
from annotation.campaigns.fields import WHEN_MADE, WHILE_EMPTY, CampaignFields
from annotation.campaigns.requested import campaign_named, campaign_of, number_in
from annotation.models import Campaign, Guideline, Item
from annotation.presenters.answers import claim_of
from annotation.progress.counts import answers_by_version, progress_by_person, progress_of
from annotation.progress.pace import answers_by_day, paces
from annotation.task_types import TASK_TYPES
from corpora.api.base import Listing
from corpora.models import Study
from corpora.studies import direction_named, systems_named
from foundation.options import list_options, option_named


class CampaignShape(StrictModelSerializer):
    direction = serializers.CharField(source="direction.name", default=None, read_only=True, allow_null=True)
    after = serializers.CharField(source="after.slug", default=None, read_only=True, allow_null=True)
    settings = serializers.DictField(read_only=True)
    eligibility = serializers.DictField(read_only=True)
    crew = serializers.DictField(source="eligibility", read_only=True, help_text="The old name of `eligibility`.")
    checks = serializers.DictField(read_only=True)
    pay = serializers.DictField(read_only=True)
    examples = serializers.ListField(child=serializers.DictField(child=serializers.CharField()), read_only=True)

    class Meta:
        model = Campaign
        fields = [
            "slug", *(one.name for one in list_options(CampaignFields) if one.changes != WHEN_MADE), "crew", "size",
            "state", "guideline_version", "made_at",
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


class Campaigns(Listing):
    queryset = Campaign.objects.none()
    serializer_class = CampaignShape

    def rows(self) -> Any:
        return self.request.study.campaigns.select_related("direction", "after")

    @with_body(NewCampaign, responses={201: CampaignShape})
    def post(self, request: Any, study: str, given: dict[str, Any]) -> Response:
        """Make a campaign with all its items; it is a draft until its state is set."""
        created = create_campaign(study=request.study, by=request.user, **_with_rows(request.study, given))
        return Response(CampaignShape(created).data, status=201)


class OneCampaign(APIView):
    @extend_schema(responses=CampaignInFull)
    def get(self, request: Any, study: str, campaign: str) -> Response:
        """A campaign, and how far it has come."""
        return Response(CampaignInFull(campaign_of(request, campaign)).data)

    @with_body(ChangedCampaign, partial=True, responses=CampaignInFull)
    def patch(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Change what is named; what the items were made with only while there are none."""
        target = campaign_of(request, campaign)
        named = _with_rows(request.study, given)
        return Response(CampaignInFull(edit_campaign(campaign=target, by=request.user, **named)).data)

    @without_body(responses={204: None})
    def delete(self, request: Any, study: str, campaign: str) -> Response:
        """Take the campaign out of the study, with its items and answers. It can be undone for 30 days."""
        remove_campaign(campaign=campaign_of(request, campaign), by=request.user)
        return Response(status=204)


class State(APIView):
    @with_body(NewState, responses=CampaignShape)
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Start, pause or end a campaign."""
        campaign_object = campaign_of(request, campaign)
        return Response(CampaignShape(set_campaign_state(campaign=campaign_object, by=request.user, **given)).data)


def _with_rows(study: Study, given: dict[str, Any]) -> dict[str, Any]:
    """The given fields, with the rows in place of their names."""
    find: dict[str, Callable[[Study, Any], Any]] = {
        "direction": direction_named, "systems": systems_named, "after": partial(campaign_named, where="after")
    }  # fmt: skip
    named = {name: given[name] for name in find if name in given}
    rows = {name: None if value in (None, "") else find[name](study, value) for name, value in named.items()}
    return {**given, **rows}


class GuidelineVersion(APIView):
    @extend_schema(responses=GuidelineShape)
    def get(self, request: Any, study: str, campaign: str) -> Response:
        """The guideline in its newest version."""
        campaign_object = campaign_of(request, campaign)
        return Response(GuidelineShape(campaign_object.guidelines.get(version=campaign_object.guideline_version)).data)

    @with_body(NewGuideline, responses=GuidelineShape)
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Give the campaign a new version of its guideline."""
        campaign_object = campaign_of(request, campaign)
        return Response(GuidelineShape(revise_guideline(campaign=campaign_object, by=request.user, **given)).data)


class GuidelineRead(APIView):
    @with_body(ReadGuideline, responses={204: None})
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Say that you have read the guideline in this version."""
        campaign_object = get_object_or_404(request.study.campaigns, slug=campaign)
        read_guideline(campaign=campaign_object, person=request.user, **given)
        return Response(status=204)


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
    @with_body(NewGrowth, responses=GrownShape)
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Add further texts to a campaign that runs, or more people an item; who was done gets work again."""
        grown = grow_campaign(campaign=campaign_of(request, campaign), **given, by=request.user)
        return Response(GrownShape(grown).data)


class CampaignProgress(APIView):
    @extend_schema(responses=ProgressInFull)
    def get(self, request: Any, study: str, campaign: str) -> Response:
        """How far the campaign has come, by whom, and how long it takes at today's pace."""
        return Response(ProgressInFull(_progress(campaign_of(request, campaign))).data)


class ExpectedAnswers(Listing):
    """The items with what is expected of them, for those who may change the study."""

    queryset = Item.objects.none()
    serializer_class = ExpectedShape

    def rows(self) -> Any:
        return campaign_of(self.request, self.kwargs["campaign"]).items.filter(withdrawn=False).order_by("number")


class ExpectedAnswer(APIView):
    @with_body(NewExpected, responses=ExpectedShape)
    def put(self, request: Any, study: str, campaign: str, number: int, given: dict[str, Any]) -> Response:
        """Keep an answer as the one that is expected of the item."""
        item = get_object_or_404(campaign_of(request, campaign).items, number=number)
        set_expected(item=item, by=request.user, **given)
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


ITEM = OpenApiParameter("item", int, default=1, description="the item's number")


class PreviewShape(StrictSerializer):
    """An item as it is presented, by no lease, with the guideline that stands beside it."""

    number = serializers.IntegerField()
    size = serializers.IntegerField()
    task_type = serializers.CharField()
    item = serializers.DictField()
    guideline = serializers.CharField(allow_blank=True)


class TriedAnswer(StrictSerializer):
    item = serializers.IntegerField(min_value=1, max_value=999_999_999)
    content = serializers.DictField(help_text="An answer, in the order in which the preview shows the item.")


class CheckedAnswer(StrictSerializer):
    """The answer as it would be stored."""

    content = serializers.DictField()


class Preview(APIView):
    @query_parameters(ITEM, responses=PreviewShape)
    def get(self, request: Any, study: str, campaign: str) -> Response:
        """Show an item as an annotator gets it."""
        campaign_object = campaign_of(request, campaign)
        claim = claim_of(request, campaign_object, number_in(request.query_params.get("item", "1")))
        work, kind = claim.item, TASK_TYPES[campaign_object.task_type]
        guideline = campaign_object.guidelines.filter(version=campaign_object.guideline_version).first()
        item = kind.present(work.content, campaign_object.settings, work.order, None)
        return Response(
            {
                "number": work.number, "size": campaign_object.size, "task_type": campaign_object.task_type,
                "item": item, "guideline": guideline.text if guideline else "",
            }
        )  # fmt: skip

    @with_body(TriedAnswer, responses=CheckedAnswer)
    def post(self, request: Any, study: str, campaign: str, given: dict[str, Any]) -> Response:
        """Check an answer as an annotator's would be; it goes nowhere."""
        campaign_object = campaign_of(request, campaign)
        work, kind = claim_of(request, campaign_object, given["item"]).item, TASK_TYPES[campaign_object.task_type]
        answer = kind.check(given["content"], work.content, campaign_object.settings)
        return Response({"content": kind.restored(answer, work.order)})


class AdoptedScreening(StrictSerializer):
    questions = serializers.IntegerField(help_text="Questions that are chosen now.")
    documents = serializers.IntegerField(help_text="Documents that are chosen now.")
    ties = serializers.ListField(child=serializers.CharField(), help_text="What stays undecided, since votes are tied.")


class AdoptScreening(APIView):
    @without_body(responses=AdoptedScreening)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Make what the screening decided the standing of the study's questions and documents."""
        counts = adopt_screening(campaign=campaign_of(request, campaign), by=request.user)
        return Response(counts._asdict())
