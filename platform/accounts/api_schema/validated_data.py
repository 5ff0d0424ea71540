"""The data of a request, validated."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request


def checked(serializer: type[serializers.Serializer], request: Request) -> dict[str, Any]:
    """The request's data, held to the serializer."""
    form = serializer(data=request.data)
    form.is_valid(raise_exception=True)
    return form.validated_data
