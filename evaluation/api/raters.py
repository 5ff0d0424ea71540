"""The endpoints of raters: the texts that two of them judged, and leaving somebody out of a human study's results."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer, query_parameters, with_body, without_body
from accounts.option_fields import serializer_field
from evaluation.actions.exclude_rater import REASON, exclude_rater
from evaluation.actions.include_rater import include_rater
from evaluation.api.base import Detail
from evaluation.api.human import HumanStudyInFull
from evaluation.drilldown import judged_by_two
from evaluation.human_studies.main_comparison import exclusion_effect
from evaluation.human_studies.requested import human_study_of
from evaluation.human_studies.workers import workers_of
from foundation.errors import UserError

# The endpoint of the texts that two raters judged. How far each two agree stands in the report: its `rater_pairs`.


class JudgedByTwoSerializer(StrictSerializer):
    source = serializers.CharField()
    text = serializers.CharField()
    values = serializers.ListField(child=serializers.FloatField(), help_text="of a and of b")


class RaterPair(GenericAPIView):
    """The texts that two raters both judged."""

    serializer_class = JudgedByTwoSerializer

    @query_parameters(
        OpenApiParameter("criterion", str, required=True),
        OpenApiParameter("a", int, description="a rater's number in the report", required=True),
        OpenApiParameter("b", int, description="another one's", required=True),
        OpenApiParameter("page", int),
        OpenApiParameter("page_size", int),
        responses={200: JudgedByTwoSerializer(many=True), 400: Detail},
    )
    def get(self, request: Request, study: str) -> Response:
        """Those on which they differ most first."""
        rows = self.paginate_queryset(judged_by_two(request.study, request.query_params.dict()))
        return self.get_paginated_response(JudgedByTwoSerializer(rows, many=True).data)


# The raters of a human study: the effect of excluding one, excluding them, and including them again.


class Exclusion(StrictSerializer):
    reason = serializer_field(REASON)


class OneRater(APIView):
    """Somebody who judged, by the pseudonym that the progress of the campaigns gives them."""

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Any, study: str, human: str, rater: UUID) -> Response:
        """The figures that change where they are left out, or taken back: each before and after."""
        human_study = human_study_of(request, human)
        workers = workers_of(human_study) if human_study.frozen else {}
        if str(rater) not in workers:
            raise UserError("No rater of this human study has this pseudonym.", where="rater")
        back = any(exclusion["person"] == str(rater) for exclusion in human_study.excluded)
        effect = exclusion_effect(human_study, str(rater), workers, back=back)
        return Response({"pseudonym": str(rater), "left_out_by_hand": back, **asdict(effect)})

    @with_body(Exclusion, responses=HumanStudyInFull)
    def post(self, request: Any, study: str, human: str, rater: UUID, given: dict[str, Any]) -> Response:
        """Leave them out of the filtered results and the main comparison."""
        human_study = human_study_of(request, human)
        exclude_rater(human_study=human_study, person=str(rater), by=request.user, **given)
        return Response(HumanStudyInFull(human_study).data)

    @without_body(responses=HumanStudyInFull)
    def delete(self, request: Any, study: str, human: str, rater: UUID) -> Response:
        """Take them back."""
        human_study = human_study_of(request, human)
        include_rater(human_study=human_study, person=str(rater), by=request.user)
        return Response(HumanStudyInFull(human_study).data)
