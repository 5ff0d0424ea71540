from django.db import models
from django.utils.translation import gettext_lazy as _


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
