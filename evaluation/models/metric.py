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


class Score(models.Model):
    """What a metric gave for the whole of some outputs; `undefined` says why `corpus` is null.

    `key` is the SHA-256 of all that the number depends on (texts, settings, signature): what has not changed is not
    computed again.
    """

    worked_out = True  # from others; a removal that is undone brings back none that is older

    metric = models.CharField(max_length=60)
    key = models.CharField(max_length=64)
    signature = models.CharField(max_length=600)
    corpus = models.FloatField(null=True)
    undefined = models.CharField(max_length=300, blank=True, default="", db_default="")
    details = models.JSONField(default=dict)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class MetricScore(Score):
    """What one metric gave one system: the corpus score and one array of sentence scores, in sentence order.

    A sentence without a score has NaN. `packed` are the sentences' parts in the sums that the corpus score is made of,
    `width` a sentence: little-endian float64 as they lie in memory, since there are up to 24 for every output of a
    study.
    """

    system = models.ForeignKey("corpora.System", on_delete=models.CASCADE, related_name="metric_scores")
    sentence_ids = ArrayField(models.BigIntegerField())
    sentences = ArrayField(models.FloatField())
    packed = models.BinaryField(default=b"")
    width = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["system", "metric"], name="one_score_a_system_and_metric")]

    def __str__(self) -> str:
        return f"{self.metric} of {self.system}: {self.corpus}"

    @property
    def sufficient_statistics(self) -> np.ndarray:
        """A row a sentence (n, width), float64: what the metric's `corpus_of` takes the sum of."""
        return np.frombuffer(self.packed, dtype="<f8").reshape(len(self.sentence_ids), self.width)


class FoilScore(Score):
    """What one metric gave outputs that are made to fool it (`evaluation/baselines`), over the study's sources."""

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="foil_scores")
    foil = models.CharField(max_length=60)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "foil", "metric"], name="one_score_a_foil_and_metric")]

    def __str__(self) -> str:
        return f"{self.metric} of {self.foil}: {self.corpus}"
