"""The endpoint of two systems compared output by output."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictSerializer, query_parameters
from evaluation.api.base import Detail
from evaluation.comparability.report_split import CHOICES
from evaluation.kept_head_to_head import MeasureRow, kept_head_to_head
from evaluation.pair_values import EQUAL, PairScore
from evaluation.shared_outputs import shared_outputs
from evaluation.system_comparison import ORDERS, OUTCOMES, OutputPair
from foundation.errors import UserError

ASKS = {
    "split": f"the sentences that it is about: {', '.join(one for one in CHOICES if one)}; left out: as in the report",
    "direction": "only sources of this direction, counted from 0",
    "search": "words that source, references or outputs hold",
    "differing": "not empty: only outputs that differ",
    "by": "the key of a measure, by which pairs are sorted and won",
    "of": f"what of it: {', '.join(ORDERS)}",
    "order": "highest or lowest first",
    "outcome": f"only pairs with this outcome by the measure: {', '.join(OUTCOMES)}",
}


class HeadToHeadSerializer(StrictSerializer):
    key = serializers.CharField()
    label = serializers.CharField()
    judged = serializers.BooleanField(help_text="whether people gave it")
    better = serializers.BooleanField(allow_null=True, help_text="true: high is good; null: neither end is")
    first = serializers.FloatField()
    second = serializers.FloatField()
    sentences = serializers.IntegerField(help_text="those that both have a value for")
    counts = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, help_text="won by the first, equal, won by the second"
    )
    difference = serializers.FloatField(allow_null=True)
    p = serializers.FloatField(allow_null=True)
    corrected = serializers.FloatField(allow_null=True, help_text="p, corrected over all measures")
    undefined = serializers.CharField(help_text="why there is no p")


class GivenSerializer(StrictSerializer):
    key = serializers.CharField()
    first = serializers.FloatField(allow_null=True)
    second = serializers.FloatField(allow_null=True)
    difference = serializers.FloatField(allow_null=True)
    judgements = serializers.ListField(
        child=serializers.ListField(), help_text="of either output [rater, value] each; raters are numbered"
    )


class OutputPairSerializer(StrictSerializer):
    number = serializers.IntegerField()
    source = serializers.CharField()
    references = serializers.ListField(child=serializers.CharField())
    outputs = serializers.ListField(child=serializers.CharField())
    given = GivenSerializer(many=True)


ComparisonPage = inline_serializer(
    "ComparisonPage",
    {
        "head_to_head": HeadToHeadSerializer(many=True),
        "same": serializers.IntegerField(help_text="sentences for which both wrote the same"),
        "alone": serializers.ListField(child=serializers.IntegerField(), help_text="sentences that only one has"),
        "count": serializers.IntegerField(),
        "next": serializers.URLField(allow_null=True),
        "previous": serializers.URLField(allow_null=True),
        "results": OutputPairSerializer(many=True),
    },
)


class ComparedSystems(GenericAPIView):
    """Two systems over the sentences that both have an output for."""

    serializer_class = OutputPairSerializer

    @query_parameters(
        OpenApiParameter("first", str, description="a system's name", required=True),
        OpenApiParameter("second", str, description="another one's", required=True),
        *[OpenApiParameter(name, str, description=about) for name, about in ASKS.items()],
        OpenApiParameter("page", int),
        OpenApiParameter("page_size", int),
        responses={200: ComparisonPage, 400: Detail, 404: Detail},
    )
    def get(self, request: Request, study: str) -> Response:
        """How often each is the better one by each measure, and the pairs of outputs by pages."""
        asked = request.query_params.dict()
        for name in ("first", "second"):
            if not asked.get(name):
                raise UserError("Name two systems.", where=name)
        shared = shared_outputs(
            request.study, asked["first"], asked["second"], asked.get("split", ""), asked.get("direction", "")
        )
        whole = kept_head_to_head(shared)
        pairs: Sequence[OutputPair] = self.paginate_queryset(shared.chosen(asked))
        scores = shared.scores([pair.number for pair in pairs])
        rows = [row for row in whole.rows if row.counts is not None]
        page = OutputPairSerializer([_pair(pair, rows, scores[pair.number]) for pair in pairs], many=True).data
        head = {
            "head_to_head": HeadToHeadSerializer([_row(row) for row in whole.rows], many=True).data,
            "same": whole.same_count,
            "alone": list(whole.alone),
        }
        return Response({**head, **self.get_paginated_response(page).data})


def _row(row: MeasureRow) -> dict[str, Any]:
    return {
        "key": row.key, "label": row.label, "judged": row.judged, "better": row.better, "first": row.numbers[0],
        "second": row.numbers[1], "sentences": row.sentences, "counts": row.counts, "difference": row.difference,
        "p": row.p, "corrected": row.corrected, "undefined": row.undefined,
    }  # fmt: skip


def _pair(pair: OutputPair, rows: Sequence[MeasureRow], scores: Sequence[PairScore]) -> dict[str, Any]:
    by_key = {key: score for score in scores for key in score.keys}
    return {
        "number": pair.number, "source": pair.source, "references": pair.references, "outputs": pair.outputs,
        "given": [_given(row.key, by_key.get(row.key)) for row in rows],
    }  # fmt: skip


def _given(key: str, score: PairScore | None) -> dict[str, Any]:
    first, second = score.values if score else (None, None)
    apart = None if first is None or second is None else first - second
    return {
        "key": key, "first": first, "second": second, "judgements": score.judgements if score else ((), ()),
        "difference": 0.0 if apart is not None and abs(apart) <= EQUAL else apart,
    }  # fmt: skip
