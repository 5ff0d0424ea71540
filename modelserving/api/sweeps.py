"""The endpoints of sweeps: searches over a model's options, whose trainings are those of the study."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body, without_body
from accounts.option_fields import body_of
from corpora.api.base import StudyAPI
from corpora.studies import direction_or_none
from modelserving.actions.cancel_sweep import cancel_sweep
from modelserving.actions.remove_sweep import remove_sweep
from modelserving.actions.repeat_training import RepeatFields, repeat_training
from modelserving.actions.resume_sweep import resume_sweep
from modelserving.actions.start_sweep import SweepFields, start_sweep
from modelserving.api.trainings import DIRECTION, TrainingRow
from modelserving.models import Sweep, TrainingRun
from modelserving.training_runs.sweeps import counts_of, ranked, repeats_of, trainings_of

SweepRequest = body_of(SweepFields, "SweepRequest", direction=DIRECTION)
RepeatRequest = body_of(RepeatFields, "RepeatRequest")


class SweepRow(StrictModelSerializer):
    """A sweep in a list. `options` are the fixed ones, `vary` those that vary, as they were given."""

    direction = serializers.CharField(source="direction.name", default=None, allow_null=True)

    class Meta:
        model = Sweep
        fields = [
            "id", "name", "model", "options", "preset", "vary", "search", "at_most", "seed", "direction", "made_at",
        ]  # fmt: skip
        read_only_fields = fields


class RepeatsSerializer(StrictSerializer):
    """The best tune scores of the same options with further seeds, without the training that was chosen."""

    number = serializers.IntegerField()
    mean = serializers.FloatField()
    deviation = serializers.FloatField(allow_null=True, help_text="Of a sample (n - 1); null for one score.")


class SweptTraining(StrictModelSerializer):
    """A training of a sweep. `values` are its values of the options that vary."""

    state = serializers.CharField(source="job.state")
    error = serializers.CharField(source="job.error", allow_blank=True)
    values = serializers.SerializerMethodField()
    repeats = serializers.SerializerMethodField()

    class Meta:
        model = TrainingRun
        fields = ["id", "name", "combination", "seed", "values", "best", "repeats", "seconds", "state", "error"]
        read_only_fields = fields

    def get_values(self, run: TrainingRun) -> dict[str, Any]:
        return {name: run.options.get(name) for name in self.context["sweep"].vary}

    @extend_schema_field(RepeatsSerializer(allow_null=True))
    def get_repeats(self, run: TrainingRun) -> dict[str, Any] | None:
        found = repeats_of(run, self.context["again"]) if run.combination is not None else None
        return found._asdict() if found else None


class SweepSerializer(SweepRow):
    """A sweep with its trainings, the best tune score first, and those that repeat one with another seed."""

    counts = serializers.SerializerMethodField(help_text="Trainings: total, over, and by state.")
    trainings = serializers.SerializerMethodField()
    repeated = serializers.SerializerMethodField()

    class Meta(SweepRow.Meta):
        fields = [*SweepRow.Meta.fields, "counts", "trainings", "repeated"]
        read_only_fields = fields

    def _runs(self, sweep: Sweep, *, repeated: bool) -> list[TrainingRun]:
        return list(trainings_of(sweep).filter(combination__isnull=repeated))

    def get_counts(self, sweep: Sweep) -> dict[str, int]:
        return counts_of(self._runs(sweep, repeated=False))

    @extend_schema_field(SweptTraining(many=True))
    def get_trainings(self, sweep: Sweep) -> list[dict[str, Any]]:
        return self._shown(sweep, ranked(self._runs(sweep, repeated=False)))

    @extend_schema_field(SweptTraining(many=True))
    def get_repeated(self, sweep: Sweep) -> list[dict[str, Any]]:
        return self._shown(sweep, self._runs(sweep, repeated=True))

    def _shown(self, sweep: Sweep, runs: list[TrainingRun]) -> list[dict[str, Any]]:
        again = self._runs(sweep, repeated=True)
        return list(SweptTraining(runs, many=True, context={"sweep": sweep, "again": again}).data)


class SweepList(StudyAPI):
    serializer_class = SweepRow
    pagination_class = api_settings.DEFAULT_PAGINATION_CLASS
    queryset = Sweep.objects.none()

    @extend_schema(responses=SweepRow(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The sweeps of the study, newest first."""
        page = self.paginate_queryset(self.study.sweeps.select_related("direction"))
        return self.get_paginated_response(SweepRow(page, many=True).data)

    @with_body(SweepRequest, responses={201: SweepSerializer})
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Train a model with each combination of some options, or with options that are drawn."""
        given["direction"] = direction_or_none(self.study, given["direction"])
        given["vary"] = given["vary"] or {}
        sweep = start_sweep(study=self.study, by=request.user, **given)
        return Response(SweepSerializer(sweep).data, status=201)


class SweepDetail(StudyAPI):
    serializer_class = SweepSerializer

    def get(self, request: Request, study: str, pk: int) -> Response:
        """A sweep and its trainings, the best one first."""
        return Response(SweepSerializer(_of(self.study, pk)).data)

    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, pk: int) -> Response:
        """Remove a sweep that is over, with its trainings and their checkpoints."""
        remove_sweep(sweep=_of(self.study, pk), by=request.user)
        return Response(status=204)


class SweepCancel(StudyAPI):
    serializer_class = SweepSerializer

    @without_body(responses=SweepSerializer)
    def post(self, request: Request, study: str, pk: int) -> Response:
        """Cancel the trainings that are not over."""
        return Response(SweepSerializer(cancel_sweep(sweep=_of(self.study, pk), by=request.user)).data)


class SweepResume(StudyAPI):
    serializer_class = SweepSerializer

    @without_body(responses=SweepSerializer)
    def post(self, request: Request, study: str, pk: int) -> Response:
        """Queue the failed and cancelled trainings again; each goes on from its last checkpoint."""
        return Response(SweepSerializer(resume_sweep(sweep=_of(self.study, pk), by=request.user)).data)


class SweepRepeat(StudyAPI):
    serializer_class = TrainingRow

    @with_body(RepeatRequest, responses={201: TrainingRow(many=True)})
    def post(self, request: Request, study: str, pk: int, given: dict[str, Any]) -> Response:
        """Train the best combination, or that of a training, with other seeds."""
        made = repeat_training(sweep=_of(self.study, pk), by=request.user, **given)
        return Response(TrainingRow(made, many=True).data, status=201)


def _of(study: Any, pk: int) -> Sweep:
    return get_object_or_404(study.sweeps.select_related("direction", "study"), pk=pk)
