"""A request's data, held to the shape that an endpoint asks for."""

from typing import Any

from rest_framework.request import Request


def validated(shape: type[Any], request: Request, *, partial: bool = False) -> dict[str, Any]:
    """The request's data, held to its shape; of a partial one only what is named."""
    serializer = shape(data=request.data, partial=partial)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data
