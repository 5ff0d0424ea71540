"""The endpoint of the gold export."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.gold import EXPORTS
from annotation.views.gold import file_of

FORM = OpenApiParameter("format", str, enum=list(EXPORTS), default="jsonl", description="the form of the file")
PLAIN = OpenApiResponse(OpenApiTypes.OBJECT, "The form cannot hold them.")


class Gold(APIView):
    """Download the gold rewrites with their provenance."""

    @extend_schema(
        parameters=[FORM],
        responses={
            (200, "application/x-ndjson"): OpenApiTypes.STR,
            (200, "application/zip"): OpenApiTypes.BINARY,
            (200, "text/csv"): OpenApiTypes.STR,
            400: PLAIN,
        },
    )
    def get(self, request: Request, study: str):
        """Stream the rewrites that count: accepted or not reviewed yet, each person's newest revision."""
        return file_of(request.study, request.query_params.get("format", "jsonl"))
