"""The endpoints of transfer runs."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView, get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from modelserving.actions.start_transfer import start_transfer
from modelserving.models import TransferRun
from modelserving.transfer import TRANSFERS


class TransferRunSerializer(serializers.ModelSerializer):
    system = serializers.CharField(source="system.name")
    direction = serializers.CharField(source="direction.name", default=None, allow_null=True)
    state = serializers.CharField(source="job.state")

    class Meta:
        model = TransferRun
        fields = ["id", "model", "system", "direction", "settings", "job", "state"]


class TransferRequest(serializers.Serializer):
    model = serializers.ChoiceField(choices=TRANSFERS.names())
    name = serializers.CharField(max_length=100)
    direction = serializers.CharField(required=False, allow_null=True, help_text="source-target; all where left out")
    settings = serializers.DictField(required=False)


class TransferRuns(ListAPIView):
    """List the runs of models on a study, newest first; POST starts one."""

    serializer_class = TransferRunSerializer
    queryset = TransferRun.objects.none()

    def get_queryset(self):
        if getattr(self, "swagger_fake_view", False):
            return TransferRun.objects.none()
        return self.request.study.transfer_runs.select_related("job", "system", "direction")

    @extend_schema(request=TransferRequest, responses={201: TransferRunSerializer})
    def post(self, request: Request, study: str) -> Response:
        """Run a model on the study's sources."""
        asked = TransferRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        name = asked.validated_data.pop("direction", None)
        direction = _direction(request, name) if name else None
        run = start_transfer(study=request.study, direction=direction, by=request.user, **asked.validated_data)
        return Response(TransferRunSerializer(run).data, status=201)


def _direction(request: Request, name: str):
    source, _, target = name.partition("-")
    return get_object_or_404(request.study.directions, source_style=source, target_style=target)
