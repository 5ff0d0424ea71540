"""The endpoints of studies and directions."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import (
    StrictModelSerializer,
    StrictSerializer,
    checked,
    query_parameters,
    without_body,
)
from corpora.actions.accept_terms import accept_terms
from corpora.actions.add_direction import add_direction
from corpora.actions.create_study import create_study
from corpora.actions.delete_study import delete_study
from corpora.actions.edit_study import edit_study
from corpora.api.base import StudyAPI
from corpora.models import Direction, Study
from corpora.texts.queries import directions_of
from foundation.errors import UserError

LANGUAGE = "Of the texts, a BCP 47 tag such as en, pt-BR or zh-Hans; empty where it is not named."


class StudySerializer(StrictModelSerializer):
    role = serializers.CharField(source="own_role", read_only=True, allow_null=True, help_text="Your role in it.")
    styles = serializers.ListField(child=serializers.CharField())
    poles = serializers.DictField(
        child=serializers.CharField(),
        help_text="Which style each end of scales and metrics means, by what they call it.",
    )
    style_descriptions = serializers.DictField(child=serializers.CharField(), help_text="What each style is.")

    class Meta:
        model = Study
        fields = [
            "slug", "title", "styles", "language", "license", "description", "terms_version", "required_credentials",
            "restricted", "unit", "poles", "style_descriptions", "role", "made_at",
            "archived_at",
        ]  # fmt: skip
        read_only_fields = fields


class NewStudySerializer(StrictSerializer):
    slug = serializers.CharField(max_length=80, help_text="Lower-case letters, digits and single hyphens.")
    title = serializers.CharField(max_length=300)
    styles = serializers.ListField(child=serializers.CharField(max_length=60), min_length=2, max_length=100)
    language = serializers.CharField(max_length=40, default="", allow_blank=True, help_text=LANGUAGE)
    license = serializers.CharField(max_length=200, default="", allow_blank=True)
    description = serializers.CharField(max_length=20_000, default="", allow_blank=True)


class EditStudySerializer(StrictSerializer):
    title = serializers.CharField(max_length=300, required=False)
    styles = serializers.ListField(
        child=serializers.CharField(max_length=60), max_length=100, required=False, help_text="Those there, and more."
    )
    language = serializers.CharField(max_length=40, required=False, allow_blank=True, help_text=LANGUAGE)
    license = serializers.CharField(max_length=200, required=False, allow_blank=True)
    description = serializers.CharField(max_length=20_000, required=False, allow_blank=True)
    terms = serializers.CharField(max_length=50_000, required=False, allow_blank=True)
    required_credentials = serializers.ListField(child=serializers.SlugField(max_length=60), required=False)
    restricted = serializers.BooleanField(required=False)
    unit = serializers.ChoiceField(choices=Study.Unit.choices, required=False, help_text="What is judged and scored.")
    style_words = serializers.ListField(
        child=serializers.CharField(max_length=60), max_length=20_000, required=False,
        help_text="Left out where content is compared.",
    )  # fmt: skip
    poles = serializers.DictField(
        child=serializers.CharField(max_length=60), required=False,
        help_text='Which style each end of scales and metrics means: {"informal": "chat", "formal": "letter"}.',
    )  # fmt: skip
    style_descriptions = serializers.DictField(
        child=serializers.CharField(max_length=300, allow_blank=True), required=False,
        help_text="What a style is, in a few words that people read on the pages of their work.",
    )  # fmt: skip


ARCHIVED = OpenApiParameter("archived", bool, default=False, description="those that are archived instead")
TITLE = OpenApiParameter("title", str, required=True, description="the study's title, so that it is no other one")


class StudyList(generics.ListAPIView):
    """List the studies that you may enter."""

    serializer_class = StudySerializer
    queryset = Study.objects.none()

    def get_queryset(self) -> Any:
        archived = self.request.query_params.get("archived", "false")
        if archived not in ("true", "false"):
            raise UserError("It is true or false.", where="archived")
        there = Study.objects.of(self.request.user).with_role_of(self.request.user)
        return there.filter(archived_at__isnull=archived == "false").order_by("title", "pk")

    @query_parameters(ARCHIVED, responses=StudySerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The studies that you may enter."""
        return super().get(request, *args, **kwargs)

    @extend_schema(request=NewStudySerializer, responses={201: StudySerializer})
    def post(self, request: Request) -> Response:
        """Make a study; you are its first researcher."""
        study = create_study(**checked(NewStudySerializer, request), by=request.user)
        return Response(_shown(study, request), status=201)


class StudyDetail(StudyAPI):
    serializer_class = StudySerializer

    def get(self, request: Request, study: str) -> Response:
        """A study."""
        return Response(_shown(self.study, request))

    @extend_schema(request=EditStudySerializer, responses=StudySerializer)
    def patch(self, request: Request, study: str) -> Response:
        """Change title, licence or description, or add styles."""
        edit_study(study=self.study, **checked(EditStudySerializer, request))
        return Response(_shown(self.study, request))

    @query_parameters(TITLE)
    @without_body(responses={204: None})
    def delete(self, request: Request, study: str) -> Response:
        """Delete the study with all that is in it, unless a release was made of it. It can be undone for 30 days."""
        delete_study(study=self.study, title=request.query_params.get("title", ""), by=request.user)
        return Response(status=204)


class TermsSerializer(StrictModelSerializer):
    """The terms of a study. `bar` is what keeps you from its texts: "terms" to accept, a credential you lack, or ""."""

    bar = serializers.CharField(allow_blank=True, read_only=True)

    class Meta:
        model = Study
        fields = ["terms", "terms_version", "required_credentials", "bar"]
        read_only_fields = fields


class AcceptedTermsSerializer(StrictSerializer):
    version = serializers.IntegerField(min_value=0, max_value=32767, help_text="The version that you have read.")


class StudyTerms(StudyAPI):
    serializer_class = TermsSerializer

    def get(self, request: Request, study: str) -> Response:
        """The terms that stand before the study's texts."""
        return Response(self._shown(request))

    @extend_schema(request=AcceptedTermsSerializer, responses=TermsSerializer)
    def post(self, request: Request, study: str) -> Response:
        """Accept the terms in the version that you have read."""
        accept_terms(study=self.study, person=request.user, **checked(AcceptedTermsSerializer, request))
        return Response(self._shown(request))

    def _shown(self, request: Request) -> dict[str, Any]:
        there = Study.objects.get(pk=self.study.pk)
        there.bar = there.bars(request.user)
        return TermsSerializer(there).data


def _shown(study: Study, request: Request) -> dict[str, Any]:
    study.own_role = study.role_of(request.user)
    return StudySerializer(study).data


class DirectionSerializer(StrictModelSerializer):
    name = serializers.CharField(read_only=True)
    sentences = serializers.IntegerField(source="sentence_count", read_only=True)
    reference_sets = serializers.IntegerField(source="reference_set_count", read_only=True)

    class Meta:
        model = Direction
        fields = ["name", "source_style", "target_style", "sentences", "reference_sets"]
        read_only_fields = fields


class NewDirectionSerializer(StrictSerializer):
    source_style = serializers.CharField(max_length=60)
    target_style = serializers.CharField(max_length=60)


class DirectionList(StudyAPI):
    serializer_class = DirectionSerializer

    @extend_schema(responses=DirectionSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The directions of the study."""
        return Response(DirectionSerializer(directions_of(self.study), many=True).data)

    @extend_schema(request=NewDirectionSerializer, responses={201: DirectionSerializer})
    def post(self, request: Request, study: str) -> Response:
        """Add a direction of transfer between two of the study's styles."""
        made = add_direction(study=self.study, **checked(NewDirectionSerializer, request))
        there = next(one for one in directions_of(self.study) if one.pk == made.pk)
        return Response(DirectionSerializer(there).data, status=201)
