"""The endpoints of what people answered."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.views import APIView

from accounts.api_schema import query_parameters
from annotation.actions.export_answers import ExportFields
from annotation.answer_export import EXPORT_FORMATS
from annotation.campaigns.requested import campaign_of
from annotation.presenters.files import answers_as_file
from foundation.options import list_options

PARAMETERS = [
    OpenApiParameter(one.name, str, enum=one.choices, default=one.default, description=one.label)
    if one.choices
    else OpenApiParameter(one.name, str, enum=["yes", "no"], default="no", description=one.label)
    for one in list_options(ExportFields)
]
RESPONSES: dict[Any, Any] = {
        **{(200, form.media_type): OpenApiTypes.BINARY for form in EXPORT_FORMATS.values()},
    400: OpenApiResponse(OpenApiTypes.OBJECT, "An option is wrong."),
}  # fmt: skip


class StudyAnswers(APIView):
    """Download what was answered in a study."""

    @query_parameters(*PARAMETERS, responses=RESPONSES)
    def get(self, request: Any, study: str) -> Any:
        """Stream the answers of all campaigns, in the order of campaigns and items."""
        return answers_as_file(request.study, request.query_params.dict(), request.user)


class CampaignAnswers(APIView):
    """Download what was answered in a campaign."""

    @query_parameters(*PARAMETERS, responses=RESPONSES)
    def get(self, request: Any, study: str, campaign: str) -> Any:
        """Stream the answers in the order of the items."""
        campaign_object = campaign_of(request, campaign)
        return answers_as_file(request.study, request.query_params.dict(), request.user, campaign_object)
