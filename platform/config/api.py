"""What all endpoints of the API share: pages of results, and errors that are one sentence."""

from typing import Any

from rest_framework.pagination import PageNumberPagination
from rest_framework.response import Response
from rest_framework.views import exception_handler

from foundation.errors import UserError


class Pages(PageNumberPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 1000


def plain_errors(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer a user's error with 400 and `{"detail": sentence}`; all else as the framework does."""
    if isinstance(error, UserError):
        return Response({"detail": str(error)}, status=400)
    return exception_handler(error, context)
