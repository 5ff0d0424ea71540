from django.db import models


class SelectionRun(models.Model):
    """A selection of sources by the criteria `wish`, made by a job where the documents are too many for a request.

    With `preview` they are only counted. When it is done, `taken` is the number of those it took, and `left` counts the
    others by reason.
    """

    direction = models.ForeignKey("corpora.Direction", on_delete=models.CASCADE, related_name="selection_runs")
    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="selection_run")
    wish = models.JSONField()
    split = models.CharField(max_length=5)
    preview = models.BooleanField()
    taken = models.PositiveIntegerField(null=True)
    left = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"Selection for {self.direction}"
