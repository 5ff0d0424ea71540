"""The endpoints of API tokens. A secret is in the answer to its making and nowhere else."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.actions.make_token import make_token
from accounts.actions.revoke_token import revoke_token
from accounts.api_schema import StrictModelSerializer, with_body, without_body
from accounts.fields import TokenFields
from accounts.models import ApiToken
from accounts.option_fields import body_of


class TokenSerializer(StrictModelSerializer):
    class Meta:
        model = ApiToken
        fields = ["id", "name", "prefix", "scopes", "made_at", "expires_at", "last_used_at"]
        read_only_fields = fields


NewTokenSerializer = body_of(TokenFields, "NewTokenSerializer")


class MadeTokenSerializer(TokenSerializer):
    secret = serializers.CharField(read_only=True)

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "secret"]
        read_only_fields = fields


class TokenViewSet(ListModelMixin, GenericViewSet):
    """The person's own tokens."""

    queryset = ApiToken.objects.none()
    serializer_class = TokenSerializer

    def get_queryset(self) -> Any:
        return ApiToken.objects.filter(person_id=self.request.user.pk)

    @with_body(NewTokenSerializer, responses={201: MadeTokenSerializer})
    def create(self, request: Request, given: dict[str, Any]) -> Response:
        """Make a token. One made with a token gets no more scopes and no longer life. The secret is shown once."""
        within = request.auth if isinstance(request.auth, ApiToken) else None
        token, secret = make_token(person=request.user, within=within, **given)
        return Response({**TokenSerializer(token).data, "secret": secret}, status=status.HTTP_201_CREATED)

    @without_body(responses={204: None})
    def destroy(self, request: Request, pk: int) -> Response:
        """Revoke a token."""
        revoke_token(token=get_object_or_404(self.get_queryset(), pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)
