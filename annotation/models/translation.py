from django.db import models


class TranslationRun(models.Model):
    """A job that puts an assistive translation beside the sentences of one style, where they have none yet."""

    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="translation_run")
    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="translation_runs")
    style = models.CharField(max_length=60)
    source_language = models.CharField(max_length=35)
    target_language = models.CharField(max_length=35)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.style}: {self.source_language} to {self.target_language}"
