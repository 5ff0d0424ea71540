"""Code that these endpoints share."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound

from evaluation.models import Report

Detail = inline_serializer("Detail", {"detail": serializers.CharField()})
FILES = {
    (200, "application/json"): OpenApiTypes.OBJECT,
    (200, "text/csv"): OpenApiTypes.STR,
    (200, "text/markdown"): OpenApiTypes.STR,
    (200, "application/x-latex"): OpenApiTypes.STR,
}
"""What a report and a table are answered as."""


def report_of(request: Any) -> Report:
    """The study's stored report; 404 where there is none yet."""
    report = Report.objects.select_related("study").filter(study=request.study).first()
    if report is None:
        raise NotFound("The report has not been computed yet.")
    return report
