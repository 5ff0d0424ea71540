"""The endpoints of the report, and of how it compares."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer, query_parameters
from evaluation.actions.choose_report import AVERAGINGS, CORRECTIONS, choose_report
from evaluation.api.base import FILES, Detail, report_of
from evaluation.comparability.report_split import CHOICES as SPLITS
from evaluation.models import ReportChoice
from evaluation.rendering import forms_of
from evaluation.report_files import file_of_report
from evaluation.report_freshness import report_key
from evaluation.snapshot import EXAMPLES
from evaluation.snapshot_builder.judgements import VARIANTS
from foundation.errors import UserError


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
                "There is no form '{form}'; there are {forms}.", form=form, forms=", ".join(forms), where="format"
            )
        report = report_of(request)
        answer = file_of_report(report, form)
        answer["Restyle-Out-Of-Date"] = "yes" if report.key != report_key(request.study) else "no"
        return answer


class ReportChoiceSerializer(StrictSerializer):
    baseline = serializers.CharField(
        max_length=100, allow_null=True, required=False, help_text="a system's name; null: the first that is no person"
    )
    alpha = serializers.FloatField(default=0.05)
    correction = serializers.ChoiceField(choices=CORRECTIONS, default="holm")
    variant = serializers.ChoiceField(choices=list(VARIANTS), default="raw", help_text="which judgements lead")
    split = serializers.ChoiceField(
        choices=[one for one in SPLITS if one], default="", allow_blank=True,
        help_text="the sentences that it is about; left out: the test split where systems have outputs of it, else all",
    )  # fmt: skip
    human_systems = serializers.BooleanField(
        default=False, help_text="whether metrics are ranked over systems that are people, too"
    )
    averaging = serializers.ChoiceField(
        choices=AVERAGINGS, default="sentence", help_text="what counts once in a mean of judgements"
    )
    joint = serializers.ListField(
        child=serializers.CharField(max_length=300), default=list, help_text=f"joint scores of criteria: {EXAMPLES}"
    )


class ReportChoices(APIView):
    """How the report of a study compares systems."""

    @extend_schema(responses=ReportChoiceSerializer)
    def get(self, request: Request, study: str) -> Response:
        return Response(_report_choice(request.study))

    @extend_schema(request=ReportChoiceSerializer, responses={200: ReportChoiceSerializer, 400: Detail})
    def put(self, request: Request, study: str) -> Response:
        """Choose; what is left out is as usual. The report has to be worked out anew."""
        asked = ReportChoiceSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = dict(asked.validated_data)
        name = given.pop("baseline", None)
        baseline = request.study.systems.filter(name=name).first() if name else None
        if name and baseline is None:
            raise UserError("The study has no system '{name}'.", name=name, where="baseline")
        choose_report(study=request.study, baseline=baseline, by=request.user, **given)
        return Response(_report_choice(request.study))


def _report_choice(study: Any) -> dict[str, Any]:
    chosen = ReportChoice.objects.select_related("baseline").filter(study=study).first() or ReportChoice()
    return {
        "baseline": chosen.baseline.name if chosen.baseline else None,
        "alpha": chosen.alpha,
        "correction": chosen.correction,
        "variant": chosen.variant,
        "split": chosen.split,
        "human_systems": chosen.human_systems,
        "averaging": chosen.averaging,
        "joint": chosen.joint,
    }
