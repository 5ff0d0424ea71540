"""What all endpoints of the API share: pages of results, and errors that are one sentence."""

from typing import Any

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import JSONParser
from rest_framework.response import Response
from rest_framework.views import exception_handler

from foundation.errors import UserError


class Pages(PageNumberPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 1000


class LimitedJSON(JSONParser):
    """JSON of at most DATA_UPLOAD_MAX_MEMORY_SIZE bytes: it is read into memory; long texts come as files."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        if int(parser_context["request"].META.get("CONTENT_LENGTH") or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise ParseError("The body is too large; send long texts as files (multipart/form-data).")
        return super().parse(stream, media_type, parser_context)


def plain_errors(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer a user's error with 400 and `{"detail": sentence}`; all else as the framework does."""
    if isinstance(error, UserError):
        return Response({"detail": str(error)}, status=400)
    return exception_handler(error, context)
