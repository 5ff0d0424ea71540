"""The endpoints of the report's tables and figures, and of the rows behind a number."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer, query_parameters
from evaluation.api.base import FILES, Detail, report_of
from evaluation.drilldown import rows_behind
from evaluation.rendering import RENDERERS
from evaluation.report_files import file_of_table, stored_of
from evaluation.table_parts.contents import in_order
from foundation.errors import UserError

ASKS = {
    "system": "the system's name",
    "metric": "the metric's name; or",
    "criterion": "the criterion's",
    "variant": "the judgements meant: raw, z or filtered",
    "direction": "only sources of this direction, counted from 0",
    "domain": "only sources of this domain",
    "split": "only sources of this split",
    "section": "only sources of this section",
    "by": "length, concepts or apart: only sources of which this number is",
    "low": "at least so high",
    "high": "and below this",
    "mean": "texts: the mean of a metric's scores of texts, not that of the corpus",
}


class CitedSerializer(StrictSerializer):
    authors = serializers.CharField()
    year = serializers.IntegerField()
    title = serializers.CharField()
    url = serializers.URLField()


class ExhibitSerializer(StrictSerializer):
    name = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(["study", "trust", "paper"], help_text="what it is about")
    paper = CitedSerializer(allow_null=True, help_text="the paper that has such a one")
    number = serializers.CharField(help_text="its number there")
    made = serializers.ChoiceField(["table", "figure", "lacking"], source="is")
    reasons = serializers.ListField(child=serializers.CharField(), help_text="what the study lacks for it")


class TablesAndFigures(APIView):
    """The tables and figures of a study, and those that it lacks something for."""

    @extend_schema(responses={200: ExhibitSerializer(many=True), 404: Detail})
    def get(self, request: Request, study: str) -> Response:
        """Those of every study first, then which metric to trust, then paper by paper."""
        listed = [
            {**entry, "title": entry["made"]["title"], "reasons": entry["made"].get("reasons", [])}
            for entry in in_order(report_of(request).tables_and_figures)
        ]
        return Response(ExhibitSerializer(listed, many=True).data)


class OneTableOrFigure(APIView):
    """One table or figure, as it was made with the report."""

    @query_parameters(
        OpenApiParameter("format", str, enum=RENDERERS.names(), default="json", description="its form"),
        responses={
            **FILES,
            (200, "image/svg+xml"): OpenApiTypes.STR,
            (200, "image/png"): OpenApiTypes.BINARY,
            400: Detail,
            404: Detail,
        },
    )
    def get(self, request: Request, study: str, name: str) -> Any:
        """A table has no picture, and of a figure the CSV is its data and the JSON its Vega-Lite."""
        report = report_of(request)
        try:
            stored_of(report, name)
        except UserError as error:
            raise NotFound(str(error)) from None
        form = request.query_params.get("format", "json")
        if form not in RENDERERS:
            raise UserError(
                "There is no format '{form}'; the formats are {renderers}.",
                form=form,
                renderers=", ".join(RENDERERS),
                where="format",
            )
        return file_of_table(request.study.slug, report, name, form)


class RowSerializer(StrictSerializer):
    source = serializers.CharField()
    output = serializers.CharField()
    references = serializers.ListField(child=serializers.CharField())
    score = serializers.FloatField(allow_null=True)
    judgements = serializers.ListField(
        source="given", child=serializers.ListField(child=serializers.FloatField()), help_text="[rater, value] each"
    )


class BehindSerializer(StrictSerializer):
    value = serializers.FloatField(allow_null=True, help_text="the number")
    undefined = serializers.CharField(help_text="why a metric has no such number; else empty")
    mean = serializers.FloatField(allow_null=True, help_text="the mean of the judgements, or of the outputs' scores")
    many = serializers.IntegerField(help_text="of how many of them")
    is_mean = serializers.BooleanField(help_text="whether the number is that mean, or worked out over all together")


RowsPage = inline_serializer(
    "RowsPage",
    {
        **BehindSerializer().get_fields(),
        "count": serializers.IntegerField(),
        "next": serializers.URLField(allow_null=True),
        "previous": serializers.URLField(allow_null=True),
        "results": RowSerializer(many=True),
    },
)


class Rows(GenericAPIView):
    """The outputs behind a number of the report."""

    serializer_class = RowSerializer

    @query_parameters(
        *[OpenApiParameter(name, str, description=about) for name, about in ASKS.items()],
        OpenApiParameter("page", int),
        OpenApiParameter("page_size", int),
        responses={200: RowsPage, 400: Detail, 404: Detail},
    )
    def get(self, request: Request, study: str) -> Response:
        """The lowest first. A table's JSON says of each number what to ask here: its `rows`."""
        behind = rows_behind(request.study, request.query_params.dict())
        page = RowSerializer(self.paginate_queryset(behind.rows), many=True).data
        return Response({**BehindSerializer(behind).data, **self.get_paginated_response(page).data})
