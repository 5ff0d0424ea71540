"""The endpoint that makes a campaign's gold texts of its study, and takes them back."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import without_body
from annotation.actions.adopt_gold import Adopted as AdoptedTexts
from annotation.actions.adopt_gold import adopt_gold, take_back_gold
from annotation.api.shapes import Adopted, Adoption
from annotation.api.validation import validated
from annotation.campaigns.requested import campaign_of


class Adopt(APIView):
    @extend_schema(request=Adoption, responses=Adopted)
    def post(self, request: Any, study: str, campaign: str) -> Response:
        """Make what people made, with the stages that check it, sources and references of the study; again: anew."""
        given = validated(Adoption, request)
        return _counts(adopt_gold(campaign=campaign_of(request, campaign), by=request.user, **given))

    @without_body(responses=Adopted)
    def delete(self, request: Any, study: str, campaign: str) -> Response:
        """Take back what was adopted of the campaign."""
        return _counts(take_back_gold(campaign=campaign_of(request, campaign), by=request.user))


def _counts(adopted: AdoptedTexts) -> Response:
    counts = {
        "references": adopted.references,
        "sources": adopted.sources,
        "taken_back": adopted.taken_back,
        "stay": adopted.stay,
    }
    return Response({"reference_sets": len(adopted.sets), **counts, "left_out": dict(adopted.left)})
