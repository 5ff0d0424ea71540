"""What all endpoints of the API share: pages of results, and errors that are one sentence."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

from foundation.errors import UserError

TOO_LARGE = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
TOO_MUCH = "The body is too large: long texts come as files (multipart/form-data), and at most {files} of them."


class Pages(PageNumberPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 1000


def plain_errors(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer an error as `{"detail": sentence}`; where it lies in the fields, `fields` lists theirs besides."""
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
