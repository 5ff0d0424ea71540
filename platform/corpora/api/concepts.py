"""The endpoint of a study's linked concepts."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictSerializer, with_body
from corpora.actions.link_concepts import link_concepts
from corpora.api.base import StudyAPI
from corpora.concepts import linked_of
from corpora.knowledge.concepts import about
from jobs.api import JobSerializer


class FrequentSerializer(StrictSerializer):
    """A concept and how often it is mentioned."""

    cui = serializers.CharField()
    name = serializers.CharField()
    mentions = serializers.IntegerField()


class ConceptsSerializer(StrictSerializer):
    """The linker at hand, and what is linked: sentences, mentions, different concepts, and the most frequent ones."""

    linker = serializers.CharField()
    known = serializers.IntegerField(help_text="How many concepts the linker knows.")
    sentences = serializers.IntegerField()
    linked = serializers.IntegerField(help_text="Sentences that are linked.")
    mentions = serializers.IntegerField()
    concepts = serializers.IntegerField()
    frequent = FrequentSerializer(many=True)


class ConceptLinkRequest(StrictSerializer):
    again = serializers.BooleanField(default=False, help_text="Link all sentences anew, not only those that are not.")


class ConceptList(StudyAPI):
    serializer_class = ConceptsSerializer

    def get(self, request: Request, study: str) -> Response:
        """The concepts linked in the study's texts."""
        return Response(ConceptsSerializer(self.get_object()).data)

    @with_body(ConceptLinkRequest, responses={202: JobSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Link the concepts; follow the job."""
        job = link_concepts(study=self.study, again=given["again"], by=request.user)
        return Response(JobSerializer(job).data, status=202)

    def get_object(self) -> dict[str, Any]:
        at_hand, found = about(), linked_of(self.study)
        rows = [{"cui": cui, "name": name, "mentions": count} for cui, name, count in found.frequent]
        return {
            "linker": at_hand.name, "known": at_hand.concepts, "sentences": found.sentences, "linked": found.linked,
            "mentions": found.mentions, "concepts": found.concepts, "frequent": rows,
        }  # fmt: skip
