"""The endpoint of the audit log."""

from datetime import date
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import (
    StrictModelSerializer,
    query_parameters,
)
from accounts.audit_reading import filter_entries
from accounts.forms import TrailForm
from accounts.models import AuditEntry

NARROWING = (
    OpenApiParameter("q", str, description="Words in the name of the action or of its target."),
    OpenApiParameter("person", str, description="The key or e-mail address of who acted, or a part of their name."),
    OpenApiParameter("kind", str, enum=AuditEntry.Kind.values),
    OpenApiParameter("study", str, description="The short name of a study."),
    OpenApiParameter("since", date, description="The first day, in UTC."),
    OpenApiParameter("until", date, description="The last day, in UTC."),
    OpenApiParameter("sort", str, enum=["oldest"], description="The oldest first; else the newest."),
)


class TrailSerializer(StrictModelSerializer):
    """A row of the audit log; `person` is the key of who acted, `changes` are by field `[before, after]`."""

    class Meta:
        model = AuditEntry
        fields = ["id", "at", "person", "study_slug", "kind", "action", "target", "details", "changes"]
        read_only_fields = fields


class AuditLog(generics.ListAPIView):
    """The audit log, newest first: of the study that the address names, else of the whole site."""

    serializer_class = TrailSerializer
    queryset = AuditEntry.objects.none()

    @query_parameters(*NARROWING)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        entries = AuditEntry.objects.all()
        if "study" in self.kwargs:
            entries = entries.filter(study_slug=self.kwargs["study"])
        form = TrailForm(self.request.query_params)
        if not form.is_valid():
            raise serializers.ValidationError(form.errors)
        return filter_entries(entries, form.cleaned_data)
