"""The tables of this room."""

from uuid import uuid4

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from corpora.models import Sentence
from modelserving.run_context import usage_of


class Checkpoint(models.Model):
    """A trained model in one file of Django's storage (`modelserving/training/checkpoint.py` says its form).

    A run has one that scored best and the last one, from which it goes on; an imported one has no run. `manifest` is
    the file's own.
    """

    class Kind(models.TextChoices):
        BEST = "best", _("Best")
        LAST = "last", _("Last")
        IMPORTED = "imported", _("Imported")

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="checkpoints")
    run = models.ForeignKey("modelserving.TrainingRun", on_delete=models.CASCADE, null=True, related_name="checkpoints")
    kind = models.CharField(max_length=10, choices=Kind)
    model = models.CharField(max_length=60)
    name = models.CharField(max_length=120)
    file = models.FileField(max_length=200)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    manifest = models.JSONField()
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="checkpoints")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["run", "kind"], name="one_checkpoint_a_kind")]

    def __str__(self) -> str:
        return self.name

    @property
    def directions(self) -> list[tuple[str, str]]:
        """The pairs of styles that it was trained for."""
        return [(source, target) for source, target in self.manifest["directions"]]


class ModelAnswer(models.Model):
    """A language model's answer for a study, kept so that nothing is asked (and paid) or computed twice.

    It lives as long as the training or run that used it, whose `job` it names: each has rows of its own, copies where
    another asked first. An answer to a command has no job, and is deleted with the study. `digest` covers all that the
    answer depends on (`prompting/model.py`). `model` is the name that the service gave, `service` the one that was
    asked, `left_out` the fields that it does not take (with commas); tokens (`cached` ones came from its cache) and
    `cost` are of the one call, 0 for a copy. `guessed` is about how many tokens the prompt has by its
    characters; where the service did not count, `input` is this too.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="model_answers")
    job = models.ForeignKey("jobs.Job", on_delete=models.CASCADE, null=True, related_name="model_answers")
    digest = models.CharField(max_length=64)
    service = models.CharField(max_length=400, blank=True, db_default="")
    text = models.TextField(blank=True)
    model = models.CharField(max_length=200, blank=True)
    finish = models.CharField(max_length=200, blank=True)
    input = models.PositiveIntegerField(default=0)
    output = models.PositiveIntegerField(default=0)
    counted = models.BooleanField(default=False, db_default=False)
    cached = models.PositiveIntegerField(default=0, db_default=0)
    left_out = models.CharField(max_length=200, blank=True, default="", db_default="")
    guessed = models.PositiveIntegerField(default=0, db_default=0)
    cost = models.FloatField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "digest"], name="one_answer_a_prompt_of_a_job"),
            models.UniqueConstraint(
                fields=["study", "digest"], condition=models.Q(job=None), name="one_answer_a_prompt_of_no_job"
            ),
        ]
        indexes = [models.Index(fields=["study", "digest"], name="answers_by_prompt")]

    def __str__(self) -> str:
        return self.digest


class Sweep(models.Model):
    """A search over a model's options: a training for each combination (`modelserving/option_search.py`).

    `options` are the fixed ones beside the `preset`, `vary` those that vary, both as they were given. All trainings are
    queued when the sweep is made; each has the sweep's `seed`, which also draws. `at_most` bounds their number.
    """

    class Search(models.TextChoices):
        RANDOM = "random", _("Random search")
        GRID = "grid", _("Grid search")

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="sweeps")
    name = models.CharField(max_length=90)
    model = models.CharField(max_length=60)
    options = models.JSONField(default=dict)
    preset = models.CharField(max_length=60, blank=True)
    vary = models.JSONField(default=dict)
    search = models.CharField(max_length=10, choices=Search, default=Search.RANDOM)
    at_most = models.PositiveSmallIntegerField()
    seed = models.PositiveIntegerField(default=1)
    direction = models.ForeignKey("corpora.Direction", on_delete=models.CASCADE, null=True, related_name="sweeps")
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="sweeps")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_sweep_a_name")]

    def __str__(self) -> str:
        return self.name


class TrainingRun(models.Model):
    """A model that is trained on a study. A snapshot of its data is taken when its job begins, and stays with the run.

    `key` names its files in storage and its folder on the machine that trains it. A model of two styles has no
    `direction`, but `styles` says which two. `best` is {"curve", "step", "value", "better"} of the best checkpoint.
    `notes` and `tags` are the researchers' own; no training reads them. `silver` says which pairs a model wrote
    (`training_runs/silver.py`); {} where people wrote all. One of a `sweep` has its `combination`, from 1; one that
    repeats a combination with another seed has none.
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
    silver = models.JSONField(default=dict, blank=True, db_default={})
    sweep = models.ForeignKey(Sweep, on_delete=models.SET_NULL, null=True, related_name="trainings")
    combination = models.PositiveSmallIntegerField(null=True)
    notes = models.TextField(blank=True, default="", db_default="")
    tags = ArrayField(models.CharField(max_length=30), default=list, blank=True, db_default=[])

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_training_a_name")]

    def __str__(self) -> str:
        return self.name


class TrainingCurve(models.Model):
    """A curve of a training: points in order, thinned as they become many (`training_runs/run_callbacks.py`).

    `better` says which end is the better one of the tune score, which chooses the best checkpoint; else it is empty.
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


class TransferRun(models.Model):
    """A transfer model run over sources of a study, whose outputs are those of `system`, or over a file of lines.

    A kind that is trained runs from a `checkpoint`; `signature` still describes it when it is removed. A run that was
    asked for before its `training` was done gets the best checkpoint of that. It takes one `split` of a study, or all
    (""). `usage` counts the calls of an outside service, their tokens and cost (`run_context.py`).
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
        """The usage of a service so far, in words; "" where there was no call."""
        usage = usage_of(self.usage)
        return str(usage) if usage.calls or usage.kept else ""
