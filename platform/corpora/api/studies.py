"""The endpoints of studies and directions."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import checked
from accounts.shapes import ModelShape, Shape
from corpora.actions.add_direction import add_direction
from corpora.actions.create_study import create_study
from corpora.actions.edit_study import edit_study
from corpora.api.base import StudyAPI
from corpora.models import Direction, Study
from corpora.reading import directions_of


class StudySerializer(ModelShape):
    role = serializers.CharField(source="own_role", read_only=True, allow_null=True, help_text="Your role in it.")
    styles = serializers.ListField(child=serializers.CharField())
    poles = serializers.DictField(
        child=serializers.CharField(),
        help_text="Which style each end of scales and metrics means, by what they call it.",
    )

    class Meta:
        model = Study
        fields = [
            "slug", "title", "styles", "license", "description", "terms_version", "required_credentials", "restricted",
            "unit", "poles", "role", "made_at",
        ]  # fmt: skip
        read_only_fields = fields


class NewStudySerializer(Shape):
    slug = serializers.CharField(max_length=80, help_text="Lower-case letters, digits and single hyphens.")
    title = serializers.CharField(max_length=300)
    styles = serializers.ListField(child=serializers.CharField(max_length=60), min_length=2, max_length=100)
    license = serializers.CharField(max_length=200, default="", allow_blank=True)
    description = serializers.CharField(max_length=20_000, default="", allow_blank=True)


class EditStudySerializer(Shape):
    title = serializers.CharField(max_length=300, required=False)
    styles = serializers.ListField(
        child=serializers.CharField(max_length=60), max_length=100, required=False, help_text="Those there, and more."
    )
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


class StudyList(generics.ListAPIView):
    """List the studies that you may enter."""

    serializer_class = StudySerializer
    queryset = Study.objects.none()

    def get_queryset(self) -> Any:
        return Study.objects.of(self.request.user).with_role_of(self.request.user).order_by("title", "pk")

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


def _shown(study: Study, request: Request) -> dict[str, Any]:
    study.own_role = study.role_of(request.user)
    return StudySerializer(study).data


class DirectionSerializer(ModelShape):
    name = serializers.CharField(read_only=True)
    sentences = serializers.IntegerField(source="sentence_count", read_only=True)
    reference_sets = serializers.IntegerField(source="reference_set_count", read_only=True)

    class Meta:
        model = Direction
        fields = ["name", "source_style", "target_style", "sentences", "reference_sets"]
        read_only_fields = fields


class NewDirectionSerializer(Shape):
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
