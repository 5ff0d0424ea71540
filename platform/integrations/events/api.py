"""The endpoint of events, for programs that poll."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer, query_parameters
from integrations.events.kinds import KINDS
from integrations.events.publishing import as_told, publish
from integrations.events.visible import events_for

MOST, USUAL = 500, 100
LARGEST = 2**63 - 1


class EventShape(StrictSerializer):
    """An event, as a webhook gets it too. `data` has its `id`, the `study`, and what its kind carries."""

    type = serializers.ChoiceField(choices=list(KINDS))
    timestamp = serializers.DateTimeField()
    data = serializers.DictField()


class EventsShape(StrictSerializer):
    events = EventShape(many=True)
    after = serializers.IntegerField(allow_null=True, help_text="Ask with this number next time.")
    more = serializers.BooleanField(help_text="Whether there are more already.")


class Events(APIView):
    @query_parameters(
        OpenApiParameter("after", OpenApiTypes.INT64, description="The `after` of the last answer."),
        OpenApiParameter("study", str, description="Only events of this study."),
        OpenApiParameter("kind", str, description="Only events of this kind.", enum=list(KINDS), many=True),
        OpenApiParameter("size", int, description=f"At most so many: {USUAL}, or up to {MOST}."),
        responses=EventsShape,
    )  # fmt: skip
    def get(self, request: Any) -> Response:
        """The events of your studies behind a number, oldest first.

        Nothing is passed over: each event that ends later has a larger number. Events are kept for RESTYLE_EVENT_DAYS.
        Annotators see when campaigns for their role open and close, and when their guidelines change.
        """
        after, size = _number(request, "after", 1, LARGEST, 0), _number(request, "size", 1, MOST, USUAL)
        publish()
        rows = events_for(request.user).filter(number__gt=after)
        if "study" in request.query_params:
            rows = rows.filter(study__slug=request.query_params["study"])
        if kinds := request.query_params.getlist("kind"):
            _refuse_unknown_kinds(kinds)
            rows = rows.filter(kind__in=kinds)
        found = list(rows[: size + 1])
        page = found[:size]
        next_after = page[-1].number if page else after or None
        return Response({"events": [as_told(one) for one in page], "after": next_after, "more": len(found) > size})


def _number(request: Any, name: str, low: int, high: int, usual: int) -> int:
    if name not in request.query_params:
        return usual
    given = request.query_params[name]
    if not (given.isascii() and given.isdigit() and len(given) < 20 and low <= int(given) <= high):
        raise ValidationError({name: [f"This has to be a whole number from {low} to {high}."]})
    return int(given)


def _refuse_unknown_kinds(kinds: list[str]) -> None:
    for kind in kinds:
        if kind not in KINDS:
            raise ValidationError({"kind": [f"There is no such kind; there are {', '.join(KINDS)}."]})
