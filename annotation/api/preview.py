"""The endpoint of a campaign's preview: what an annotator would be shown. Nothing is stored."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer, query_parameters
from annotation.api.validation import validated
from annotation.campaigns.requested import campaign_of, number_in
from annotation.presenters.previewed_item import claim_of
from annotation.task_types import TASK_TYPES

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

    @extend_schema(request=TriedAnswer, responses=CheckedAnswer)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Check an answer as an annotator's would be; it goes nowhere."""
        campaign_object, given = campaign_of(request, campaign), validated(TriedAnswer, request)
        work, kind = claim_of(request, campaign_object, given["item"]).item, TASK_TYPES[campaign_object.task_type]
        answer = kind.check(given["content"], work.content, campaign_object.settings)
        return Response({"content": kind.restored(answer, work.order)})
