"""An access link as it is shown once."""

from rest_framework import serializers

from accounts.api_schema import (
    StrictSerializer,
)


class HandedSerializer(StrictSerializer):
    """A link as it is shown once."""

    url = serializers.URLField()
    email = serializers.EmailField()
    expires_at = serializers.DateTimeField()
    mailed = serializers.BooleanField()
