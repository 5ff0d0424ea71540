"""The endpoints of trainings and prompts. A training stops and goes on as a job: `jobs/{job}/cancel/` and `retry/`."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from accounts.api_schema import StrictModelSerializer, StrictSerializer, with_body, without_body
from accounts.option_fields import body_of, fields_of, serializer_field
from corpora.api.base import StudyAPI
from corpora.studies import direction_or_none
from foundation.options import list_options, option_named
from modelserving.actions.describe_training import NotesFields, describe_training
from modelserving.actions.remove_training import remove_training
from modelserving.actions.start_training import TrainingFields, start_training
from modelserving.models import TrainingCurve, TrainingRun
from modelserving.presenters.labels import prompt_version
from modelserving.training_runs.prompt_preview import preview_prompt
from modelserving.transfer import TRANSFERS

# The endpoint that shows the prompt of a language model before anything is sent.


DIRECTION = serializer_field(
    option_named(TrainingFields, "direction"), help_text="source-target; the only one where it is left out."
)
PromptRequest = body_of(TrainingFields, "PromptRequest", names=("model", "options", "seed"), direction=DIRECTION)


class MessageSerializer(StrictSerializer):
    role = serializers.CharField()
    content = serializers.CharField()


class PromptSerializer(StrictSerializer):
    """The chat that a language model would be sent for `source`, the first of the train split."""

    source = serializers.CharField()
    messages = MessageSerializer(many=True)


class Prompts(StudyAPI):
    serializer_class = PromptSerializer

    @with_body(PromptRequest, responses=PromptSerializer)
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """The prompt that a training with these options would make. Nothing is sent, and nothing is stored."""
        kind, direction = TRANSFERS[given["model"]], direction_or_none(self.study, given["direction"])
        options = vars(kind.choose_options(given["options"]))
        return Response(PromptSerializer(preview_prompt(kind, self.study, direction, options, given["seed"])).data)


def options_serializer(name: str, kind: type) -> type[serializers.Serializer]:
    """A serializer that describes a dataclass of options; `foundation.options.validate_options` checks them.

    Its schema has their groups besides, as forms show them: `x-groups`, names of options by the name of the group.
    """
    options = list_options(kind)
    groups = {one.group: [other.name for other in options if other.group == one.group] for one in options if one.group}
    made = type(name, (serializers.Serializer,), fields_of(kind))
    return extend_schema_serializer(extensions={"x-groups": groups})(made) if groups else made


def by_model(component: str, base: type[serializers.Serializer], key: str, attribute: str) -> Any:
    """The request of one endpoint, described for each model that is trained: `key` holds its own options."""

    def forms() -> dict[str, Any]:  # asked for when the description is made: a web process imports no model to start
        kinds = {name: kind for name, kind in TRANSFERS.items() if kind.needs != "nothing"}
        return {
            name: _of_model(component, base, key, name, getattr(kind, attribute), list(kind.presets))
            for name, kind in kinds.items()
        }

    return PolymorphicProxySerializer(component_name=component, serializers=forms, resource_type_field_name="model")


def _of_model(
    component: str, base: type, key: str, model: str, kind: type, presets: list[str]
) -> type[serializers.Serializer]:
    title = "".join(part.capitalize() for part in model.split("_"))
    inner = options_serializer(f"{title}{key.capitalize()}", kind)
    fields: dict[str, serializers.Field] = {
        "model": serializers.ChoiceField(choices=[model]),
        key: inner(required=any(field.required for field in inner().fields.values())),
    }
    if presets:
        # Labelled for the model: equal sets of choices of several models would be named by a digest.
        labels = [(preset, f"{preset} for {model}") for preset in presets]
        fields["preset"] = serializers.ChoiceField(choices=labels, required=False, allow_blank=True)
    return type(f"{component}{title}", (base,), fields)


class TrainingRow(StrictModelSerializer):
    """A training in a list. `done` of `total` are steps, of the model's own kind."""

    direction = serializers.CharField(source="direction.name", default=None, allow_null=True)
    state = serializers.CharField(source="job.state")
    done = serializers.IntegerField(source="job.done")
    total = serializers.IntegerField(source="job.total")
    error = serializers.CharField(source="job.error", allow_blank=True)
    made_at = serializers.DateTimeField(source="job.made_at")
    checkpoints = serializers.PrimaryKeyRelatedField(many=True, read_only=True)
    prompt_version = serializers.SerializerMethodField(help_text="Equal for equal prompts; empty for other models.")

    class Meta:
        model = TrainingRun
        fields = [
            "id", "name", "model", "options", "prompt_version", "silver", "seed", "direction", "styles", "device",
            "device_used", "data_digest", "counts", "best", "seconds", "notes", "tags", "job", "state", "done", "total",
            "error", "made_at", "checkpoints",
        ]  # fmt: skip
        read_only_fields = fields

    def get_prompt_version(self, run: TrainingRun) -> str:
        return prompt_version(run.model, run.options)


class CurveSerializer(StrictModelSerializer):
    class Meta:
        model = TrainingCurve
        fields = ["name", "better", "steps", "values"]


class TrainingSerializer(TrainingRow):
    """A training with its curves, and what it made of some tune sources as it went on."""

    curves = CurveSerializer(many=True, read_only=True)

    class Meta(TrainingRow.Meta):
        fields = [*TrainingRow.Meta.fields, "curves", "samples"]
        read_only_fields = fields


TrainingNotes = body_of(NotesFields, "TrainingNotes", "What is left out stays as it is.")
TrainingBase = body_of(
    TrainingFields,
    "TrainingBase",
    names=("name", "direction", "seed", "device", "preset", "silver"),
    direction=DIRECTION,
)
TrainingRequest = body_of(TrainingFields, "TrainingRequest", direction=DIRECTION)


def trainings_of(study: Any) -> Any:
    return study.trainings.select_related("job", "direction").prefetch_related("checkpoints")


class TrainingList(StudyAPI):
    serializer_class = TrainingRow
    pagination_class = api_settings.DEFAULT_PAGINATION_CLASS
    queryset = TrainingRun.objects.none()

    @extend_schema(responses=TrainingRow(many=True))
    def get(self, request: Request, study: str) -> Response:
        """The trainings of the study, newest first."""
        page = self.paginate_queryset(trainings_of(self.study).defer("samples"))
        return self.get_paginated_response(TrainingRow(page, many=True).data)

    @with_body(
        TrainingRequest, request=by_model("Training", TrainingBase, "options", "Options"),
        responses={201: TrainingSerializer},
    )  # fmt: skip
    def post(self, request: Request, study: str, given: dict[str, Any]) -> Response:
        """Train a model on the train and tune splits of the study."""
        given["direction"] = direction_or_none(self.study, given["direction"])
        run = start_training(study=self.study, by=request.user, **given)
        return Response(TrainingSerializer(run).data, status=201)


class TrainingDetail(StudyAPI):
    serializer_class = TrainingSerializer

    def get(self, request: Request, study: str, pk: int) -> Response:
        """A training, its curves and its samples."""
        return Response(TrainingSerializer(get_object_or_404(trainings_of(self.study), pk=pk)).data)

    @with_body(TrainingNotes, partial=True, responses=TrainingSerializer)
    def patch(self, request: Request, study: str, pk: int, given: dict[str, Any]) -> Response:
        """Change the notes and tags of a training, and its name."""
        run = get_object_or_404(self.study.trainings, pk=pk)
        describe_training(run=run, by=request.user, **{"notes": run.notes, "tags": run.tags, **given})
        return Response(TrainingSerializer(get_object_or_404(trainings_of(self.study), pk=pk)).data)

    @without_body(responses={204: None})
    def delete(self, request: Request, study: str, pk: int) -> Response:
        """Remove a training that is over, with its checkpoints."""
        remove_training(run=get_object_or_404(self.study.trainings, pk=pk), by=request.user)
        return Response(status=204)
