"""The endpoints of sections, links and groups."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body, without_body
from accounts.option_fields import fields_of
from corpora.actions.add_linked_references import add_linked_references
from corpora.actions.link_documents import link_documents
from corpora.actions.make_groups import make_groups
from corpora.actions.map_sections import map_sections
from corpora.actions.sample_groups import sample_groups
from corpora.actions.suggest_elements import suggest_elements
from corpora.api.base import StudyAPI
from corpora.documents import sections_of
from corpora.fields import SampleFields
from corpora.models import DocumentLink, Group
from corpora.studies import direction_named

ALL = 100_000


class SectionSerializer(StrictSerializer):
    """A section title and the element that it stands for; an empty element is none."""

    style = serializers.CharField(max_length=60)
    section = serializers.CharField(max_length=200)
    element = serializers.CharField(max_length=100, allow_blank=True)
    documents = serializers.IntegerField(read_only=True)


class MappingSerializer(StrictSerializer):
    sections = SectionSerializer(many=True)


class SectionList(StudyAPI):
    serializer_class = MappingSerializer

    def get_object(self) -> dict[str, Any]:
        return {"sections": sections_of(self.study, ALL)}

    def get(self, request: Request, study: str) -> Response:
        """The section titles, most frequent first, with their elements."""
        return Response(self.get_object())

    @with_body(MappingSerializer)
    def put(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Say for sections which element they stand for; those that are not named stay."""
        rows = given["sections"]
        map_sections(
            study=self.study, rows=[(row["style"], row["section"], row["element"]) for row in rows], by=request.user
        )
        return Response(self.get_object())


class SuggestedSerializer(StrictSerializer):
    mapped = serializers.IntegerField(help_text="Sections that have an element now and had none.")


class SectionSuggestion(StudyAPI):
    serializer_class = SuggestedSerializer

    @without_body(responses=SuggestedSerializer)
    def post(self, request: Request, study: str) -> Response:
        """Map the sections without an element whose title usually stands for one."""
        return Response({"mapped": suggest_elements(study=self.study, by=request.user)})


class LinkSerializer(StrictModelSerializer):
    class Meta:
        model = DocumentLink
        fields = ["id", "source", "target"]


class DocumentLinkRequest(StrictSerializer):
    source_style = serializers.CharField(max_length=60)
    target_style = serializers.CharField(max_length=60)


class LinkedSerializer(StrictSerializer):
    """How many links were made, and how many documents fit no other or several."""

    linked = serializers.IntegerField()
    unlinked = serializers.IntegerField()
    ambiguous = serializers.IntegerField()


class LinkList(StudyAPI):
    serializer_class = LinkSerializer
    pagination_class = api_settings.DEFAULT_PAGINATION_CLASS
    queryset = DocumentLink.objects.none()

    @extend_schema(responses=LinkSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The links between documents of two styles."""
        rows = self.study.document_links.order_by("source__number", "target__number")
        return self.get_paginated_response(LinkSerializer(self.paginate_queryset(rows), many=True).data)

    @with_body(DocumentLinkRequest, responses={201: LinkedSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Link documents by title and code."""
        found = link_documents(study=self.study, by=request.user, **given)
        return Response(LinkedSerializer(found).data, status=201)


class LinkedReferencesRequest(StrictSerializer):
    direction = serializers.CharField(max_length=121, help_text="Its name, as expert-lay.")


class LinkedReferencesSerializer(StrictSerializer):
    """The set that was made, and how many documents have a reference in it."""

    set = serializers.IntegerField()
    documents = serializers.IntegerField()


class LinkedReferences(StudyAPI):
    serializer_class = LinkedReferencesRequest

    @with_body(LinkedReferencesRequest, responses={201: LinkedReferencesSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Take the linked documents as references of a direction, in a study whose unit is the document."""
        name = given["direction"]
        made = add_linked_references(direction=direction_named(self.study, name), by=request.user)
        count = made.references.exclude(text="").count()
        return Response({"set": made.pk, "documents": count}, status=201)


class GroupSerializer(StrictModelSerializer):
    source = serializers.IntegerField(source="link.source_id", help_text="The document of the one style.")
    target = serializers.IntegerField(source="link.target_id", help_text="The document of the other style.")

    class Meta:
        model = Group
        fields = ["id", "number", "element", "source", "target", "source_sections", "target_sections", "sampled"]


class GroupedSerializer(StrictSerializer):
    """How many groups were made, how many stay as they were, and how many links have none."""

    made = serializers.IntegerField()
    stayed = serializers.IntegerField()
    links_without = serializers.IntegerField()


class GroupList(StudyAPI):
    serializer_class = GroupSerializer
    pagination_class = api_settings.DEFAULT_PAGINATION_CLASS
    queryset = Group.objects.none()

    @extend_schema(responses=GroupSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The linked sentence groups."""
        rows = self.study.groups.select_related("link").order_by("number")
        return self.get_paginated_response(GroupSerializer(self.paginate_queryset(rows), many=True).data)

    @without_body(responses={201: GroupedSerializer})
    def post(self, request: Request, study: str) -> Response:
        """Make the groups of all links, by the elements of their sections."""
        return Response(GroupedSerializer(make_groups(study=self.study, by=request.user)).data, status=201)


SampleRequest = type("SampleRequest", (StrictSerializer,), fields_of(SampleFields))


class SampledSerializer(StrictSerializer):
    sampled = serializers.IntegerField()


class GroupSample(StudyAPI):
    serializer_class = SampleRequest

    @with_body(SampleRequest, responses={201: SampledSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Draw groups for annotation by a seed."""
        count = sample_groups(study=self.study, by=request.user, **given)
        return Response({"sampled": count}, status=201)
