"""The endpoints of links to show a page of a study. A secret is in the answer to its making and nowhere else."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, with_body, without_body
from accounts.option_fields import body_of
from evaluation.actions.make_public_link import PublicLinkFields, make_public_link
from evaluation.actions.revoke_public_link import revoke_public_link
from evaluation.api.base import Detail
from evaluation.models import PublicLink
from foundation.errors import UserError


class PublicLinkSerializer(StrictModelSerializer):
    release = serializers.IntegerField(source="release.number", default=None, allow_null=True)
    made_by = serializers.CharField(default=None, allow_null=True, help_text="the name of the person who made it")

    class Meta:
        model = PublicLink
        fields = [
            "id", "page", "release", "with_texts", "prefix", "made_by", "made_at", "expires_at", "revoked_at",
            "last_used_at", "is_open",
        ]  # fmt: skip
        read_only_fields = fields


NewPublicLinkSerializer = body_of(
    PublicLinkFields, "NewPublicLinkSerializer",
    release=serializers.IntegerField(required=False, min_value=1, help_text="the number of the release to show"),
)  # fmt: skip


class MadePublicLinkSerializer(PublicLinkSerializer):
    url = serializers.URLField(read_only=True)

    class Meta(PublicLinkSerializer.Meta):
        fields = [*PublicLinkSerializer.Meta.fields, "url"]
        read_only_fields = fields


class PublicLinks(APIView):
    """The links by which anybody reads a page of the study."""

    @extend_schema(responses=PublicLinkSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """All links of the study, newest first; the revoked ones, too."""
        links = request.study.public_links.select_related("release", "made_by")
        return Response(PublicLinkSerializer(links, many=True).data)

    @with_body(NewPublicLinkSerializer, responses={201: MadePublicLinkSerializer, 400: Detail})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Make a link; its address is shown once."""
        number = given.pop("release", None)
        release = request.study.releases.filter(number=number).first() if number else None
        if number and release is None:
            raise UserError("The study has no release {number}.", number=number, where="release")
        link, secret = make_public_link(study=request.study, release=release, by=request.user, **given)
        url = request.build_absolute_uri(reverse("public_page", args=[secret]))
        return Response({**PublicLinkSerializer(link).data, "url": url}, status=201)


class OnePublicLink(APIView):
    """One link."""

    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, pk: int) -> Any:
        """Revoke a link: its address then says that it is closed."""
        revoke_public_link(link=get_object_or_404(request.study.public_links, pk=pk), by=request.user)
        return Response(status=204)
