"""The shapes of work: the item in somebody's hands, answers, drafts, skips and reports."""

from rest_framework import serializers

from accounts.api_schema.strict_serializers import StrictSerializer
from annotation.actions.report_problem import KINDS
from annotation.blinding.handles import NAMED
from annotation.campaigns.fields import LARGEST_INTEGER
from annotation.engine.assignment_queue import Reason


class WorkShape(StrictSerializer):
    slot = serializers.CharField(help_text="Names the item in your hands; of no use to anybody else.")
    lease = serializers.UUIDField()
    expires_at = serializers.DateTimeField()
    number = serializers.IntegerField()
    task_type = serializers.CharField()
    item = serializers.DictField(help_text="What is shown; its form depends on the task type.")
    draft_version = serializers.IntegerField()


class ClaimShape(StrictSerializer):
    work = WorkShape(allow_null=True)
    reason = serializers.ChoiceField(choices=[reason.value for reason in Reason], allow_null=True)
    detail = serializers.CharField(allow_blank=True)
    done = serializers.IntegerField()
    size = serializers.IntegerField()


class Held(StrictSerializer):
    slot = serializers.RegexField(NAMED, help_text="As the item named it.")
    lease = serializers.UUIDField()


class Keyed(Held):
    key = serializers.UUIDField(help_text="Yours to draw: the same key again is the same act.")
    seconds = serializers.FloatField(default=None, allow_null=True, help_text="Active seconds on the item.")


class Seeing(StrictSerializer):
    """What a program knows of the drafts of this item; by nothing of it no draft of another page stands in the way."""

    seen = serializers.IntegerField(
        default=None, allow_null=True, min_value=0, max_value=LARGEST_INTEGER,
        help_text="The newest version of the draft that you know of: where another page saved a newer one, 409.",
    )  # fmt: skip
    writer = serializers.CharField(
        default="", allow_blank=True, max_length=40, help_text="A name for yourself: your own drafts never conflict."
    )


class NewAnswer(Seeing, Keyed):
    content = serializers.DictField(
        help_text="{'text': ...}; {'ratings': [...]} or {'ranks': [...]} in the order of the item's places; or "
        "{'best': 1, 'worst': 3}, places."
    )


class NewRevision(Seeing):
    revision = serializers.IntegerField(
        default=None, allow_null=True, min_value=1, max_value=32767,
        help_text="The revision that you change: where there is a newer one, 409.",
    )  # fmt: skip
    key = serializers.UUIDField()
    seconds = serializers.FloatField(default=None, allow_null=True)
    content = serializers.DictField()


class Acknowledgement(StrictSerializer):
    answer = serializers.CharField(help_text="The `id` of the answer.")
    revision = serializers.IntegerField()
    late = serializers.BooleanField()
    next = ClaimShape()
    feedback = serializers.DictField(allow_null=True, help_text="In a training: what was expected, beside your answer.")


class TypedShape(Seeing):
    version = serializers.IntegerField(min_value=1, max_value=LARGEST_INTEGER)
    form = serializers.DictField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False),
        help_text="The fields of the page's form: 'text', or those that the item names.",
    )


class NewDraft(TypedShape, Held):
    """A draft of the item in your hands."""


class DraftShape(StrictSerializer):
    version = serializers.IntegerField()


class NewerDraftShape(DraftShape):
    detail = serializers.CharField()
    content = serializers.DictField()


class HandedInShape(StrictSerializer):
    """What you handed in to this item stands as it is."""

    detail = serializers.CharField()
    answer = serializers.CharField(help_text="The `id` of the answer.")
    revision = serializers.IntegerField()
    content = serializers.DictField()


class NewSkip(Keyed):
    comment = serializers.CharField(default="", allow_blank=True, max_length=2000)
    form = serializers.DictField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False), default=None, allow_null=True,
        help_text="What was typed, as for a draft: it waits for the case that you take this back.",
    )  # fmt: skip


class NewReport(NewSkip):
    kind = serializers.ChoiceField(choices=KINDS)
