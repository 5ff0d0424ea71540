"""The endpoints of a person's own work: the campaigns that take some from them, and their goals."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView, get_object_or_404
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer
from accounts.option_fields import serializer_field
from annotation.actions.set_daily_goal import GOAL, set_daily_goal
from annotation.api.validation import validated
from annotation.progress.own_campaigns import campaigns_for


class MyWorkShape(StrictSerializer):
    """A campaign with what you did there, its free assignments, what you still lack, and your answers to be revised."""

    study = serializers.CharField(source="campaign.study.slug")
    campaign = serializers.CharField(source="campaign.slug")
    name = serializers.CharField(source="campaign.name")
    task_type = serializers.CharField(source="campaign.task_type")
    done = serializers.IntegerField()
    size = serializers.IntegerField(source="campaign.size")
    free = serializers.IntegerField(allow_null=True)
    missing = serializers.ListField(child=serializers.CharField())
    rejected = serializers.IntegerField()
    left = serializers.IntegerField(
        source="progress.left", allow_null=True, help_text="Items that you may still get, counted to 1000."
    )
    hours_left = serializers.FloatField(
        source="progress.hours", allow_null=True, help_text="What they take at your own pace, once there is one."
    )
    due = serializers.DecimalField(source="progress.due", max_digits=24, decimal_places=2, allow_null=True)
    currency = serializers.CharField(source="progress.currency")
    today = serializers.IntegerField(source="progress.today")
    goal = serializers.IntegerField(source="progress.goal", allow_null=True, help_text="The items a day you chose.")


class GoalShape(StrictSerializer):
    goal = serializer_field(GOAL, defaults=False, required=True)


class MyWork(GenericAPIView):
    serializer_class = MyWorkShape
    pagination_class = None

    @extend_schema(responses=MyWorkShape(many=True))
    def get(self, request: Any) -> Response:
        """The campaigns that take work from you now."""
        return Response(MyWorkShape(campaigns_for(request.user), many=True).data)


class DailyGoal(APIView):
    scope = "annotate"

    @extend_schema(request=GoalShape, responses=GoalShape)
    def put(self, request: Any, study: str, campaign: str) -> Response:
        """Choose how many items you want to do in a day; null for no goal."""
        found = get_object_or_404(request.study.campaigns, slug=campaign)
        membership = set_daily_goal(campaign=found, person=request.user, **validated(GoalShape, request))
        return Response(GoalShape(membership).data)
