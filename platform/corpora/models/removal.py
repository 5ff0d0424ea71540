from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

KEPT_DAYS = 30


class Removal(models.Model):
    """Something that was removed, kept so that it can be put back for 30 days with all that went with it.

    The rows themselves are gone from their tables. They are kept here as `parts`, in the order in which they were taken
    out: each part holds the rows of one model (`{"model", "columns", "rows"}`), or the references of other rows to them
    that were emptied (with `"link"`). `counts` has the number of rows by model, `files` names the files in storage that
    no other row names, and `declared` holds the parts of the study file that went too. `study` is empty where the study
    itself was removed.
    """

    class Kind(models.TextChoices):
        STUDY = "study", _("Study")
        DIRECTION = "direction", _("Direction")
        SOURCES = "sources", _("Sources")
        REFERENCES = "references", _("References")
        SYSTEM = "system", _("System")
        CAMPAIGN = "campaign", _("Campaign")
        DOCUMENT = "document", _("Document")
        RATINGS = "ratings", _("Imported judgements")
        SCORES = "scores", _("Imported scores")
        HUMAN_STUDY = "human_study", _("Human study")
        TRAINING = "training", _("Training")
        CHECKPOINT = "checkpoint", _("Checkpoint")

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, null=True, related_name="removals")
    study_slug = models.SlugField(max_length=80)
    kind = models.CharField(max_length=15, choices=Kind)
    name = models.CharField(max_length=300)
    counts = models.JSONField(default=dict)
    parts = models.JSONField(default=list)
    files = models.JSONField(default=list)
    declared = models.JSONField(default=dict)
    removed_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="removals")
    removed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-removed_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def until(self) -> datetime:
        """The moment after which it cannot be put back."""
        return self.removed_at + timedelta(days=KEPT_DAYS)

    @property
    def rows(self) -> int:
        return sum(self.counts.values())


class RemovalPiece(models.Model):
    """A piece of a part's rows, compressed; `number` counts from 0 within the part, which counts from 0 too."""

    removal = models.ForeignKey("corpora.Removal", on_delete=models.CASCADE, related_name="pieces")
    part = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ["part", "number"]
        constraints = [models.UniqueConstraint(fields=["removal", "part", "number"], name="one_removal_piece_a_number")]

    def __str__(self) -> str:
        return f"{self.removal}, part {self.part}, piece {self.number}"
