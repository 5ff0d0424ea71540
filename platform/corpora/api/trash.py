"""The endpoints of removing texts, of the removals, and of undoing them."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body, without_body
from corpora.actions.remove_direction import remove_direction
from corpora.actions.remove_sources import remove_sources
from corpora.actions.undo_removal import undo_removal
from corpora.api.base import Listing, StudyAPI
from corpora.models import Removal
from corpora.studies import direction_named
from corpora.texts.number_ranges import parse_ranges
from corpora.trash import removals_of, studies_removed_by


class RemovalSerializer(StrictModelSerializer):
    """Something that was removed; it can be put back `until` then. `counts` says how many rows went, by their kind."""

    counts = serializers.DictField(child=serializers.IntegerField(), read_only=True)
    removed_by = serializers.CharField(source="removed_by.email", default=None, allow_null=True, read_only=True)
    until = serializers.DateTimeField(read_only=True)

    class Meta:
        model = Removal
        fields = ["id", "kind", "name", "study_slug", "counts", "removed_by", "removed_at", "until"]
        read_only_fields = fields


class RestoredSerializer(StrictSerializer):
    """The name of the thing that is back, and the study it is in."""

    restored = serializers.CharField()
    study = serializers.CharField()


class RemovalList(Listing):
    """The things removed from the study within 30 days, the newest first."""

    queryset = Removal.objects.none()
    serializer_class = RemovalSerializer

    def rows(self) -> Any:
        return removals_of(self.request.study)


class UndoRemoval(StudyAPI):
    serializer_class = RestoredSerializer

    @without_body(responses=RestoredSerializer)
    def post(self, request: Request, study: str, pk: int) -> Response:
        """Put it back as it was, with all that went with it."""
        return _undone(get_object_or_404(removals_of(self.study), pk=pk), request)


class RemovedStudies(Listing):
    """The studies that you deleted within 30 days; for an admin all that were."""

    queryset = Removal.objects.none()
    serializer_class = RemovalSerializer

    def rows(self) -> Any:
        return studies_removed_by(self.request.user)


class UndoStudy(generics.GenericAPIView):
    serializer_class = RestoredSerializer

    @without_body(responses=RestoredSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Put a deleted study back."""
        return _undone(get_object_or_404(studies_removed_by(request.user), pk=pk), request)


def _undone(removal: Removal, request: Request) -> Response:
    study = undo_removal(removal=removal, by=request.user)
    return Response({"restored": removal.name, "study": study.slug})


class DirectionDetail(StudyAPI):
    serializer_class = RemovalSerializer

    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, number: int) -> Response:
        """Take a direction out of the study, with its sources and all that was made of them. It can be undone."""
        there = get_object_or_404(self.study.directions.select_related("study"), number=number)
        remove_direction(direction=there, by=request.user)
        return Response(status=204)


class SourceRemovalRequest(StrictSerializer):
    direction = serializers.CharField(max_length=121)
    numbers = serializers.CharField(max_length=100_000, help_text="The sources' numbers: 3, 7-20.")


class SourceRemoval(StudyAPI):
    serializer_class = RemovalSerializer

    @with_body(SourceRemovalRequest, responses={201: RemovalSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Take sources out of a direction, with their references, outputs and judgements. It can be undone."""
        direction = direction_named(self.study, given["direction"])
        removal = remove_sources(direction=direction, numbers=parse_ranges(given["numbers"]), by=request.user)
        return Response(RemovalSerializer(removal).data, status=201)
