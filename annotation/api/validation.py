"""A request's data, held to the shape that an endpoint asks for."""

from functools import cache
from typing import Any

from rest_framework.request import Request


def validated(shape: Any, request: Request, *, partial: bool = False) -> dict[str, Any]:
    """The request's data, held to its shape; of a partial one only what is named."""
    held: dict[str, Any] = _made(shape, partial).run_validation(request.data)
    return held


@cache
def _made(shape: Any, partial: bool) -> Any:
    """Made once: a serializer copies all its fields, which took longer than what they do. It keeps no request."""
    return shape(partial=partial)
