"""Options of models as the API describes them: made from their dataclasses (`foundation/options.py`)."""

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_serializer
from rest_framework import serializers

from accounts.option_fields.serializers import fields_of
from foundation.options import list_options
from modelserving.transfer import TRANSFERS


def options_serializer(name: str, kind: type) -> type[serializers.Serializer]:
    """A serializer that describes a dataclass of options; `foundation.options.validate_options` checks them.

    Its schema has their groups besides, as forms show them: `x-groups`, names of options by the name of the group.
    """
    options = list_options(kind)
    groups = {one.group: [other.name for other in options if other.group == one.group] for one in options if one.group}
    made = type(name, (serializers.Serializer,), fields_of(kind))
    return extend_schema_serializer(extensions={"x-groups": groups})(made) if groups else made


def by_model(component: str, base: type[serializers.Serializer], key: str, attribute: str) -> Any:
    """The request of one endpoint, described for each model that is trained: `key` holds its own options."""

    def forms() -> dict[str, Any]:  # asked for when the description is made: a web process imports no model to start
        kinds = {name: kind for name, kind in TRANSFERS.items() if kind.needs != "nothing"}
        return {
            name: _of_model(component, base, key, name, getattr(kind, attribute), list(kind.presets))
            for name, kind in kinds.items()
        }

    return PolymorphicProxySerializer(component_name=component, serializers=forms, resource_type_field_name="model")


def _of_model(
    component: str, base: type, key: str, model: str, kind: type, presets: list[str]
) -> type[serializers.Serializer]:
    title = "".join(part.capitalize() for part in model.split("_"))
    inner = options_serializer(f"{title}{key.capitalize()}", kind)
    fields: dict[str, serializers.Field] = {
        "model": serializers.ChoiceField(choices=[model]),
        key: inner(required=any(field.required for field in inner().fields.values())),
    }
    if presets:
        # Labelled for the model: equal sets of choices of several models would be named by a digest.
        labels = [(preset, f"{preset} for {model}") for preset in presets]
        fields["preset"] = serializers.ChoiceField(choices=labels, required=False, allow_blank=True)
    return type(f"{component}{title}", (base,), fields)
