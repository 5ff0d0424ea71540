"""The bases of the endpoints of a study."""

import json
from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request

from accounts.api_schema import StrictSerializer, checked, with_body
from corpora.models import Study
from corpora.uploads import Layout, refusal
from foundation.errors import UserError
from foundation.options import storable

FILE_PARSERS = [MultiPartParser, FormParser]


class StudyAPI(GenericAPIView):
    """An endpoint of a study."""

    pagination_class = None

    @property
    def study(self) -> Study:
        return self.request.study


class Rows:
    """Endpoints of `rows`. The description of the API, made without a request, sees `queryset`: no rows."""

    queryset: Any

    def rows(self) -> Any:
        raise NotImplementedError

    def get_queryset(self) -> Any:
        return self.queryset if getattr(self, "swagger_fake_view", False) else self.rows()


class Listing(Rows, ListAPIView):
    """A list of `rows`, page by page."""


class ObjectField(serializers.CharField):
    """A JSON object, as a form can carry it."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        text = super().to_internal_value(data)
        if self.max_length is not None and len(text) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        try:
            found = json.loads(text, parse_constant=_refused)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise serializers.ValidationError("Expected a JSON object.")
        return dict(storable(found, str(self.field_name)))


def _refused(constant: str) -> None:
    raise ValueError(constant)


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


def _uploaded(shape: type[serializers.Serializer], request: Request, *, partial: bool) -> dict[str, Any]:
    """The request's data, held to the shape; the error of an upload that was too large comes first."""
    request.data  # noqa: B018  reading the body is what refuses
    for name in shape().fields:
        sentence = refusal(request, name)
        if sentence:
            raise UserError(sentence)
    return checked(shape, request, partial=partial)
