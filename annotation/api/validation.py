"""The shared parts of the endpoints: a body that is held to its shape, and lists."""

from functools import cache
from typing import Any

from rest_framework.generics import ListAPIView
from rest_framework.request import Request


def validated(shape: Any, request: Request, *, partial: bool = False) -> dict[str, Any]:
    """The request's data, held to its shape; of a partial one only what is named."""
    held: dict[str, Any] = _made(shape, partial).run_validation(request.data)
    return held


@cache
def _made(shape: Any, partial: bool) -> Any:
    """Made once: a serializer copies all its fields, which took longer than what they do. It keeps no request."""
    return shape(partial=partial)


class Listing(ListAPIView):
    """A list of `rows`, page by page. The description of the API, made without a request, sees `queryset`: no rows."""

    def rows(self) -> Any:
        raise NotImplementedError

    def get_queryset(self) -> Any:
        return self.queryset if getattr(self, "swagger_fake_view", False) else self.rows()
