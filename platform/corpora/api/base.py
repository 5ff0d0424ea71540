"""The base of the endpoints of a study."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request

from accounts.api_schema import StrictSerializer, checked, with_body
from corpora.models import Direction, Study
from corpora.uploads import Layout, refusal
from foundation.errors import UserError, first_five

FILE_PARSERS = [MultiPartParser, FormParser]


class StudyAPI(GenericAPIView):
    """An endpoint of a study."""

    pagination_class = None

    @property
    def study(self) -> Study:
        return self.request.study


class LayoutSerializer(StrictSerializer):
    """How texts stand in a file: line by line, or a table joined on the source where the two columns are given."""

    source = serializers.CharField(
        default="", max_length=200, help_text="The source's column: a number from 1, or a name in the header."
    )
    text = serializers.CharField(default="", max_length=200, help_text="The text's column.")
    format = serializers.CharField(
        default="", max_length=20, help_text="csv, tsv or jsonl; by the file's ending where it is left out."
    )
    encoding = serializers.CharField(default="", max_length=40, help_text="UTF-8 where it is left out.")
    missing = serializers.BooleanField(default=False, help_text="Whether some sources may have no text.")


def layout_of(given: dict[str, Any]) -> Layout:
    return Layout(**{name: given[name] for name in ("source", "text", "format", "encoding")})


def with_files(serializer: type[serializers.Serializer], **schema: Any) -> Callable[[Any], Any]:
    """As `with_body`, of a body with uploads."""
    return with_body(serializer, read=_uploaded, request={"multipart/form-data": serializer}, **schema)


def _uploaded(serializer: type[serializers.Serializer], request: Request) -> dict[str, Any]:
    """The request's data, held to the serializer; the error of an upload that was too large comes first."""
    names = serializer().fields
    request.data  # noqa: B018  reading the body is what refuses
    for name in names:
        sentence = refusal(request, name)
        if sentence:
            raise UserError(sentence)
    return checked(serializer, request)


def direction_named(study: Study, name: str) -> Direction:
    """The direction `source-target`; a UserError lists what there is."""
    there = {direction.name: direction for direction in study.directions.select_related("study")}
    if name not in there:
        raise UserError(
            "There is no direction '{name}'; there are {there}.",
            name=name,
            there=first_five(there) or "none",
            where="direction",
        )
    return there[name]
