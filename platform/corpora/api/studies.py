"""The endpoints of studies and directions."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import (
    StrictModelSerializer,
    StrictSerializer,
    flag_in,
    query_parameters,
    with_body,
    without_body,
)
from accounts.option_fields import fields_of, serializer_field
from corpora.actions.accept_terms import accept_terms
from corpora.actions.add_direction import add_direction
from corpora.actions.create_study import create_study
from corpora.actions.delete_study import delete_study
from corpora.actions.edit_study import edit_study
from corpora.api.base import StudyAPI
from corpora.fields import EditedStudyFields, NewStudyFields
from corpora.models import Direction, Study
from corpora.texts.queries import directions_of
from foundation.options import list_options


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


# Fields that are no line of a form.
IN_JSON = {
    "slug": "Lower-case letters, digits and single hyphens.",
    "styles": "Two or more; of a study that is there, those of it, and more.",
    "language": "Of the texts, a BCP 47 tag such as en, pt-BR or zh-Hans; empty where it is not named.",
    "style_descriptions": "What a style is, in a few words that people read on the pages of their work.",
    "required_credentials": "Short names, such as mimic-iii. Who lacks one sees no texts.",
    "style_words": "Left out where content is compared.",
    "poles": 'Which style each end of scales and metrics means: {"informal": "chat", "formal": "letter"}.',
}


def _fields(kind: type, **more: Any) -> dict[str, Any]:
    return fields_of(kind, **more) | {
        one.name: serializer_field(one, help_text=IN_JSON[one.name], **more)
        for one in list_options(kind) if one.name in IN_JSON
    }  # fmt: skip


NewStudySerializer = type("NewStudySerializer", (StrictSerializer,), _fields(NewStudyFields))
EditStudySerializer = type(
    "EditStudySerializer", (StrictSerializer,), _fields(EditedStudyFields, defaults=False, required=False)
)


ARCHIVED = OpenApiParameter("archived", bool, default=False, description="those that are archived instead")
TITLE = OpenApiParameter("title", str, required=True, description="the study's title, so that it is no other one")


class StudyList(generics.ListAPIView):
    """List the studies that you may enter."""

    serializer_class = StudySerializer
    queryset = Study.objects.none()

    def get_queryset(self) -> Any:
        there = Study.objects.of(self.request.user).with_role_of(self.request.user)
        return there.filter(archived_at__isnull=not flag_in(self.request, "archived")).order_by("title", "pk")

    @query_parameters(ARCHIVED, responses=StudySerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The studies that you may enter."""
        return super().get(request, *args, **kwargs)

    @with_body(NewStudySerializer, responses={201: StudySerializer})
    def post(self, request: Request, given: dict[str, Any]) -> Response:
        """Make a study; you are its first researcher."""
        study = create_study(**given, by=request.user)
        return Response(_shown(study, request), status=201)


class StudyDetail(StudyAPI):
    serializer_class = StudySerializer

    def get(self, request: Request, study: str) -> Response:
        """A study."""
        return Response(_shown(self.study, request))

    @with_body(EditStudySerializer, responses=StudySerializer)
    def patch(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Change title, licence or description, or add styles."""
        edit_study(study=self.study, **given)
        return Response(_shown(self.study, request))

    @query_parameters(TITLE)
    @without_body(responses={204: None})
    def delete(self, request: Request, study: str) -> Response:
        """Delete the study with all that is in it, unless a release was made of it. It can be undone for 30 days."""
        delete_study(study=self.study, title=request.query_params.get("title", ""), by=request.user)
        return Response(status=204)


class TermsSerializer(StrictModelSerializer):
    """The terms of a study. `bar` keeps you from its texts: "terms" to accept, a credential you lack, or ""."""

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

    @with_body(AcceptedTermsSerializer, responses=TermsSerializer)
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Accept the terms in the version that you have read."""
        accept_terms(study=self.study, person=request.user, **given)
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

    @with_body(NewDirectionSerializer, responses={201: DirectionSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Add a direction of transfer between two of the study's styles."""
        made = add_direction(study=self.study, **given)
        there = next(one for one in directions_of(self.study) if one.pk == made.pk)
        return Response(DirectionSerializer(there).data, status=201)
