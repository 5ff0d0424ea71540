"""The endpoints of a study that more than one room takes part in: templates, archiving, duplication, criteria."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body
from accounts.option_fields import body_of
from annotation.actions.begin_study import begin_study
from annotation.models import Criterion
from annotation.study_templates import TEMPLATES
from corpora.actions.set_archived import set_archived
from corpora.api.base import StudyAPI
from corpora.api.studies import StudySerializer
from corpora.fields import NewStudyFields
from studies.actions.duplicate_study import duplicate_study
from studies.removal import CONTENTS, contents_of


class StageSerializer(StrictSerializer):
    slug = serializers.CharField()
    title = serializers.CharField()
    task = serializers.CharField()
    after = serializers.CharField()
    about = serializers.CharField()
    optional = serializers.BooleanField()


class TemplateSerializer(StrictSerializer):
    """A template of studies, with the stages that it plans."""

    name = serializers.CharField()
    label = serializers.CharField()
    about = serializers.CharField()
    makes = serializers.CharField()
    styles = serializers.ListField(child=serializers.CharField())
    stages = StageSerializer(many=True)


BegunSerializer = body_of(
    NewStudyFields, "BegunSerializer", names=("slug", "title"), template=serializers.CharField(max_length=60)
)


class TemplateList(GenericAPIView):
    """The templates of studies."""

    serializer_class = BegunSerializer
    pagination_class = None

    @extend_schema(responses=TemplateSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the templates of studies, each with its stages."""
        return Response(TemplateSerializer(list(TEMPLATES.values()), many=True).data)

    @with_body(BegunSerializer, responses={201: BegunSerializer})
    def post(self, request: Request, given: dict[str, Any]) -> Response:
        """Make a study from a template: its directions, criteria and planned campaigns."""
        made = begin_study(**given, by=request.user)
        return Response(BegunSerializer(made).data, status=201)


class ArchiveSerializer(StrictSerializer):
    archived = serializers.BooleanField()


class StudyArchive(StudyAPI):
    serializer_class = ArchiveSerializer

    @with_body(ArchiveSerializer)
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Archive the study, so that it is read alone, or take it up again."""
        made = set_archived(study=self.study, by=request.user, **given)
        return Response({"archived": made.archived_at is not None})


ContentsSerializer = type("ContentsSerializer", (StrictSerializer,), {
    "__doc__": "How much stands on a study: what would go with it. `releases` keep it from being deleted.",
    "__module__": __name__,
    **{name: serializers.IntegerField() for name in CONTENTS},
})  # fmt: skip


class StudyContents(StudyAPI):
    serializer_class = ContentsSerializer

    def get(self, request: Request, study: str) -> Response:
        """The contents of the study, counted."""
        return Response(contents_of(self.study))


DuplicateSerializer = body_of(
    NewStudyFields, "DuplicateSerializer", names=("slug", "title"),
    members=serializers.BooleanField(default=False, help_text="Whether the same people are members of it."),
)  # fmt: skip


class StudyDuplicate(StudyAPI):
    serializer_class = DuplicateSerializer

    @with_body(DuplicateSerializer, responses={201: StudySerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Make a study that is set up as this one is, without its texts and answers."""
        made = duplicate_study(study=self.study, by=request.user, **given)
        made.own_role = made.role_of(request.user)
        return Response(StudySerializer(made).data, status=201)


class CriterionSerializer(StrictModelSerializer):
    class Meta:
        model = Criterion
        fields = ["name", "scale", "aspect", "beside"]


class CriterionList(StudyAPI):
    serializer_class = CriterionSerializer

    @extend_schema(responses=CriterionSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The criteria on which the study's outputs are judged, with their scales; campaigns and ratings bring them."""
        return Response(CriterionSerializer(self.study.criteria.order_by("number"), many=True).data)
