import numpy as np
from django.contrib.postgres.fields import ArrayField
from django.db import models


class MetricChoice(models.Model):
    """A metric that a study wants, with its settings."""

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="metric_choices")
    number = models.PositiveSmallIntegerField()
    metric = models.CharField(max_length=60)
    settings = models.JSONField(default=dict)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "metric"], name="one_choice_a_metric")]

    def __str__(self) -> str:
        return self.metric


class MetricRun(models.Model):
    """A job that scores all systems of a study with all its metrics."""

    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="metric_run")
    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="metric_runs")

    class Meta:
        ordering = ["-job__made_at"]

    def __str__(self) -> str:
        return f"metrics of {self.study}"


class MetricScore(models.Model):
    """What one metric gave one system: the corpus score and one array of sentence scores, in sentence order.

    `key` is the SHA-256 of all that the numbers depend on (texts, settings, signature): what has not changed is not
    computed again. `packed` are the sentences' parts in the sums that the corpus score is made of, `width` a sentence:
    little-endian float64 as they lie in memory, since there are up to 24 for every output of a study.
    """

    system = models.ForeignKey("corpora.System", on_delete=models.CASCADE, related_name="metric_scores")
    metric = models.CharField(max_length=60)
    key = models.CharField(max_length=64)
    signature = models.CharField(max_length=300)
    corpus = models.FloatField()
    details = models.JSONField(default=dict)
    sentence_ids = ArrayField(models.BigIntegerField())
    sentences = ArrayField(models.FloatField())
    packed = models.BinaryField(default=b"")
    width = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["system", "metric"], name="one_score_a_system_and_metric")]

    def __str__(self) -> str:
        return f"{self.metric} of {self.system}: {self.corpus:.4f}"

    @property
    def statistics(self) -> np.ndarray:
        """A row a sentence (n, width), float64: what the metric's `corpus_of` takes the sum of."""
        return np.frombuffer(self.packed, dtype="<f8").reshape(len(self.sentence_ids), self.width)
