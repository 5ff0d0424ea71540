"""The endpoint of a person's own work: the campaigns that take some from them."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.response import Response

from accounts.api_schema.strict_serializers import StrictSerializer
from annotation.views.my_work import campaigns_for


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


class MyWork(GenericAPIView):
    serializer_class = MyWorkShape
    pagination_class = None

    @extend_schema(responses=MyWorkShape(many=True))
    def get(self, request: Any) -> Response:
        """The campaigns that take work from you now."""
        return Response(MyWorkShape(campaigns_for(request.user), many=True).data)
