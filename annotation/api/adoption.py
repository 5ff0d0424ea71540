"""The endpoint that makes a campaign's gold texts of its study, and takes them back."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer, without_body
from accounts.option_fields import body_of
from annotation.actions.adopt_gold import Adopted as AdoptedTexts
from annotation.actions.adopt_gold import AdoptionFields, adopt_gold, take_back_gold
from annotation.api.validation import validated
from annotation.campaigns.requested import campaign_of

Adoption = body_of(AdoptionFields, "Adoption")


class Adopted(StrictSerializer):
    reference_sets = serializers.IntegerField()
    references = serializers.IntegerField(help_text="References that stand in these sets now.")
    sources = serializers.IntegerField(help_text="Sources that are new.")
    taken_back = serializers.IntegerField(help_text="Sources that were adopted before and do not stand any more.")
    stay = serializers.IntegerField(help_text="Such sources that stay, since outputs or work stand on them.")
    left_out = serializers.DictField(
        child=serializers.IntegerField(), help_text="Texts that are held out from training, by where they stand."
    )


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
