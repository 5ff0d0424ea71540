"""The endpoint of the state of the site."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_schema import StrictSerializer
from health.state import state


class CheckRow(StrictSerializer):
    """A part of the site that is there or not; `said` is the sentence where it is not, `seconds` how long it took."""

    name = serializers.CharField()
    well = serializers.BooleanField()
    said = serializers.CharField(allow_blank=True)
    seconds = serializers.FloatField()


class WorkerJob(StrictSerializer):
    """A job that a worker holds."""

    id = serializers.IntegerField()
    title = serializers.CharField()
    study_slug = serializers.CharField()
    state = serializers.CharField()


class WorkerRow(StrictSerializer):
    """A worker of the last day. `lives`: its last sign is fresh. `on_demand`: it is started when a job comes."""

    name = serializers.CharField()
    host = serializers.CharField()
    pid = serializers.IntegerField()
    queues = serializers.ListField(child=serializers.CharField())
    lives = serializers.BooleanField()
    on_demand = serializers.BooleanField()
    since = serializers.DateTimeField()
    seen_at = serializers.DateTimeField()
    jobs = WorkerJob(many=True)
    versions = serializers.DictField(child=serializers.CharField())


class QueueRow(StrictSerializer):
    """A queue: jobs that wait and run, since when the oldest waits, messages that no worker took (null: not known)."""

    name = serializers.CharField()
    waiting = serializers.IntegerField()
    running = serializers.IntegerField()
    oldest_at = serializers.DateTimeField(allow_null=True)
    oldest_seconds = serializers.FloatField(allow_null=True)
    messages = serializers.IntegerField(allow_null=True)
    workers = serializers.IntegerField()


class StorageRow(StrictSerializer):
    """Where files are that machines share. `whole`: all were counted; `free_bytes` is null where nobody can know."""

    place = serializers.CharField()
    used_bytes = serializers.IntegerField()
    files = serializers.IntegerField()
    whole = serializers.BooleanField()
    free_bytes = serializers.IntegerField(allow_null=True)


class DatabaseRow(StrictSerializer):
    """The bytes that the database takes, and the connections to it, of how many there can be."""

    used_bytes = serializers.IntegerField()
    connections = serializers.IntegerField()
    most_connections = serializers.IntegerField()


class BackupRow(StrictSerializer):
    """A backup that was begun by the clock: what it made, or why it failed."""

    id = serializers.IntegerField()
    state = serializers.CharField()
    told = serializers.CharField()
    warning = serializers.CharField()
    error = serializers.CharField()
    made_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class HealthState(StrictSerializer):
    """How the site is."""

    checks = CheckRow(many=True)
    workers = WorkerRow(many=True)
    queues = QueueRow(many=True)
    storage = StorageRow(allow_null=True)
    database = DatabaseRow()
    backups = BackupRow(many=True)
    versions = serializers.DictField(child=serializers.CharField())


class Health(APIView):
    """Workers, queues, storage, database, backups and versions."""

    @extend_schema(responses=HealthState)
    def get(self, request: Request) -> Response:
        """How the site is, now."""
        return Response(HealthState(state()).data)
