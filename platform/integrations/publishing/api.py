"""The endpoints of publications."""

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, with_body
from accounts.option_fields import body_of
from corpora.api.base import Listing
from integrations.publishing.actions.start_publication import start_publication
from integrations.publishing.actions.start_pull import start_pull
from integrations.publishing.fields import PublicationFields, PullFields
from integrations.publishing.models import Publication


class PublicationShape(StrictModelSerializer):
    """A push or a pull, with the key of its job; `result` has what the service gave: `url`, `doi`, `revision`.

    That of a pull has the key of what came of it: `gold_import`, `table` or `checkpoint`.
    """

    release = serializers.IntegerField(source="release.number", default=None, read_only=True, allow_null=True)
    result = serializers.DictField(read_only=True)

    class Meta:
        model = Publication
        fields = [
            "id", "job", "service", "is_pulled", "content", "release", "checkpoint", "target", "is_private",
            "result", "made_at",
        ]  # fmt: skip
        read_only_fields = fields


NewPublication = body_of(PublicationFields, "NewPublication")
NewPull = body_of(PullFields, "NewPull")


class Publications(Listing):
    queryset = Publication.objects.none()
    serializer_class = PublicationShape

    def rows(self) -> Any:
        return self.request.study.publications.select_related("release")

    @with_body(NewPublication, responses={202: PublicationShape})
    def post(self, request: Any, study: str, given: dict[str, Any]) -> Response:
        """Push a release, outputs, judgements or a trained model; a job does it."""
        made = start_publication(study=request.study, by=request.user, **given)
        return Response(PublicationShape(made).data, status=202)


class Pull(APIView):
    @with_body(NewPull, responses={202: PublicationShape})
    def post(self, request: Any, study: str, given: dict[str, Any]) -> Response:
        """Pull a data set or a model of the Hugging Face Hub.

        Gold waits for its import, a table for its columns to be named; a model is a checkpoint of the study at once.
        """
        made = start_pull(study=request.study, by=request.user, **given)
        return Response(PublicationShape(made).data, status=202)
