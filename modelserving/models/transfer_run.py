from django.db import models


class TransferRun(models.Model):
    """A transfer model run over the sources of a study; its outputs are those of `system`."""

    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="transfer_run")
    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="transfer_runs")
    direction = models.ForeignKey("corpora.Direction", on_delete=models.CASCADE, null=True)
    system = models.OneToOneField("corpora.System", on_delete=models.CASCADE, related_name="transfer_run")
    model = models.CharField(max_length=60)
    settings = models.JSONField(default=dict)

    class Meta:
        ordering = ["-job__made_at"]

    def __str__(self) -> str:
        return f"{self.model} on {self.study}"
