"""The endpoints of a study's systems and their outputs."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from accounts.api_schema import StrictModelSerializer, with_body, without_body
from accounts.option_fields import body_of
from corpora.actions.add_system import add_system
from corpora.actions.remove_system import remove_system
from corpora.actions.rename_system import rename_system
from corpora.api.base import (
    FILE_PARSERS,
    LayoutSerializer,
    ObjectField,
    StudyAPI,
    layout_of,
    with_files,
)
from corpora.fields import SystemFields
from corpora.models import Direction, Output, Study, System
from corpora.studies import direction_named
from corpora.texts.queries import systems_of
from corpora.uploads import text_file, texts_for
from foundation.errors import UserError
from foundation.options import option_named


class SystemSerializer(StrictModelSerializer):
    human = serializers.BooleanField(source="is_human")
    outputs = serializers.IntegerField(source="output_count", help_text="How many outputs it has.")
    missing = serializers.IntegerField(
        source="missing_count", help_text="How many sources of its directions and splits have none."
    )

    class Meta:
        model = System
        fields = ["id", "name", "human", "family", "seed", "options", "origin", "outputs", "missing", "made_at"]


class FilesOfSystem(LayoutSerializer):
    direction = serializers.ListField(child=serializers.CharField(max_length=121), min_length=1, max_length=100)
    file = serializers.ListField(child=serializers.FileField(allow_empty_file=True), min_length=1, max_length=100)


NewSystemSerializer = body_of(
    SystemFields, "NewSystemSerializer",
    "One `file` for each `direction`, in the same order; both may be given several times.", base=FilesOfSystem,
    options=ObjectField(max_length=2000, default=dict, help_text=option_named(SystemFields, "options").help),
)  # fmt: skip


class SystemList(StudyAPI):
    serializer_class = SystemSerializer
    parser_classes = FILE_PARSERS

    @extend_schema(responses=SystemSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The systems of the study."""
        return Response(SystemSerializer(systems_of(self.study), many=True).data)

    @with_files(NewSystemSerializer, responses={201: SystemSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Add a system with its outputs for one direction or several."""
        origin = ", ".join(file.name for file in given["file"])
        own = {name: given[name] for name in ("name", "family", "seed", "options")}
        made = add_system(
            study=self.study, outputs=_outputs(self.study, given), origin=origin, is_human=given["human"],
            allows_missing=given["missing"], by=request.user, **own,
        )  # fmt: skip
        return Response(SystemSerializer(systems_of(self.study).get(pk=made.pk)).data, status=201)


def _outputs(study: Study, given: dict[str, Any]) -> dict[Direction, list[str | None]]:
    names, files, layout = given["direction"], given["file"], layout_of(given)
    if len(names) != len(files):
        raise UserError(
            "There are {names_count} directions and {files_count} files; give one for the other.",
            names_count=len(names),
            files_count=len(files),
            where="file",
        )
    if len(set(names)) < len(names):
        raise UserError("A direction occurs twice.", where="direction")
    outputs = {}
    for name, upload in zip(names, files, strict=True):
        direction = direction_named(study, name)
        file = text_file(upload, encoding=layout.encoding)
        outputs[direction] = texts_for(direction, file, layout, missing=given["missing"])
    return outputs


SystemName = body_of(SystemFields, "SystemName", "The name of a system.", names=("name",))


class SystemDetail(StudyAPI):
    serializer_class = SystemSerializer

    def get(self, request: Request, study: str, pk: int) -> Response:
        """A system."""
        return Response(SystemSerializer(get_object_or_404(systems_of(self.study), pk=pk)).data)

    @with_body(SystemName, partial=True, responses=SystemSerializer)
    def patch(self, request: Request, study: str, pk: int, given: dict[str, Any]) -> Response:
        """Give a system another name, unless the frozen plan of a human study names it."""
        system = get_object_or_404(System, pk=pk, study=self.study)
        rename_system(system=system, name=given.get("name", system.name), by=request.user)
        return self.get(request, study, pk)

    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, pk: int) -> Response:
        """Take a system out of the study, where nothing depends on it."""
        remove_system(system=get_object_or_404(System, pk=pk, study=self.study), by=request.user)
        return Response(status=204)


class OutputSerializer(StrictModelSerializer):
    direction = serializers.CharField(source="sentence.direction.name")
    number = serializers.IntegerField(source="sentence.number")
    source = serializers.CharField(source="sentence.text")

    class Meta:
        model = Output
        fields = ["direction", "number", "source", "text"]


class OutputList(StudyAPI):
    serializer_class = OutputSerializer
    pagination_class = api_settings.DEFAULT_PAGINATION_CLASS
    queryset = Output.objects.none()

    @extend_schema(responses=OutputSerializer(many=True))
    def get(self, request: Request, study: str, pk: int) -> Response:
        """The outputs of a system in the order of the sources."""
        system = get_object_or_404(System, pk=pk, study=self.study)
        rows = system.outputs.select_related("sentence__direction")
        page = self.paginate_queryset(rows.order_by("sentence__direction__number", "sentence__number"))
        return self.get_paginated_response(OutputSerializer(page, many=True).data)
