from uuid import uuid4

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class TrainingRun(models.Model):
    """A model that is trained on a study. A snapshot of its data is taken when its job begins, and stays with the run.

    `key` names its files in storage and its folder on the machine that trains it. A model of two styles has no
    `direction`, but `styles` says which two. `best` is {"curve", "step", "value", "better"} of the best checkpoint.
    `notes` and `tags` are the researchers' own; no training reads them.
    """

    class Device(models.TextChoices):
        AUTO = "auto", _("GPU where there is one")
        CPU = "cpu", _("CPU")
        CUDA = "cuda", _("GPU")

    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="training_run")
    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="trainings")
    key = models.UUIDField(default=uuid4, unique=True, editable=False)
    name = models.CharField(max_length=100)
    model = models.CharField(max_length=60)
    options = models.JSONField(default=dict)
    seed = models.PositiveIntegerField(default=1)
    direction = models.ForeignKey("corpora.Direction", on_delete=models.CASCADE, null=True, related_name="trainings")
    styles = ArrayField(models.CharField(max_length=60), size=2)
    device = models.CharField(max_length=10, choices=Device, default=Device.AUTO)
    device_used = models.CharField(max_length=100, blank=True)
    data = models.FileField(max_length=200, blank=True)
    data_digest = models.CharField(max_length=64, blank=True)
    counts = models.JSONField(default=dict)
    samples = models.JSONField(default=list)
    best = models.JSONField(null=True)
    kept = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    notes = models.TextField(blank=True, default="", db_default="")
    tags = ArrayField(models.CharField(max_length=30), default=list, blank=True, db_default=[])

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_training_a_name")]

    def __str__(self) -> str:
        return self.name


class TrainingCurve(models.Model):
    """A curve of a training: points in order, thinned as they become many (`modelserving/training/curves.py`).

    Of the tune score, by which the best checkpoint is chosen, `better` says which end is; of all others it is empty.
    """

    class Better(models.TextChoices):
        HIGHER = "higher", _("higher is better")
        LOWER = "lower", _("lower is better")

    run = models.ForeignKey(TrainingRun, on_delete=models.CASCADE, related_name="curves")
    name = models.CharField(max_length=60)
    steps = ArrayField(models.BigIntegerField(), default=list)
    values = ArrayField(models.FloatField(), default=list)
    stride = models.PositiveIntegerField(default=1)
    better = models.CharField(max_length=6, choices=Better, blank=True, default="", db_default="")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="one_curve_a_name")]

    def __str__(self) -> str:
        return f"{self.run}: {self.name}"
