"""The endpoints of people, invitations and tokens. Secrets are in the answer to their making and nowhere else."""

from datetime import date
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.actions.accept_as_person import accept_as_person
from accounts.actions.change_role import change_role
from accounts.actions.deactivate_person import deactivate_person
from accounts.actions.edit_profile import edit_profile
from accounts.actions.erase_person import erase_person
from accounts.actions.invite_person import invite_person
from accounts.actions.make_reset_link import make_reset_link
from accounts.actions.make_token import LONGEST_DAYS, make_token
from accounts.actions.reactivate_person import reactivate_person
from accounts.actions.remove_credential import remove_credential
from accounts.actions.remove_second_step import remove_second_step
from accounts.actions.rename_person import rename_person
from accounts.actions.revoke_token import revoke_token
from accounts.actions.set_credential import set_credential
from accounts.actions.withdraw_invitation import withdraw_invitation
from accounts.api_schema.strict_serializers import (
    StrictModelSerializer,
    StrictSerializer,
    query_parameters,
    without_body,
)
from accounts.audit.presenters import filter_entries
from accounts.forms.people import TrailForm
from accounts.mail.access_link_mail import deliver_link
from accounts.models import AccessLink, ApiToken, Credential, Person, TrailEntry
from accounts.permissions import Role
from accounts.views.people import open_invitations

NARROWING = (
    OpenApiParameter("person", str, description="The key or e-mail address of who acted, or a part of their name."),
    OpenApiParameter("kind", str, enum=TrailEntry.Kind.values),
    OpenApiParameter("study", str, description="The short name of a study."),
    OpenApiParameter("since", date, description="The first day, in UTC."),
    OpenApiParameter("until", date, description="The last day, in UTC."),
)
ROLE_CHOICES = [(role.value, role.value) for role in Role]


class PersonSerializer(StrictModelSerializer):
    role = serializers.ChoiceField(choices=ROLE_CHOICES, read_only=True)

    class Meta:
        model = Person
        fields = ["id", "email", "name", "role", "is_active", "joined_at"]
        read_only_fields = ["id", "email", "role", "is_active", "joined_at"]


class OwnCredentialSerializer(StrictModelSerializer):
    class Meta:
        model = Credential
        fields = ["name", "verified_at", "expires_on"]
        read_only_fields = fields


class MeSerializer(PersonSerializer):
    """You. `languages` are tags (en, pt-BR) of those that you read and write, `topics` what you know well."""

    name = serializers.CharField(max_length=200, allow_blank=True, required=False)
    languages = serializers.ListField(child=serializers.CharField(max_length=20), max_length=50, required=False)
    topics = serializers.ListField(child=serializers.CharField(max_length=100), max_length=50, required=False)
    credentials = OwnCredentialSerializer(many=True, read_only=True)

    class Meta(PersonSerializer.Meta):
        fields = [*PersonSerializer.Meta.fields, "languages", "topics", "credentials"]


class InviteSerializer(StrictSerializer):
    email = serializers.EmailField(max_length=254)
    role = serializers.ChoiceField(choices=ROLE_CHOICES)


class RoleSerializer(StrictSerializer):
    role = serializers.ChoiceField(choices=ROLE_CHOICES)


class HandedSerializer(StrictSerializer):
    """A link as it is shown once."""

    url = serializers.URLField()
    email = serializers.EmailField()
    expires_at = serializers.DateTimeField()
    mailed = serializers.BooleanField()


class CredentialSerializer(StrictModelSerializer):
    name = serializers.SlugField(max_length=60)

    class Meta:
        model = Credential
        fields = ["name", "evidence", "expires_on", "verified_at"]
        read_only_fields = ["verified_at"]


class TrailSerializer(StrictModelSerializer):
    """A row of the audit log; `person` is the key of who acted, `changes` are by field `[before, after]`."""

    class Meta:
        model = TrailEntry
        fields = ["id", "at", "person", "study_slug", "kind", "action", "target", "details", "changes"]
        read_only_fields = fields


class InvitationSerializer(StrictModelSerializer):
    made_by = serializers.EmailField(source="made_by.email", read_only=True)

    class Meta:
        model = AccessLink
        fields = ["id", "email", "role", "made_by", "made_at", "expires_at"]
        read_only_fields = fields


class AcceptSerializer(StrictSerializer):
    secret = serializers.CharField(max_length=100)


class TokenSerializer(StrictModelSerializer):
    class Meta:
        model = ApiToken
        fields = ["id", "name", "prefix", "scopes", "made_at", "expires_at", "last_used_at"]
        read_only_fields = fields


class NewTokenSerializer(StrictSerializer):
    name = serializers.CharField(max_length=100)
    scopes = serializers.MultipleChoiceField(choices=ApiToken.Scope.choices, allow_empty=False)
    days = serializers.IntegerField(min_value=1, max_value=LONGEST_DAYS, default=30)


class MadeTokenSerializer(TokenSerializer):
    secret = serializers.CharField(read_only=True)

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "secret"]
        read_only_fields = fields


def checked(serializer: type[serializers.Serializer], request: Request) -> dict[str, Any]:
    """The request's data, held to the serializer."""
    form = serializer(data=request.data)
    form.is_valid(raise_exception=True)
    return form.validated_data


class Me(generics.RetrieveUpdateAPIView):
    """The person whose token or session this is."""

    serializer_class = MeSerializer
    http_method_names = ["get", "head", "options", "patch"]

    def get_object(self) -> Person:
        return self.request.user

    def perform_update(self, serializer: serializers.BaseSerializer) -> None:
        given = dict(serializer.validated_data)
        with transaction.atomic():
            if "name" in given:
                rename_person(person=self.request.user, name=given.pop("name"))
            if given:
                edit_profile(person=self.request.user, **given)


class AcceptInvitation(generics.GenericAPIView):
    serializer_class = AcceptSerializer

    @extend_schema(responses=PersonSerializer)
    def post(self, request: Request) -> Response:
        """Accept an invitation to a study with the account at hand."""
        person = accept_as_person(**checked(AcceptSerializer, request), person=request.user)
        return Response(PersonSerializer(person).data)


class PersonViewSet(ListModelMixin, GenericViewSet):
    queryset = Person.objects.all()
    serializer_class = PersonSerializer

    @extend_schema(responses=PersonSerializer)
    def retrieve(self, request: Request, pk: int) -> Response:
        """A person."""
        return self._answer(pk)

    @extend_schema(request=RoleSerializer, responses=PersonSerializer)
    def role(self, request: Request, pk: int) -> Response:
        """Give a person another role on the site."""
        return self._answer(pk, change_role, **checked(RoleSerializer, request))

    @without_body(responses=PersonSerializer)
    def deactivate(self, request: Request, pk: int) -> Response:
        """Shut a person out; all that they made stays."""
        return self._answer(pk, deactivate_person)

    @without_body(responses=PersonSerializer)
    def reactivate(self, request: Request, pk: int) -> Response:
        """Let a deactivated person in again."""
        return self._answer(pk, reactivate_person)

    @without_body(responses=PersonSerializer)
    def second_step(self, request: Request, pk: int) -> Response:
        """Remove a lost second step, so that the password alone signs the person in."""
        return self._answer(pk, remove_second_step)

    @without_body(responses=PersonSerializer)
    def erase(self, request: Request, pk: int) -> Response:
        """Take a person's identity away for good; what they made stays under a pseudonym."""
        return self._answer(pk, erase_person, by=request.user)

    @extend_schema(request=CredentialSerializer, responses=CredentialSerializer(many=True))
    def credentials(self, request: Request, pk: int) -> Response:
        """The credentials of a person; POST verifies one."""
        person = get_object_or_404(Person, pk=pk)
        if request.method == "POST":
            set_credential(person=person, by=request.user, **checked(CredentialSerializer, request))
        return Response(CredentialSerializer(person.credentials.all(), many=True).data)

    @without_body(responses={204: None})
    def drop_credential(self, request: Request, pk: int, name: str) -> Response:
        """Take a credential away."""
        remove_credential(credential=get_object_or_404(Credential, person=pk, name=name))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @without_body(responses={201: HandedSerializer})
    def reset_link(self, request: Request, pk: int) -> Response:
        """Make a link with which the person chooses a new password. It is shown once."""
        link, secret = make_reset_link(person=get_object_or_404(Person, pk=pk), by=request.user)
        return Response(HandedSerializer(deliver_link(request, link, secret)).data, status=status.HTTP_201_CREATED)

    def _answer(self, pk: int, action: Any = None, **arguments: Any) -> Response:
        person = get_object_or_404(Person, pk=pk)
        if action:
            action(person=person, **arguments)
        return Response(PersonSerializer(person).data)


class InvitationViewSet(ListModelMixin, GenericViewSet):
    """Invitations that can still be accepted."""

    queryset = AccessLink.objects.none()
    serializer_class = InvitationSerializer

    def get_queryset(self) -> Any:
        return open_invitations()

    @extend_schema(request=InviteSerializer, responses={201: HandedSerializer})
    def create(self, request: Request) -> Response:
        """Invite somebody new to the site. The link is shown once."""
        link, secret = invite_person(**checked(InviteSerializer, request), by=request.user)
        return Response(HandedSerializer(deliver_link(request, link, secret)).data, status=status.HTTP_201_CREATED)

    @without_body(responses={204: None})
    def destroy(self, request: Request, pk: int) -> Response:
        """Withdraw an open invitation."""
        withdraw_invitation(link=get_object_or_404(self.get_queryset(), pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class TokenViewSet(ListModelMixin, GenericViewSet):
    """The person's own tokens."""

    queryset = ApiToken.objects.none()
    serializer_class = TokenSerializer

    def get_queryset(self) -> Any:
        return ApiToken.objects.filter(person_id=self.request.user.pk)

    @extend_schema(request=NewTokenSerializer, responses={201: MadeTokenSerializer})
    def create(self, request: Request) -> Response:
        """Make a token. One made with a token gets no more scopes and no longer life. The secret is shown once."""
        within = request.auth if isinstance(request.auth, ApiToken) else None
        token, secret = make_token(person=request.user, within=within, **checked(NewTokenSerializer, request))
        return Response({**TokenSerializer(token).data, "secret": secret}, status=status.HTTP_201_CREATED)

    @without_body(responses={204: None})
    def destroy(self, request: Request, pk: int) -> Response:
        """Revoke a token."""
        revoke_token(token=get_object_or_404(self.get_queryset(), pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Trail(generics.ListAPIView):
    """Who did what: of one study where the address names it, else of the whole site. Newest first."""

    serializer_class = TrailSerializer
    queryset = TrailEntry.objects.none()

    @query_parameters(*NARROWING)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        entries = TrailEntry.objects.all()
        if "study" in self.kwargs:
            entries = entries.filter(study_slug=self.kwargs["study"])
        form = TrailForm(self.request.query_params)
        if not form.is_valid():
            raise serializers.ValidationError(form.errors)
        return filter_entries(entries, form.cleaned_data)
