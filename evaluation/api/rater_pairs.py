"""The endpoint of the texts that two raters judged. How far each two agree stands in the report: its `rater_pairs`."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictSerializer, query_parameters
from evaluation.api.base import Detail
from evaluation.drilldown import judged_by_two


class JudgedByTwoSerializer(StrictSerializer):
    source = serializers.CharField()
    text = serializers.CharField()
    values = serializers.ListField(child=serializers.FloatField(), help_text="of a and of b")


class RaterPair(GenericAPIView):
    """The texts that two raters both judged."""

    serializer_class = JudgedByTwoSerializer

    @query_parameters(
        OpenApiParameter("criterion", str, required=True),
        OpenApiParameter("a", int, description="a rater's number in the report", required=True),
        OpenApiParameter("b", int, description="another one's", required=True),
        OpenApiParameter("page", int),
        OpenApiParameter("page_size", int),
        responses={200: JudgedByTwoSerializer(many=True), 400: Detail},
    )
    def get(self, request: Request, study: str) -> Response:
        """Those on which they differ most first."""
        rows = self.paginate_queryset(judged_by_two(request.study, request.query_params.dict()))
        return self.get_paginated_response(JudgedByTwoSerializer(rows, many=True).data)
