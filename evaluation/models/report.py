from django.db import models


class Report(models.Model):
    """The report of a study as it was last worked out; `key` is the SHA-256 of all that it was made from."""

    study = models.OneToOneField("corpora.Study", on_delete=models.CASCADE, related_name="report")
    job = models.ForeignKey("jobs.Job", on_delete=models.SET_NULL, null=True, related_name="reports")
    key = models.CharField(max_length=64, blank=True)
    content = models.JSONField(default=dict)
    made_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"report of {self.study}"
