"""The endpoints of invitations. A link is in the answer to its making and nowhere else."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import generics, serializers, status
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.actions.accept_as_person import accept_as_person
from accounts.actions.invite_person import invite_person
from accounts.actions.withdraw_invitation import withdraw_invitation
from accounts.api.access_links import HandedSerializer
from accounts.api.people import PersonSerializer
from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body, without_body
from accounts.authentication import open_invitations
from accounts.fields import InvitationFields
from accounts.mail import deliver_link
from accounts.models import AccessLink
from accounts.option_fields import body_of

InviteSerializer = body_of(InvitationFields, "InviteSerializer", email=serializers.EmailField(max_length=254))


class InvitationSerializer(StrictModelSerializer):
    made_by = serializers.EmailField(source="made_by.email", read_only=True)

    class Meta:
        model = AccessLink
        fields = ["id", "email", "role", "made_by", "made_at", "expires_at"]
        read_only_fields = fields


class AcceptSerializer(StrictSerializer):
    secret = serializers.CharField(max_length=100)


class AcceptInvitation(generics.GenericAPIView):
    serializer_class = AcceptSerializer

    @with_body(AcceptSerializer, responses=PersonSerializer)
    def post(self, request: Request, given: dict[str, Any]) -> Response:
        """Accept an invitation to a study with the account at hand."""
        person = accept_as_person(**given, person=request.user)
        return Response(PersonSerializer(person).data)


class InvitationViewSet(ListModelMixin, GenericViewSet):
    """Invitations that can still be accepted."""

    queryset = AccessLink.objects.none()
    serializer_class = InvitationSerializer

    def get_queryset(self) -> Any:
        return open_invitations()

    @with_body(InviteSerializer, responses={201: HandedSerializer})
    def create(self, request: Request, given: dict[str, Any]) -> Response:
        """Invite somebody new to the site. The link is shown once."""
        link, secret = invite_person(**given, by=request.user)
        return Response(HandedSerializer(deliver_link(request, link, secret)).data, status=status.HTTP_201_CREATED)

    @without_body(responses={204: None})
    def destroy(self, request: Request, pk: int) -> Response:
        """Withdraw an open invitation."""
        withdraw_invitation(link=get_object_or_404(self.get_queryset(), pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)
