from django.db import models


class AgreementRun(models.Model):
    """A job that measures how far the people of a campaign agree; `result` is empty until it is there."""

    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="agreement_run")
    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="agreement_runs")
    result = models.JSONField(null=True)
    made_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.job} of {self.campaign}"
