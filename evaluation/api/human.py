"""The endpoints of human studies: thin, and on the same actions as the pages."""

from dataclasses import asdict
from typing import Any

import orjson
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body, without_body
from accounts.option_fields import fields_of
from corpora.api.base import Listing
from corpora.studies import direction_or_none, systems_named
from evaluation.actions.amend_human_study import amend_human_study
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.delete_human_study import delete_human_study
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.actions.repeat_human_study import repeat_human_study
from evaluation.human_studies.fields import ALWAYS, HumanStudyFields
from evaluation.human_studies.heds import heds
from evaluation.human_studies.preregistration import protocol_deviations, summary_of
from evaluation.human_studies.preview import preview
from evaluation.human_studies.requested import human_study_of
from evaluation.models import HumanStudy
from foundation.options import list_options

OBJECT = extend_schema_field(OpenApiTypes.OBJECT)


class HumanStudyShape(StrictModelSerializer):
    """A human study and its plan; of attention checks only their number leaves the server."""

    direction = serializers.CharField(source="direction.name", default=None, read_only=True, allow_null=True)
    systems = serializers.SlugRelatedField("name", many=True, read_only=True)
    campaigns = serializers.SlugRelatedField("slug", many=True, read_only=True)
    criteria = serializers.ListField(child=serializers.DictField(), read_only=True)
    eligibility = serializers.DictField(read_only=True)
    crew = serializers.DictField(source="eligibility", read_only=True, help_text="The old name of `eligibility`.")
    costs = serializers.DictField(read_only=True)
    controls = serializers.DictField(read_only=True)
    exclusions = serializers.DictField(read_only=True)
    comparison = serializers.DictField(read_only=True)
    sentences = serializers.SerializerMethodField()
    control_texts = serializers.SerializerMethodField()

    class Meta:
        model = HumanStudy
        fields = [
            "slug", "state", *(one.name for one in list_options(HumanStudyFields)), "crew", "sentences",
            "control_texts", "campaigns", "made_at", "opened_at", "closed_at",
        ]  # fmt: skip
        read_only_fields = fields

    def get_sentences(self, human_study: HumanStudy) -> int:
        return len(human_study.sentence_ids)

    def get_control_texts(self, human_study: HumanStudy) -> int:
        return len(human_study.control_texts)


class HumanStudyInFull(HumanStudyShape):
    """With what the plan would cost while it is a draft, and how it went once it opened."""

    cost = serializers.SerializerMethodField(
        help_text="Of a draft: judgements, hours, money, what it can find, and why it cannot be opened."
    )
    frozen = serializers.SerializerMethodField(help_text="The plan as it was at the opening, and its SHA-256.")
    departures = serializers.SerializerMethodField()
    summary = serializers.SerializerMethodField(help_text="As the report has it, but workers are numbered here alone.")

    class Meta(HumanStudyShape.Meta):
        fields = [*HumanStudyShape.Meta.fields, "cost", "frozen", "departures", "summary"]
        read_only_fields = fields

    @extend_schema_field({"type": "object", "nullable": True})
    def get_cost(self, human_study: HumanStudy) -> Any:
        if human_study.frozen:
            return None
        planned = preview(human_study, list(human_study.systems.all()))
        totals = {name: getattr(planned.cost, name) for name in ("judgements", "answers", "hours")}
        detected = [asdict(row) for row in planned.detected]
        return {
            **asdict(planned.cost),
            **totals,
            "detected": detected,
            "lacking": planned.lacking,
            "idle": planned.idle,
            "saved": [{"metric": name, "label": label, "share": share} for name, label, share in planned.saved],
        }

    @extend_schema_field({"type": "object", "nullable": True})
    def get_frozen(self, human_study: HumanStudy) -> Any:
        return human_study.frozen

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_departures(self, human_study: HumanStudy) -> list[str]:
        return protocol_deviations(human_study)

    @extend_schema_field({"type": "object", "nullable": True})
    def get_summary(self, human_study: HumanStudy) -> Any:
        return summary_of(human_study) if human_study.frozen else None


Amendments = type("Amendments", (StrictSerializer,), fields_of(HumanStudyFields, (ALWAYS,), defaults=False))
NewHumanStudy = type("NewHumanStudy", (StrictSerializer,), fields_of(HumanStudyFields, defaults=False))


class HumanStudies(Listing):
    """The human studies of a study, the oldest first."""

    queryset = HumanStudy.objects.none()
    serializer_class = HumanStudyShape

    def rows(self) -> Any:
        human_studies = self.request.study.human_studies.select_related("direction")
        return human_studies.prefetch_related("systems", "campaigns")

    @with_body(NewHumanStudy, responses={201: HumanStudyInFull})
    def post(self, request: Any, study: str, given: dict[str, Any]) -> Response:
        """Plan a human study; nothing begins before it is opened."""
        human_study = plan_human_study(study=request.study, by=request.user, **_fields(request.study, given))
        return Response(HumanStudyInFull(human_study).data, status=201)


class OneHumanStudy(APIView):
    @extend_schema(responses=HumanStudyInFull)
    def get(self, request: Any, study: str, human: str) -> Response:
        """A human study: of a draft what it will cost, of an open one how it goes."""
        return Response(HumanStudyInFull(human_study_of(request, human)).data)

    @with_body(NewHumanStudy, partial=True, responses=HumanStudyInFull)
    def patch(self, request: Any, study: str, human: str, given: dict[str, Any]) -> Response:
        """Change what is named, while it is a draft."""
        human_study = human_study_of(request, human)
        plan = _fields(request.study, given)
        changed = plan_human_study(study=request.study, human_study=human_study, by=request.user, **plan)
        return Response(HumanStudyInFull(changed).data)

    @without_body(responses={204: None})
    def delete(self, request: Any, study: str, human: str) -> Response:
        """Take a draft away."""
        delete_human_study(human_study=human_study_of(request, human), by=request.user)
        return Response(status=204)


class Open(APIView):
    @without_body(responses=HumanStudyInFull)
    def post(self, request: Any, study: str, human: str) -> Response:
        """Draw the sample, make the campaigns, and freeze the plan."""
        human_study = human_study_of(request, human)
        return Response(HumanStudyInFull(open_human_study(human_study=human_study, by=request.user)).data)


class Close(APIView):
    @without_body(responses=HumanStudyInFull)
    def post(self, request: Any, study: str, human: str) -> Response:
        """Close it and its campaigns."""
        human_study = human_study_of(request, human)
        return Response(HumanStudyInFull(close_human_study(human_study=human_study, by=request.user)).data)


class Repeat(APIView):
    @without_body(responses={201: HumanStudyInFull})
    def post(self, request: Any, study: str, human: str) -> Response:
        """Begin a closed human study again, with other people, by its frozen plan."""
        again = repeat_human_study(human_study=human_study_of(request, human), by=request.user)
        return Response(HumanStudyInFull(again).data, status=201)


class Heds(APIView):
    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Any, study: str, human: str) -> Response:
        """The frozen plan as a Human Evaluation Datasheet (HEDS 3.0), in the form that its own form reads.

        `restyle.left_to_a_person` has the numbers of the questions that the plan does not settle.
        """
        return Response(orjson.loads(heds(human_study_of(request, human))))


class Amend(APIView):
    @with_body(Amendments, responses=HumanStudyInFull)
    def post(self, request: Any, study: str, human: str, given: dict[str, Any]) -> Response:
        """Change who is left out, or the main comparison; the report names the difference."""
        human_study = human_study_of(request, human)
        return Response(HumanStudyInFull(amend_human_study(human_study=human_study, by=request.user, **given)).data)


def _fields(study: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The fields with the systems and the direction that they name."""
    fields = dict(given)
    if fields.get("systems") is not None:
        fields["systems"] = systems_named(study, fields["systems"])
    if "direction" in fields:
        fields["direction"] = direction_or_none(study, fields["direction"])
    return fields
