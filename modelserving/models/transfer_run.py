from django.db import models
from django.utils.translation import gettext_lazy as _

from corpora.models import Sentence
from modelserving.run_context.usage import usage_of


class TransferRun(models.Model):
    """A transfer model run over sources of a study, whose outputs are those of `system`, or over a file of lines.

    A kind that is trained runs from a `checkpoint`; what it was stays in `signature` when that is removed. One that was
    asked for before its `training` was done gets the best checkpoint of that. Of a study it takes one `split`, or all
    (""). `usage` is what calls of a service outside used (`run_context/usage.py`).
    """

    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="transfer_run")
    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="transfer_runs")
    direction = models.ForeignKey("corpora.Direction", on_delete=models.CASCADE, null=True)
    system = models.OneToOneField("corpora.System", on_delete=models.CASCADE, null=True, related_name="transfer_run")
    model = models.CharField(max_length=60)
    settings = models.JSONField(default=dict)
    checkpoint = models.ForeignKey(
        "modelserving.Checkpoint", on_delete=models.SET_NULL, null=True, related_name="transfer_runs"
    )
    training = models.ForeignKey(
        "modelserving.TrainingRun", on_delete=models.SET_NULL, null=True, related_name="transfer_runs"
    )
    signature = models.TextField(blank=True, default="", db_default="")
    usage = models.JSONField(default=dict, blank=True, db_default={})
    split = models.CharField(
        max_length=5, choices=[("", _("All")), *Sentence.Split.choices], blank=True, default="", db_default=""
    )
    file = models.FileField(max_length=200, blank=True, default="", db_default="")
    file_name = models.CharField(max_length=200, blank=True, default="", db_default="")
    result = models.FileField(max_length=200, blank=True, default="", db_default="")

    class Meta:
        ordering = ["-job__made_at"]

    def __str__(self) -> str:
        return f"{self.model} on {self.study}"

    @property
    def used(self) -> str:
        """What calls of a service used so far, in words; "" where there was none."""
        usage = usage_of(self.usage)
        return str(usage) if usage.calls or usage.kept else ""
