"""Base classes of all serializers and endpoints, and their names in the API's schema."""

import difflib
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import get_language
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from foundation.errors import UserError

# The rule of all serializers: nothing that is sent is dropped in silence.
#
# A field that there is not, or that only the server writes, is refused by name, in JSON and in forms, at any depth. So
# are query parameters that an endpoint does not know (`query_parameters` names those it does), and the body
# of one that takes none (`without_body`).

SHOWN = 5
LONGEST = 60
OF_FORMS = frozenset({"csrfmiddlewaretoken"})  # what a browser's form carries besides its fields


class StrictFields:
    """Refuses values for which it has no field; a field may be sent under the name that it had before."""

    old_names: Mapping[str, str] = {}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and not isinstance(data, QueryDict):
            now = {old: name for old, name in self.old_names.items() if name not in data}
            data = {now.get(key, key): value for key, value in data.items()} if now else data
        if isinstance(data, Mapping):
            fields: dict[str, serializers.Field] = self.fields  # type: ignore[attr-defined]
            refuse_unknown(
                _sent(data),
                known=[name for name, field in fields.items() if not field.read_only],
                read_only=[name for name, field in fields.items() if field.read_only],
            )
        return super().to_internal_value(data)  # type: ignore[misc]


class StrictSerializer(StrictFields, serializers.Serializer):
    """A shape of what is sent or answered."""


class StrictModelSerializer(StrictFields, serializers.ModelSerializer):
    """A shape made from a model."""


def _sent(data: Mapping[Any, Any]) -> list[str]:
    """The names of the fields that were sent; in a form those of lists and objects carry an index or a path."""
    if not hasattr(data, "getlist"):
        return [str(name) for name in data]
    return list(dict.fromkeys(re.split(r"[.\[]", name, maxsplit=1)[0] for name in data if name not in OF_FORMS))


def refuse_unknown(sent: Iterable[str], *, known: list[str], read_only: list[str] | None = None) -> None:
    """Raise ValidationError with the unknown names that were sent, each with the nearest known one."""
    wrong = {name[:LONGEST]: [_said(name, known, read_only or [])] for name in sent if name not in known}
    if wrong:
        raise ValidationError(dict(list(wrong.items())[:SHOWN]))


def _said(name: str, known: list[str], read_only: list[str]) -> str:
    if name in read_only:
        return "This is read-only; leave it out."
    near = difflib.get_close_matches(name[:LONGEST], known, n=1)
    if near:
        return f"There is no such field; did you mean '{near[0]}'?"
    return f"There is no such field; there are {', '.join(known)}." if known else "Nothing is expected here."


def without_body(**schema: Any) -> Callable[[Any], Any]:
    """Decorate an endpoint's method that takes no body: a body that is sent all the same is refused."""

    def decorate(method: Any) -> Any:
        @functools.wraps(method)
        def held(self: Any, request: Any, *args: Any, **kwargs: Any) -> Any:
            if request.data:
                sent = _sent(request.data) if isinstance(request.data, Mapping) else ["body"]
                refuse_unknown(sent, known=[])
            return method(self, request, *args, **kwargs)

        return extend_schema(**{"request": None, **schema})(held)

    return decorate


def checked(shape: Any, request: Request, *, partial: bool = False) -> dict[str, Any]:
    """The request's data, held to its shape; of a partial one only what is named."""
    held: dict[str, Any] = _made(shape, partial, get_language()).run_validation(request.data)
    return held


@functools.cache
def _made(shape: Any, partial: bool, language: str | None) -> Any:
    """The serializer of a shape, made once for each language, whose words its errors keep; it keeps no request.

    A serializer copies all its fields, which took longer than what they do.
    """
    return shape(partial=partial)


def with_body(
    shape: type[serializers.Serializer], *, partial: bool = False, read: Callable[..., dict[str, Any]] = checked,
    **schema: Any,
) -> Callable[[Any], Any]:  # fmt: skip
    """Decorate an endpoint's method that takes a body: it gets as `given` what the shape reads.

    A `partial` body gives only the fields that it names. `schema` holds further arguments of `extend_schema`.
    """

    def decorate(method: Any) -> Any:
        @functools.wraps(method)
        def reading(self: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
            return method(self, request, *args, given=read(shape, request, partial=partial), **kwargs)

        return extend_schema(**{"request": shape, **schema})(reading)

    return decorate


def query_parameters(*parameters: OpenApiParameter, **schema: Any) -> Callable[[Any], Any]:
    """Decorate an endpoint's method that takes these query parameters."""

    def decorate(method: Any) -> Any:
        described = extend_schema(parameters=list(parameters), **schema)(method)
        described.query = [parameter.name for parameter in parameters]
        return described

    return decorate


def flag_in(request: Any, name: str) -> bool:
    """A query parameter that is true or false; false where it is not given."""
    given = request.query_params.get(name, "false")
    if given not in ("true", "false"):
        raise UserError("Expected true or false.", where=name)
    return bool(given == "true")


def check_query(request: Any, view: Any) -> None:
    """Raise ValidationError for a query parameter that the endpoint does not know."""
    given: QueryDict = request.query_params
    if given:
        refuse_unknown(given, known=_known(request, view))


def _known(request: Any, view: Any) -> list[str]:
    name = getattr(view, "action", None) or ("get" if request.method == "HEAD" else request.method.lower())
    known = list(getattr(getattr(view, name, None), "query", ()))
    if request.method in {"GET", "HEAD"} and getattr(view, "pagination_class", None):
        known += ["page", "page_size"]
    return known


# How the API's description names the tokens.


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token` and the token, with one space. Its scopes: `read` for GET, `write` for the other "
            "methods, `annotate` for work on campaigns.",
        }
