"""The conventions of all endpoints of the API: pages of results, and errors that are one sentence."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpResponse
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.fields import IntegerField
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import JSONParser
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

from accounts.kept_answers import AlreadyDone, answer_again
from foundation.errors import UserError
from foundation.text_keys import UNSTORABLE

DEEPEST = 64
"""Levels of a body; nothing that the API takes comes near it, and Python goes no deeper than 1,000."""
TOO_LARGE = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
TOO_MUCH = "The body is too large: long texts come as files (multipart/form-data), and at most {files} of them."


class Pages(PageNumberPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 1000

    def get_page_size(self, request: Any) -> int:
        """The size of a page; DRF would silently take its default where the number is no number or too large."""
        given = request.query_params.get(self.page_size_query_param)
        if not given:
            return self.page_size
        try:
            size: int = IntegerField(min_value=1, max_value=self.max_page_size).run_validation(given)
        except ValidationError as error:
            raise ValidationError({self.page_size_query_param: error.detail}) from None
        return size


def plain_errors(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Answer an error as `{"detail": sentence}`; where it lies in the fields, `fields` lists theirs besides."""
    if isinstance(error, AlreadyDone):
        return answer_again(error.kept)
    if isinstance(error, UserError):
        return Response({"detail": str(error)}, status=400)
    if isinstance(error, TOO_LARGE):
        return Response({"detail": TOO_MUCH.format(files=settings.DATA_UPLOAD_MAX_NUMBER_FILES)}, status=400)
    if isinstance(error, ValidationError):
        sentences = " ".join(f"{name}: {said}" if name else said for name, said in _said(error.detail))
        return Response({"detail": sentences, "fields": error.detail}, status=400)
    return exception_handler(error, context)


def _said(detail: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The sentences of a nested detail, each with the name of its field."""
    if isinstance(detail, dict):
        for key, one in detail.items():
            yield from _said(one, name if key == api_settings.NON_FIELD_ERRORS_KEY else f"{name}.{key}".lstrip("."))
    elif isinstance(detail, list):
        for one in detail:
            yield from _said(one, name)
    else:
        yield name, str(detail)


class StorableJSON(JSONParser):
    """JSON whose texts PostgreSQL can hold."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("The body is nested too deeply.") from None
        _refuse_unstorable(data)
        return data


def _refuse_unstorable(data: Any) -> None:
    """Level by level, so that no depth is too much for the walk itself."""
    level, depth = [data], 0
    while level:
        if any(isinstance(one, str) and UNSTORABLE.search(one) for one in level):
            raise ParseError("A text holds a NUL character or half of a surrogate pair, which cannot be stored.")
        if depth > DEEPEST:
            raise ParseError("The body is nested too deeply.")
        inner = (
            (*one, *one.values()) if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)
        )
        level, depth = [*chain.from_iterable(inner)], depth + 1


def close_requests(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Say in the schema that a request has no fields but those that it names (a hook of drf-spectacular)."""
    for name, shape in result["components"].get("schemas", {}).items():
        if name.endswith("Request") and "properties" in shape:
            shape.setdefault("additionalProperties", False)
    return result


def document_errors(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Say in the schema what every endpoint answers where it refuses (a hook of drf-spectacular)."""
    result["components"].setdefault("schemas", {})["Refusal"] = {
        "type": "object",
        "description": "One sentence; `fields` holds the sentences about each field where some are wrong.",
        "properties": {"detail": {"type": "string"}, "fields": {}},
        "required": ["detail"],
    }
    shape = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    operations = [one for path in result["paths"].values() for one in path.values() if "responses" in one]
    for operation in operations:
        operation["responses"].setdefault("4XX", {"description": "Refused.", "content": shape})
    return result
