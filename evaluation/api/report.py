"""The endpoints of the report, and of how it compares."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import query_parameters, with_body
from accounts.option_fields import body_of, serializer_field
from corpora.studies import systems_named
from evaluation.actions.choose_report import choose_report
from evaluation.api.base import FILES, Detail, report_of
from evaluation.models import ReportChoice
from evaluation.rendering import forms_of
from evaluation.report_fields import ReportFields
from evaluation.report_files import file_of_report
from evaluation.report_freshness import report_key
from evaluation.snapshot import EXAMPLES
from foundation.errors import UserError
from foundation.options import list_options, option_named


class ReportView(APIView):
    """The report of a study as it was last worked out."""

    @query_parameters(
        OpenApiParameter("format", str, enum=list(forms_of("report")), default="json", description="its form"),
        responses={**FILES, 400: Detail, 404: Detail},
    )
    def get(self, request: Request, study: str) -> Any:
        """The form of the JSON is in the documentation; the header `Restyle-Out-Of-Date` says whether to renew it."""
        form = request.query_params.get("format", "json")
        if form not in (forms := forms_of("report")):
            raise UserError(
                "There is no format '{form}'; the formats are {forms}.",
                form=form,
                forms=", ".join(forms),
                where="format",
            )
        report = report_of(request)
        answer = file_of_report(report, form)
        answer["Restyle-Out-Of-Date"] = "yes" if report.key != report_key(request.study) else "no"
        return answer


JOINT = option_named(ReportFields, "joint")
ReportChoiceSerializer = body_of(
    ReportFields, "ReportChoiceSerializer", joint=serializer_field(JOINT, help_text=f"{JOINT.help} {EXAMPLES}")
)


class ReportChoices(APIView):
    """How the report of a study compares systems."""

    @extend_schema(responses=ReportChoiceSerializer)
    def get(self, request: Request, study: str) -> Response:
        return Response(_report_choice(request.study))

    @with_body(ReportChoiceSerializer, responses={200: ReportChoiceSerializer, 400: Detail})
    def put(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Choose; what is left out is as usual. The report has to be worked out anew."""
        name = given.pop("baseline", None)
        baseline = systems_named(request.study, [name], "baseline")[0] if name else None
        choose_report(study=request.study, baseline=baseline, by=request.user, **given)
        return Response(_report_choice(request.study))


def _report_choice(study: Any) -> dict[str, Any]:
    chosen = ReportChoice.objects.select_related("baseline").filter(study=study).first() or ReportChoice()
    fields = {one.name: getattr(chosen, one.name) for one in list_options(ReportFields)}
    return {**fields, "baseline": chosen.baseline.name if chosen.baseline else None}
