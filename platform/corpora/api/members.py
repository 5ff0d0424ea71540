"""The endpoints of a study's members and invitations."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.actions.withdraw_invitation import withdraw_invitation
from accounts.api.access_links import HandedSerializer
from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body, without_body
from accounts.mail import deliver_link
from accounts.option_fields import body_of
from corpora.actions.invite_member import invite_member
from corpora.actions.remove_member import remove_member
from corpora.actions.set_member_role import set_member_role
from corpora.api.base import Rows
from corpora.fields import MemberFields
from corpora.members import open_invitations
from corpora.models import Membership, StudyInvitation


class MemberSerializer(StrictModelSerializer):
    email = serializers.EmailField(source="person.email", read_only=True)
    name = serializers.CharField(source="person.name", read_only=True)

    class Meta:
        model = Membership
        fields = ["id", "email", "name", "role", "made_at"]
        read_only_fields = fields


InviteMemberSerializer = body_of(MemberFields, "InviteMemberSerializer", email=serializers.EmailField(max_length=254))
MemberRoleSerializer = body_of(MemberFields, "MemberRoleSerializer", names=("role",))


class InvitedSerializer(StrictSerializer):
    """Either the member, or the link for somebody new, which is shown once."""

    member = MemberSerializer(allow_null=True)
    link = HandedSerializer(allow_null=True)


class StudyInvitationSerializer(StrictModelSerializer):
    email = serializers.EmailField(source="link.email", read_only=True)
    made_at = serializers.DateTimeField(source="link.made_at", read_only=True)
    expires_at = serializers.DateTimeField(source="link.expires_at", read_only=True)

    class Meta:
        model = StudyInvitation
        fields = ["id", "email", "role", "made_at", "expires_at"]
        read_only_fields = fields


class MemberViewSet(Rows, ListModelMixin, GenericViewSet):
    queryset = Membership.objects.none()
    serializer_class = MemberSerializer

    def rows(self) -> Any:
        return self.request.study.memberships.select_related("person")

    @with_body(InviteMemberSerializer, responses={201: InvitedSerializer})
    def create(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Bring somebody in: a person of the site joins at once, somebody new gets a link."""
        invited = invite_member(study=request.study, **given, by=request.user)
        link = deliver_link(request, invited.link, invited.secret) if invited.link else None
        answer = InvitedSerializer({"member": invited.membership, "link": link})
        return Response(answer.data, status=status.HTTP_201_CREATED)

    @with_body(MemberRoleSerializer, responses=MemberSerializer)
    def update(self, request: Request, study: str, pk: int, given: dict[str, Any]) -> Response:
        """Give a member another role in the study."""
        membership = get_object_or_404(self.get_queryset(), pk=pk)
        set_member_role(membership=membership, **given, by=request.user)
        return Response(MemberSerializer(membership).data)

    @without_body(responses={204: None})
    def destroy(self, request: Request, study: str, pk: int) -> Response:
        """Take a member out of the study; what they made in it stays."""
        remove_member(membership=get_object_or_404(self.get_queryset(), pk=pk), by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class StudyInvitationViewSet(Rows, ListModelMixin, GenericViewSet):
    """The study's invitations that can still be accepted."""

    queryset = StudyInvitation.objects.none()
    serializer_class = StudyInvitationSerializer

    def rows(self) -> Any:
        return open_invitations(self.request.study)

    @without_body(responses={204: None})
    def destroy(self, request: Request, study: str, pk: int) -> Response:
        """Withdraw an open invitation."""
        withdraw_invitation(link=get_object_or_404(self.get_queryset(), pk=pk).link)
        return Response(status=status.HTTP_204_NO_CONTENT)
