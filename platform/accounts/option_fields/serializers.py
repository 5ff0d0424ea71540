"""The field of the API for an option."""

from collections.abc import Collection
from typing import Any

from rest_framework import serializers

from foundation.options import Option, list_options


def fields_of(
    kind: type, changes: Collection[str] = ("always", "while empty", "when made"), *, defaults: bool = True
) -> dict[str, Any]:
    """The fields of a dataclass of options, of those that may be given then; what is left out gets its default."""
    return {one.name: serializer_field(one, defaults=defaults) for one in list_options(kind) if one.changes in changes}


def serializer_field(one: Option, *, defaults: bool = True, **more: Any) -> serializers.Field:
    """The field of an option; where it is not required it says its default. `more` is given to it besides."""
    needed = one.required and not one.default
    shared: dict[str, Any] = {"required": needed, "help_text": one.help}
    if defaults and not needed:
        shared["default"] = list(one.default) if isinstance(one.default, tuple) else one.default
    shared |= more
    if one.row == "system":
        return serializers.ListField(child=serializers.CharField(), allow_null=True, **shared)
    if one.row:
        return serializers.CharField(allow_null=True, **shared)
    if one.table:
        return serializers.DictField(**shared | ({"default": dict} if "default" in shared else {}))
    if one.rows:
        texts = {"child": serializers.CharField(allow_blank=True)} if isinstance(one.rows, type) else {}
        return serializers.ListField(child=serializers.DictField(**texts), **shared)
    if isinstance(one.default, tuple):
        return serializers.ListField(child=_text(one, {}), **shared)
    if isinstance(one.default, bool):
        return serializers.BooleanField(**shared)
    if isinstance(one.default, str):
        return _text(one, shared)
    if isinstance(one.default, int):
        return serializers.IntegerField(min_value=_whole(one.low), max_value=_whole(one.high), **shared)
    return serializers.FloatField(min_value=one.low, max_value=one.high, **shared)


def _text(one: Option, shared: dict[str, Any]) -> serializers.Field:
    if one.choices:
        return serializers.ChoiceField(choices=list(zip(one.choices, one.labels, strict=True)), **shared)
    blank = not one.required and not isinstance(one.default, tuple)
    return serializers.CharField(max_length=one.longest, allow_blank=blank, **shared)


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
