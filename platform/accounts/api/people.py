"""The endpoints of people, and of the person whose token or session this is."""

from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.actions.change_role import change_role
from accounts.actions.choose_language import choose_language
from accounts.actions.deactivate_person import deactivate_person
from accounts.actions.edit_profile import edit_profile
from accounts.actions.erase_person import erase_person
from accounts.actions.make_reset_link import make_reset_link
from accounts.actions.reactivate_person import reactivate_person
from accounts.actions.remove_credential import remove_credential
from accounts.actions.remove_second_step import remove_second_step
from accounts.actions.rename_person import rename_person
from accounts.actions.set_credential import set_credential
from accounts.api.access_links import HandedSerializer
from accounts.api_schema import StrictModelSerializer, with_body, without_body
from accounts.fields import CredentialFields, InvitationFields, ProfileFields
from accounts.mail import deliver_link
from accounts.models import Credential, Person
from accounts.option_fields import body_of, serializer_field
from accounts.permissions import ROLE_CHOICES
from foundation.options import list_options


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
    """You. `languages` are tags (en, pt-BR) of those that you read and write, `topics` what you know well.

    `interface_language` is the language of pages and mail; where it is empty, the browser's.
    """

    name, languages, topics, interface_language = (
        serializer_field(one, defaults=False, required=False) for one in list_options(ProfileFields)
    )
    credentials = OwnCredentialSerializer(many=True, read_only=True)

    class Meta(PersonSerializer.Meta):
        fields = [*PersonSerializer.Meta.fields, "languages", "topics", "interface_language", "credentials"]


RoleSerializer = body_of(InvitationFields, "RoleSerializer", names=("role",))
NewCredentialSerializer = body_of(
    CredentialFields, "NewCredentialSerializer", expires_on=serializers.DateField(default=None, allow_null=True)
)


class CredentialSerializer(StrictModelSerializer):
    class Meta:
        model = Credential
        fields = ["name", "evidence", "expires_on", "verified_at"]
        read_only_fields = fields


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
            if "interface_language" in given:
                choose_language(person=self.request.user, language=given.pop("interface_language"))
            if given:
                edit_profile(person=self.request.user, **given)


class PersonViewSet(ListModelMixin, GenericViewSet):
    queryset = Person.objects.people()
    serializer_class = PersonSerializer

    @extend_schema(responses=PersonSerializer)
    def retrieve(self, request: Request, pk: int) -> Response:
        """A person."""
        return self._answer(pk)

    @with_body(RoleSerializer, responses=PersonSerializer)
    def role(self, request: Request, pk: int, given: dict[str, Any]) -> Response:
        """Give a person another role on the site."""
        return self._answer(pk, change_role, **given)

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

    @extend_schema(responses=CredentialSerializer(many=True))
    def credentials(self, request: Request, pk: int) -> Response:
        """The credentials of a person."""
        return self._credentials(get_object_or_404(Person, pk=pk))

    @with_body(NewCredentialSerializer, responses=CredentialSerializer(many=True))
    def verify(self, request: Request, pk: int, given: dict[str, Any]) -> Response:
        """Verify a credential of a person; the answer lists all of theirs."""
        person = get_object_or_404(Person, pk=pk)
        set_credential(person=person, by=request.user, **given)
        return self._credentials(person)

    def _credentials(self, person: Person) -> Response:
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
