"""The endpoint that shows the prompt of a language model before anything is sent."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_schema import StrictSerializer, checked
from corpora.api.base import StudyAPI, direction_named
from modelserving.actions.start_training import MOST_SEED
from modelserving.training_runs.prompt_preview import preview_prompt
from modelserving.transfer import TRANSFERS


class PromptRequest(StrictSerializer):
    model = serializers.ChoiceField(choices=TRANSFERS.names())
    direction = serializers.CharField(
        max_length=121, required=False, allow_null=True, help_text="source-target; the only one where it is left out."
    )
    options = serializers.DictField(required=False, default=dict, help_text="As of a training.")
    seed = serializers.IntegerField(min_value=0, max_value=MOST_SEED, default=1)


class MessageSerializer(StrictSerializer):
    role = serializers.CharField()
    content = serializers.CharField()


class PromptSerializer(StrictSerializer):
    """The chat that a language model would be sent for `source`, the first of the train split."""

    source = serializers.CharField()
    messages = MessageSerializer(many=True)


class Prompts(StudyAPI):
    serializer_class = PromptSerializer

    @extend_schema(request=PromptRequest, responses=PromptSerializer)
    def post(self, request: Request, study: str) -> Response:
        """The prompt that a training with these options would make. Nothing is sent, and nothing is stored."""
        given = checked(PromptRequest, request)
        name, kind = given.get("direction"), TRANSFERS[given["model"]]
        direction = direction_named(self.study, name) if name else None
        options = vars(kind.choose_options(given["options"]))
        return Response(PromptSerializer(preview_prompt(kind, self.study, direction, options, given["seed"])).data)
